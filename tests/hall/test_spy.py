"""No hidden face is in what leaves a box for the pages of its room, nor in what they show: hands by the real
engine, looked at after each step.
"""

import asyncio
import re
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine

from tablebridge.archive.settling import SiteFindings
from tablebridge.bus import topics
from tablebridge.bus.messages import Availability, encode
from tablebridge.hall.acts import FarWay
from tablebridge.hall.app import create_hall
from tablebridge.hall.configurations import Configurations
from tablebridge.hall.desk import HallDesk
from tablebridge.hall.history import History
from tablebridge.hall.people import People
from tablebridge.hall.tables import Tables
from tablebridge.model import events as ev
from tablebridge.settings.site import Web
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.shown import ShownTable
from tablebridge.stream.pictures import Place
from tablebridge.uplink.live import LivePictures
from tablebridge.web.assets import Assets
from tablebridge.web.auth import Token

PLACE = Place("box", "t1")


class Anybody(People):
    """Lets everybody in as a floor person: what pages show is the question, not to whom."""

    def find(self, secret: str) -> Token:
        return Token("t", "", "floor", "Anna")

    known = find


class Spied:
    """A table that is dealt at, its way to the room, and the pages of the room."""

    def __init__(self, path: Path) -> None:
        self.table = DealtTable(path, "t1", seed=5)
        self.shown = ShownTable(self.table, seed=5)
        self.now = 0.0
        self.live = LivePictures("site", "box", ("t1",), lambda: self.now)
        self.live.bus(True)
        self.live.take(
            topics.ENGINE_AVAILABILITY.of("site", "t1"), encode(Availability("online", "e1")), lambda: None
        )
        self.tables = Tables()
        nowhere = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
        desk = HallDesk(
            tokens=Anybody(nowhere),
            assets=Assets(),
            site="main",
            tables=self.tables,
            history=History(nowhere, "main"),
            acts=FarWay("main", lambda: None),
            configurations=Configurations(lambda: None),
            findings=SiteFindings(nowhere, "main"),
        )
        self.app = create_hall(desk, Web())
        self.values: list[str] = []

    def look(self) -> str:
        """All that the room has of the table now: the value of its key, and the pages."""
        self.now += 1
        for topic, message in self.shown.messages():
            self.live.take(topic.of("site", "t1"), encode(message), lambda: None)

        async def write(_subject: str, value: bytes) -> None:
            self.values.append(value.decode())

        asyncio.run(self.live.step(write))
        self.tables.take(PLACE, self.values[-1].encode(), len(self.values), 0.0)
        return "\n".join((self.values[-1], *asyncio.run(self._pages())))

    async def _pages(self) -> list[str]:
        through = httpx.ASGITransport(app=self.app)
        headers = {"authorization": "Bearer x"}
        async with httpx.AsyncClient(transport=through, base_url="http://room", headers=headers) as client:
            pages = [await client.get(path) for path in ("/floor", "/wall")]
        assert [page.status_code for page in pages] == [200, 200]
        return [page.text for page in pages]


def faces_in(text: str) -> set[str]:
    """The faces that stand in a text, as data or as words; `As` is a word as well."""
    quoted = set(re.findall(r'"([2-9TJQKA][cdhs])"', text))
    spoken = set(re.findall(r"(?<![\w-])([2-9TJQKA][cdhs])(?![\w-])", text)) - {"As", "Ah"}
    return quoted | spoken


def test_a_face_is_in_the_bucket_and_on_the_pages_only_once_it_lies_open(tmp_path: Path) -> None:
    spied = Spied(tmp_path / "t1.sqlite")
    seen_open, hidden_ever = set(), set()
    for _ in range(3):
        hidden: set[str] = set()
        opened: set[str] = set()
        for events in spied.table.hand():
            for event in events:
                match event:
                    case ev.Hand():
                        hidden, opened = set(), set()
                    case ev.Deal(card=card):
                        hidden.add(str(card))
                    case ev.Street(cards=cards) | ev.Tabled(cards=cards):
                        opened |= set(map(str, cards))
            spied.table.enter(*events)
            found = faces_in(spied.look())
            assert not found & (hidden - opened), events
            seen_open |= found & opened
            hidden_ever |= hidden - opened
        spied.shown.between_hands()
    spied.table.close()
    assert len(hidden_ever) > 20 and len(seen_open) > 5, "faces are there, hidden and open ones"


def test_the_spy_finds_a_face_that_is_there() -> None:
    assert faces_in('{"faces":["Kd","??"]} holds 9c.') == {"Kd", "9c"}


@pytest.mark.parametrize("word", ["As soon as", "Ah, the 7th", "card-5d-x"])
def test_the_spy_takes_no_word_for_a_face(word: str) -> None:
    assert faces_in(word) == set()
