"""An LLRP reader that somebody else emulates (the open package llrpkit), and a host that talks to it."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from llrpkit.emulator import EmulatedTag, LLRPEmulator

from tablebridge.sdk import DeviceStatus, Instant, Reading, Rejected, Session, Turn
from tablebridge.sdk.testing import check_turn

_WAIT_S = 60.0


class Reader:
    """The emulated reader, in a loop of its own thread. `tags`: EPC in hex, and the port that reads it."""

    def __init__(self, *tags: tuple[str, int], ports: int = 4, reads_per_s: float = 100.0) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.emulated = LLRPEmulator(tags=_tags(tags), antenna_count=ports, reads_per_sec=reads_per_s)
        self.call(self.emulated.start())

    @property
    def port(self) -> int:
        return self.emulated.port

    def put(self, *tags: tuple[str, int]) -> None:
        """These tags, and no others, lie there from now on."""
        self._loop.call_soon_threadsafe(setattr, self.emulated, "tags", _tags(tags))

    def call(self, what: Coroutine[Any, Any, None]) -> None:
        """Does something in the reader's loop."""
        asyncio.run_coroutine_threadsafe(what, self._loop).result(_WAIT_S)

    def close(self) -> None:
        self.call(self.emulated.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_WAIT_S)
        self._loop.close()


def _tags(tags: Sequence[tuple[str, int]]) -> list[EmulatedTag]:
    return [EmulatedTag(bytes.fromhex(epc), (port,)) for epc, port in tags]


class Client:
    """A session and its connection."""

    def __init__(self, session: Session, port: int) -> None:
        self._wire = socket.create_connection(("127.0.0.1", port))
        self._session = session
        self.readings: list[Reading] = []
        self.rejected: list[Rejected] = []
        self._take(session.start(_now()))

    @property
    def statuses(self) -> list[tuple[str, int | None]]:
        return [(each.state, each.antenna) for each in self.readings if isinstance(each, DeviceStatus)]

    def until(self, holds: Callable[[], bool]) -> None:
        """Talks until something holds."""
        deadline = time.monotonic() + _WAIT_S
        while not holds():
            assert time.monotonic() < deadline, (self.readings[-5:], self.rejected[-5:])
            left_s = 0.05 if self._wake_ns is None else (self._wake_ns - time.monotonic_ns()) / 1e9
            self._wire.settimeout(min(max(left_s, 0.001), 0.05))
            try:
                data = self._wire.recv(4096)
            except TimeoutError:
                data = b""
            if data:
                self._take(self._session.received(data, _now()))
            if self._wake_ns is not None and time.monotonic_ns() >= self._wake_ns:
                self._take(self._session.due(_now()))

    def close(self) -> None:
        self._wire.close()

    def _take(self, turn: Turn) -> None:
        check_turn(turn, time.monotonic_ns())
        self.readings += turn.readings
        self.rejected += turn.rejected
        self._wake_ns = turn.wake_ns
        if turn.send:
            self._wire.sendall(turn.send)


def _now() -> Instant:
    return Instant(time.time_ns(), time.monotonic_ns(), "test")
