"""The video is marked: by critical findings and by persons, once each; no video system holds anything up."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tablebridge.bus import topics
from tablebridge.bus.messages import BookmarkMessage, FindingMessage, decode, encode
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.settings.site import Video
from tablebridge.web.bookmarks.bookmark import Adapter, Deliver
from tablebridge.web.bookmarks.bookmarks import TRIES, Bookmarks, adapter
from tablebridge.web.hub import Hub
from tablebridge.web.server import publish_bookmark

from .hall import misdeal, site, until

AT = Instant(1_800_000_000_000_000_000, 1)


class EventServer(threading.Thread):
    """Listens as an event server does: a connection per text."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.socket.getsockname()[1]
        self.texts: list[str] = []

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                text = b""
                while part := connection.recv(4096):
                    text += part
                self.texts.append(text.decode())


@pytest.fixture
def server() -> Iterator[EventServer]:
    listening = EventServer()
    listening.start()
    yield listening
    listening.socket.close()


@contextmanager
def running(
    *videos: Video, find: Callable[[str], Adapter] = adapter
) -> Iterator[tuple[Bookmarks, list[BookmarkMessage]]]:
    made, published = Bookmarks(videos, find, 0.01), list[BookmarkMessage]()
    made.publish = published.append
    made.start()
    try:
        yield made, published
    finally:
        made.stop()


def found(severity: str, id: str = "812.0") -> FindingMessage:
    return FindingMessage(misdeal(id, severity=severity, cards=("Ah",), public_cards=()), AT, 900)


def test_a_critical_finding_marks_the_video_once_without_a_card(server: EventServer) -> None:
    video = Video(port=server.port, cameras={"main": "Camera 12"})
    with running(video) as (bookmarks, published):
        for message in (found("warning", "811.0"), found("critical"), found("critical")):
            bookmarks.found("main", message)
        until(lambda: server.texts, "the event server has it")
    assert server.texts == [
        'tablebridge-bookmark id=main-812.0 table=main camera="Camera 12" kind=misdeal hand=7 '
        "at=2027-01-15T08:00:00.000Z from=2027-01-15T07:59:50.000Z to=2027-01-15T08:00:20.000Z\r\n"
    ]
    assert [bookmark.id for bookmark in published] == ["main-812.0"]


def test_a_table_without_a_camera_is_published_and_marked_nowhere(server: EventServer) -> None:
    with running(Video(port=server.port, cameras={"main": "Camera 12"})) as (bookmarks, published):
        bookmarks.mark("side", "a", "asked", 3, AT.wall_ns)
        bookmarks.mark("main", "b", "asked", 3, AT.wall_ns)
        until(lambda: server.texts, "the event server has the other")
    assert len(server.texts) == 1 and "table=main" in server.texts[0]
    assert [(bookmark.table, bookmark.camera) for bookmark in published] == [
        ("side", ""),
        ("main", "Camera 12"),
    ]


def test_an_adapter_that_raises_is_tried_again_and_stops_nothing() -> None:
    tried: list[str] = []

    def plug_in(video: Video) -> Deliver:
        def deliver(bookmark: BookmarkMessage) -> None:
            tried.append(bookmark.id)
            if bookmark.id == "a":
                raise RuntimeError("somebody else's code")

        return deliver

    with running(Video(adapter="acme"), find=lambda name: plug_in) as (bookmarks, _):
        bookmarks.mark("main", "a", "asked", 3, AT.wall_ns)
        bookmarks.mark("main", "b", "asked", 3, AT.wall_ns)
        until(lambda: "b" in tried, "the next one is delivered")
    assert tried == ["a"] * TRIES + ["b"]


def test_an_adapter_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(ConfigError, match=r"'acme'; there are milestone"):
        Bookmarks((Video(adapter="acme"),))


def test_the_bus_has_it_when_the_hub_hears_of_a_critical_finding(tmp_path: Path) -> None:
    hub = Hub(site(tmp_path))
    sent: list[tuple[str, bytes]] = []
    hub.send = lambda topic, payload: sent.append((topic, payload))
    hub.bookmarks.publish = partial(publish_bookmark, hub)
    hub.bus(True)
    for severity in ("warning", "critical"):
        hub.take(topics.FINDING.of("hall", "main"), encode(found(severity, f"{severity}.0")))
    ((topic, payload),) = sent
    assert topic == "tb/v1/hall/main/floor/bookmark"
    bookmark = decode(payload, BookmarkMessage)
    assert (bookmark.kind, bookmark.hand, bookmark.at_wall_ns) == ("misdeal", 7, AT.wall_ns)
    assert b"Ah" not in payload
