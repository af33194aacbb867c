"""Hole cards with the real engine: recorded before they are sent, from a live engine only, while the token is
good.

The broker, the engine and the pages are the processes of an installation; one line after another is typed for
the cards.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.journal.read import entries
from tablebridge.journal.store import Journal
from tablebridge.model.disclosure import Access
from tablebridge.model.events import Entry
from tablebridge.web.auth import Role, Token, Tokens

from .hall import Pages, until
from .test_live import Stream

SITE_FILE = """\
name = "hall"
state_dir = "{state}"
[broker]
port = {broker}
[web]
port = 0
overlay_delay_s = 0.5
[[table]]
name = "main"
seats = "1-3"
"""
HAND = [
    "button 3",
    "hand",
    "deal 1 As",
    "deal 2 Ks",
    "deal 3 Qs",
    "deal 1 Ah",
    "deal 2 Kh",
    "deal 3 Qh",
    "end",
]


class Room:
    """A room with one table: its processes, tokens and record."""

    def __init__(self, folder: Path, pages: Pages) -> None:
        self.journal = folder / "journal" / "main.sqlite"
        self.pages = pages
        self.tokens = Tokens(folder)
        self.engine: subprocess.Popen[bytes] | None = None
        self.http = httpx.Client(timeout=60)

    def start_engine(self) -> None:
        self.engine = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "engine", "--site", str(self.pages.site_file)],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ,
        )

    def signal(self, number: int) -> None:
        assert self.engine is not None
        self.engine.send_signal(number)
        if number == signal.SIGKILL:
            self.engine.wait(60)

    def token(
        self, role: Role, name: str = "Studio", expires_wall_s: int | None = None
    ) -> tuple[Token, dict[str, str]]:
        token, secret = self.tokens.add(role, name, None, expires_wall_s)
        return token, {"authorization": f"Bearer {secret}"}

    def get(self, path: str, headers: dict[str, str]) -> httpx.Response:
        return self.http.get(self.pages.url + path, headers=headers)

    @contextmanager
    def stream(self, path: str, headers: dict[str, str]) -> Iterator[Stream]:
        with (
            httpx.Client(timeout=60) as http,
            http.stream("GET", self.pages.url + path, headers=headers) as response,
        ):
            assert response.status_code == 200
            stream = Stream(response)
            stream.start()
            yield stream
        stream.join(60)

    def accesses(self) -> list[Entry]:
        journal = Journal(self.journal, "main", readonly=True)
        try:
            return [entry for entry in entries(journal) if isinstance(entry.event, Access)]
        finally:
            journal.close()

    def of(self, token: Token) -> list[tuple[str, str, float | None]]:
        """The accesses of one token: feed, by whom, the delay in force."""
        return [
            (entry.event.feed, entry.by, entry.event.delay_s)
            for entry in self.accesses()
            if isinstance(entry.event, Access) and entry.event.token == token.id
        ]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("room")
    with EmbeddedBroker(folder, site="hall") as broker:
        site_file = folder / "site.toml"
        site_file.write_text(SITE_FILE.format(state=folder, broker=broker.port))
        made = Room(folder, Pages(site_file))
        made.start_engine()
        made.pages.start()
        try:
            _, operator = made.token("operator", "Olga")
            until(
                lambda: made.get("/api/tables", operator).json()["tables"][0]["engine"] == "online",
                "the engine is there",
            )
            body = {"id": "the-hand-1", "lines": HAND}
            answer = made.http.post(f"{made.pages.url}/api/tables/main/lines", json=body, headers=operator)
            assert answer.status_code == 200, answer.text
            yield made
        finally:
            made.http.close()
            made.pages.end(signal.SIGKILL)
            if made.engine is not None:
                made.signal(signal.SIGCONT)
                made.signal(signal.SIGKILL)


def faces(picture: dict[str, list[dict[str, list[str]]]]) -> set[str]:
    return {face for seat in picture["seats"] for face in seat["faces"]}


def with_faces(stream: Stream) -> list[dict[str, str]]:
    return [event for event in stream.of("table") if faces(json.loads(event["data"]))]


def test_a_stream_of_hole_cards_is_in_the_record_before_its_first_picture(room: Room) -> None:
    token, headers = room.token("broadcast")
    with room.stream("/live/overlay/main", headers) as stream:
        until(lambda: stream.of("table"), "a picture")
        assert room.of(token) == [("stream", "Studio (broadcast)", 0.5)]
        until(lambda: with_faces(stream), "hole cards")
    assert room.of(token) == [("stream", "Studio (broadcast)", 0.5)], "one record stands for ten minutes"


def test_a_picture_by_rest_is_in_the_record_before_it_is_sent(room: Room) -> None:
    token, headers = room.token("broadcast")
    answer = until(
        lambda: (got := room.get("/api/tables/main/overlay", headers)).status_code == 200 and got, "a picture"
    )
    assert room.of(token) == [("picture", "Studio (broadcast)", 0.5)]
    until(
        lambda: (
            faces(room.get("/api/tables/main/overlay", headers).json())
            == {"As", "Ks", "Qs", "Ah", "Kh", "Qh"}
        ),
        "faces",
    )
    assert answer.status_code == 200 and len(room.of(token)) == 1


def test_no_picture_is_sent_that_the_engine_has_not_recorded_and_the_question_is_asked_again(
    room: Room,
) -> None:
    token, headers = room.token("broadcast")
    namesake, others = room.token("broadcast")
    room.signal(signal.SIGSTOP)
    try:
        with room.stream("/live/overlay/main", headers) as stream:
            # At once: some seconds later the engine counts as away, and there is no picture to ask for.
            assert room.get("/api/tables/main/overlay", others).status_code == 504
            until(
                lambda: len(stream.of("beat")) > 4,
                "some seconds have passed, longer than an answer is waited for",
            )
            assert stream.of("table") == []
            room.signal(signal.SIGCONT)
            until(lambda: with_faces(stream), "hole cards, as soon as it is recorded")
            assert [feed for feed, *_ in room.of(token)] == ["stream"]
        until(
            lambda: room.get("/api/tables/main/overlay", others).status_code == 200, "the namesake's picture"
        )
        assert [feed for feed, *_ in room.of(namesake)] == ["picture"], "names may be doubled, ids are not"
    finally:
        room.signal(signal.SIGCONT)


def test_without_an_engine_there_is_no_picture_for_anybody(room: Room) -> None:
    known, before = room.token("broadcast")
    with room.stream("/live/overlay/main", before) as stream:
        until(lambda: with_faces(stream), "hole cards")
    token, headers = room.token("broadcast", "Late")
    room.signal(signal.SIGKILL)
    try:
        until(
            lambda: room.get("/api/tables/main/overlay", headers).status_code == 404,
            "the engine's absence is known",
        )
        assert room.get("/api/tables/main/overlay", before).status_code == 404
        with (
            room.stream("/live/overlay/main", headers) as late,
            room.stream("/live/overlay/main", before) as again,
        ):
            until(lambda: min(len(late.of("beat")), len(again.of("beat"))) > 2, "some seconds have passed")
            assert late.of("table") == again.of("table") == []
            page = room.get("/overlay/main", headers)
            assert page.status_code == 200 and not any(face in page.text for face in ("As", "Ks", "Qh"))
            room.start_engine()
            until(lambda: with_faces(late) and with_faces(again), "hole cards again")
        assert len(room.of(token)) == 1 and room.of(known)
    finally:
        if room.engine is None or room.engine.poll() is not None:
            room.start_engine()


STREAMS: dict[str, Role] = {
    "/live/overlay/main": "broadcast",
    "/live/floor": "floor",
    "/live/devices": "technician",
    "/live/tables/main": "operator",
}
ENDS_WITHIN_S = 2.0
"""How long a stream may go on after its token: by the time that its beats say, since a busy machine shows
later that it has ended.
"""


def last_beat_s(stream: Stream) -> float:
    """The wall time that the last beat of a stream says."""
    beat: dict[str, float] = json.loads(stream.of("beat")[-1]["data"])
    return beat["wall_ms"] / 1000


@pytest.mark.parametrize("path", STREAMS)
def test_a_token_that_is_taken_back_ends_its_open_streams_within_two_seconds(room: Room, path: str) -> None:
    token, headers = room.token(STREAMS[path], "Zoe")
    _, others = room.token(STREAMS[path], "Zoe")
    with room.stream(path, headers) as stream, room.stream(path, others) as other:
        until(lambda: stream.of("beat") and other.of("beat"), "both are open")
        room.tokens.revoke(token.id)
        revoked_s = time.time()
        until(lambda: stream.ended, "the stream ends")
        assert last_beat_s(stream) < revoked_s + ENDS_WITHIN_S
        assert not other.ended
    assert room.get(path, headers).status_code == 401


def test_a_token_that_ends_ends_its_open_streams_and_opens_nothing_more(room: Room) -> None:
    end_s = int(time.time()) + 8
    headers = {path: room.token(role, "Zoe", end_s)[1] for path, role in STREAMS.items()}
    with ExitStack() as opened:
        streams = [opened.enter_context(room.stream(path, headers[path])) for path in STREAMS]
        until(lambda: all(stream.of("beat") for stream in streams), "they are open")
        until(lambda: all(stream.ended for stream in streams), "the streams end")
        assert time.time() >= end_s
        assert max(map(last_beat_s, streams)) < end_s + ENDS_WITHIN_S
    assert [room.get(path, headers[path]).status_code for path in STREAMS] == [401] * len(STREAMS)


def test_hole_cards_that_are_switched_off_are_sent_to_nobody_once_the_engine_is_back(room: Room) -> None:
    """Last of this module: the site file says something else afterwards."""
    _, headers = room.token("broadcast")
    with room.stream("/live/overlay/main", headers) as stream:
        until(lambda: with_faces(stream), "hole cards")
        room.signal(signal.SIGKILL)
        site_file = room.pages.site_file
        site_file.write_text(site_file.read_text().replace("[web]", "[web]\noverlay_hole_cards = false"))
        before = len(stream.of("table"))
        room.start_engine()
        until(lambda: len(stream.of("table")) > before, "a picture of the engine that is back")
        assert not any(faces(json.loads(event["data"])) for event in stream.of("table")[before:])
    kept = room.get("/api/tables/main/overlay", headers)
    assert kept.status_code == 200 and faces(kept.json()) == set()
