"""Many connections at once, over real sockets: the floor's page answers all the same."""

import resource
import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import httpx
import pytest

from tablebridge.web import connections, stream_limits
from tablebridge.web.auth import Role

from .hall import Hall, until
from .test_live import listening

MANY = 1014
LIMIT = 1024


@pytest.fixture(autouse=True)
def _limits(hall: Hall) -> Iterator[None]:
    """The pages may have as many files as a shell gives a process; the test more."""
    assert hall.pages.process is not None
    resource.prlimit(hall.pages.process.pid, resource.RLIMIT_NOFILE, (LIMIT, LIMIT))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(hall: Hall, said: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    parts = urlsplit(hall.url)
    wire = socket.create_connection((parts.hostname, parts.port), timeout=60, source_address=(source, 0))
    wire.sendall(said)
    return wire


def asks(hall: Hall, path: str, secret: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secret}\r\n\r\n".encode()


def status(wire: socket.socket) -> int:
    """Of the answer; 0 where the connection made room for others before its request was read."""
    try:
        return int((wire.recv(65536).split() or (b"", b"0"))[1])
    except ConnectionError:
        return 0


def floor_answers(hall: Hall) -> bool:
    """Whether a new connection gets the floor's page."""
    with httpx.Client(timeout=60) as fresh:
        answer = fresh.get(f"{hall.url}/floor", headers={"authorization": f"Bearer {hall.secret('floor')}"})
    return answer.status_code == 200


def is_held(wire: socket.socket) -> bool:
    """Whether the pages still wait for the rest of a request."""
    wire.setblocking(False)
    try:
        wire.recv(1)
    except BlockingIOError:
        return True
    except ConnectionError:
        pass
    return False


def stream_of(
    hall: Hall, role: Role, name: str, path: str = "/live/overlay/main", source: str = "127.0.0.1"
) -> socket.socket:
    return connect(hall, asks(hall, path, hall.secret(role, name)), source)


def test_a_thousand_half_open_connections_do_not_stop_the_floors_page(hall: Hall) -> None:
    with ExitStack() as opened, listening(hall, "/live/floor", "floor") as stream:
        until(lambda: stream.of("beat"), "the floor's stream beats")
        wires = [
            opened.enter_context(closing(connect(hall, b"GET / HTTP/1.1\r\nHost: x\r\n")))
            for _ in range(MANY)
        ]
        assert floor_answers(hall)
        assert is_held(wires[-1]), "the page is there before half-open connections are given up"
        beats = len(stream.of("beat"))
        until(lambda: len(stream.of("beat")) > beats, "the stream that was there goes on")
        assert not stream.ended


def test_a_thousand_streams_of_one_token_are_refused_and_the_floor_loads(hall: Hall) -> None:
    with ExitStack() as opened:
        wires = [opened.enter_context(closing(stream_of(hall, "broadcast", "One"))) for _ in range(MANY)]
        assert floor_answers(hall)
        given = [status(wire) for wire in wires]
        assert (
            set(given) <= {0, 200, 429} and 1 <= given.count(200) <= stream_limits.PER_TOKEN and 429 in given
        )
        with listening(hall, "/live/floor", "floor") as stream:
            until(lambda: stream.of("beat"), "the floor's stream beats")


def test_one_stream_too_many_is_refused_with_a_sentence_until_one_is_closed(hall: Hall) -> None:
    headers = {"authorization": f"Bearer {hall.secret('broadcast', 'Two')}"}
    wires = [stream_of(hall, "broadcast", "Two") for _ in range(stream_limits.PER_TOKEN)]
    assert [status(wire) for wire in wires] == [200] * stream_limits.PER_TOKEN
    refused = hall.http.get(f"{hall.url}/live/overlay/main", headers=headers)
    assert refused.status_code == 429 and "8 pages are open with this token" in refused.json()["sentence"]
    assert refused.headers["content-security-policy"]
    wires.pop().close()
    until(lambda: closing_status(hall) == 200, "its place is free")
    for wire in wires:
        wire.close()


def closing_status(hall: Hall) -> int:
    with closing(stream_of(hall, "broadcast", "Two")) as wire:
        return status(wire)


def test_an_address_that_has_all_its_streams_leaves_a_place_for_the_floor_and_for_others(hall: Hall) -> None:
    others = stream_limits.PER_ADDRESS - stream_limits.FOR_FLOOR
    with ExitStack() as opened:

        def stream(*what: str, source: str = "127.0.0.3") -> int:
            return status(opened.enter_context(closing(stream_of(hall, *what, source=source))))  # type: ignore[arg-type]

        given = [
            stream("broadcast", f"Crowd {number // stream_limits.PER_TOKEN}") for number in range(others)
        ]
        assert given == [200] * others
        assert stream("broadcast", "Late") == 429
        assert stream("floor", "Anna", "/live/floor") == 200
        assert stream("broadcast", "Late", source="127.0.0.4") == 200


SAID = {
    "nothing": b"",
    "half a head": b"GET /login HTTP/1.1\r\nHost: x\r\n",
    "half a body": b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\ntoken=",
    "one request and no more": b"GET /login HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.fixture(scope="module")
def held_s(hall: Hall) -> dict[str, float]:
    """For how long connections that say this and nothing more are held, all at once."""
    held: dict[str, float] = {}
    began = time.monotonic()
    with ExitStack() as opened, selectors.DefaultSelector() as waiting:
        for name, said in SAID.items():
            wire = opened.enter_context(closing(connect(hall, said)))
            waiting.register(wire, selectors.EVENT_READ, (name, wire))
        while len(held) < len(SAID) and time.monotonic() < began + connections.WAIT_S + 60:
            for key, _ in waiting.select(1.0):
                name, wire = key.data
                if not wire.recv(65536):
                    held[name] = time.monotonic() - began
                    waiting.unregister(wire)
    return held


@pytest.mark.parametrize("said", SAID)
def test_who_says_nothing_more_is_hung_up_on(held_s: dict[str, float], said: str) -> None:
    assert said in held_s, "it is held for ever"
    assert held_s[said] > connections.WAIT_S - 3, "it was given its time"


def test_a_request_that_trickles_in_gets_no_more_time_than_one_that_stops(hall: Hall) -> None:
    end = time.monotonic() + connections.WAIT_S + 60
    with closing(connect(hall, b"GET /login HTTP/1.1\r\nHost: x\r\n")) as wire:
        wire.settimeout(0.2)
        while True:
            assert time.monotonic() < end, "it is held for ever"
            try:
                wire.sendall(b"X-A: b\r\n")
                assert wire.recv(100) == b""
                break
            except TimeoutError:
                continue
            except ConnectionError:
                break


def test_an_honest_request_is_answered_while_its_own_address_holds_all_it_may(hall: Hall) -> None:
    with ExitStack() as opened:
        held = [opened.enter_context(closing(connect(hall))) for _ in range(connections.PER_ADDRESS + 20)]
        with httpx.Client(timeout=60) as fresh:
            assert fresh.get(f"{hall.url}/health").json() == {"ok": True}
        assert held[0].recv(10) == b"", "the one that waited longest made room"
