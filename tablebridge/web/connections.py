"""Connections that wait for a request: bounded in time and number, so that nobody who holds many of them
keeps others from the pages.

A connection *waits* from the moment it is made, or its last answer is complete, until the next request has
arrived whole, body included. None waits longer than `WAIT_S`. At most `PER_ADDRESS` wait per address, and
`IN_ALL` in all; when another one arrives, the connection that has waited longest is closed. A browser's
request is whole within milliseconds, so that connection is hardly ever an honest one, and whoever only holds
connections closes their own.

Connections with a whole request are answered at once, or are streams, which `stream_limits.py` counts.
"""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

WAIT_S: Final = 10.0
PER_ADDRESS: Final = 64
IN_ALL: Final = 256


class Waiting:
    """The connections that wait, longest first."""

    def __init__(self, per_address: int = PER_ADDRESS, in_all: int = IN_ALL) -> None:
        self._per_address = per_address
        self._in_all = in_all
        self._all: dict[Connection, None] = {}
        self._by_address: dict[str, dict[Connection, None]] = {}

    def add(self, connection: "Connection") -> None:
        """The connection begins to wait. If there are too many now, the longest waiting one is closed."""
        same_address = self._by_address.setdefault(connection.address, {})
        self._all[connection] = same_address[connection] = None
        if len(same_address) > self._per_address:
            next(iter(same_address)).drop()
        elif len(self._all) > self._in_all:
            next(iter(self._all)).drop()

    def remove(self, connection: "Connection") -> None:
        """The connection no longer waits."""
        self._all.pop(connection, None)
        same_address = self._by_address.get(connection.address, {})
        same_address.pop(connection, None)
        if not same_address:
            self._by_address.pop(connection.address, None)

    def __len__(self) -> int:
        return len(self._all)


class Connection(H11Protocol):
    """One connection. `waiting` is set on a subclass per server, since uvicorn makes the objects itself."""

    waiting: Waiting
    address = ""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._update()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._update()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close it at once, whatever has not been read."""
        self._stop_waiting()
        self.transport.abort()

    def _update(self) -> None:
        """Begin or end the wait. Its deadline is that of the whole request and does not begin again with each
        byte.
        """
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        if not waits:
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(WAIT_S, self.drop)
            self.waiting.add(self)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self.waiting.remove(self)


def protocol() -> type[Connection]:
    """The protocol of one server, with its own count."""
    made: dict[str, Any] = {"waiting": Waiting()}
    return type("Connection", (Connection,), made)
