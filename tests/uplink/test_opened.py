"""What the room may read of a record: everything but faces that do not lie open."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tablebridge.journal.chain import Row, new_row
from tablebridge.journal.reader import ChainReader
from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.uplink.opened import opened

FACE = re.compile(rb'"[2-9TJQKA][cdhs]\*?"')
HIDDEN = (
    ev.Deal(3, Card("Ah")),
    ev.Burn(Card("Ah")),
    ev.Draw(3, 1, (Card("Ah"),)),
    ev.Seen(Card("Ah"), ev.Place("muck")),
    ev.Shuffler("boxed", (Card("Ah"),)),
    ev.DeckCheck((Card("Ah"), Card("Kd"))),
    ev.Doubt(Card("Ah"), {ev.Place("muck"): 1.0}),
    ev.ClonedTag(Card("Ah"), (ev.Place("muck"), ev.Place("burn"))),
    ev.DeviceState("antennas", "stale", silent=Card("Ah")),
    ev.Marked(Card("Ah")),
    ev.Amend(1, ev.Deal(3, Card("Ah"))),
    ev.Insert(1, ev.Deal(3, Card("Ah"))),
)
OPEN = (
    ev.Street("flop", (Card("Ah"), Card("Kd"), Card("2c"))),
    ev.Tabled(3, (Card("Ah"), Card("Kd"))),
    ev.Deal(3, Card("Ah"), up=True),
    ev.Action("fold", 3),
)


def row(kind: str, body: object) -> Row:
    return new_row(b"", 1, kind, msgspec.json.encode(body))


@pytest.mark.parametrize("event", HIDDEN, ids=repr)
def test_a_face_that_does_not_lie_open_is_not_readable(event: ev.TableEvent) -> None:
    readable = opened(row("entry", ev.Entry(1, START, event, "rfid")))
    assert not readable.whole
    assert not FACE.search(readable.body)


@pytest.mark.parametrize("event", OPEN, ids=repr)
def test_what_lies_open_travels_as_it_is(event: ev.TableEvent) -> None:
    record = row("entry", ev.Entry(1, START, event, "rfid"))
    assert opened(record)[:2] == (record.body, True)


def test_a_finding_keeps_the_faces_that_lie_open() -> None:
    found = Finding("1.0", "misdeal", "critical", "tda-2022", "t1", 1, "deal")
    both = msgspec.structs.replace(found, cards=(Card("Ah"), Card("Kd")), public_cards=(Card("Kd"),))
    readable = opened(row("finding", both))
    assert not readable.whole
    assert FACE.findall(readable.body) == [b'"Kd"', b'"Kd"']


@pytest.mark.parametrize("record", [row("unheard-of", {"card": "Ah"}), row("entry", {"card": "Ah"})])
def test_what_is_not_known_here_travels_sealed_as_a_whole(record: Row) -> None:
    assert opened(record)[:2] == (b"null", False)


def test_no_face_of_a_hand_that_was_not_shown_is_readable(tmp_path: Path) -> None:
    table = DealtTable(tmp_path / "t.sqlite", "t", seed=3)
    table.deal(6)
    table.close()
    shown: set[bytes] = set()
    for record in rows(tmp_path / "t.sqlite"):
        body = opened(record).body
        if b'"event":"street"' in body or b'"event":"table"' in body:
            shown |= set(FACE.findall(body))
        assert set(FACE.findall(body)) <= shown


def rows(path: Path) -> Iterator[Row]:
    reader = ChainReader(path)
    yield from reader.after(0, 100_000)
    reader.close()
