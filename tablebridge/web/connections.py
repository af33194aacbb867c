"""Connections that wait for a request: bounded in time and number, so that who holds many takes the pages
from nobody.

A connection *waits* from the moment it is made, or its last answer is complete, until the next request has
come whole, body included. None waits longer than `WAIT_S`. At most `OF_ADDRESS` wait of one address, and
`IN_ALL` of all; when one more comes, the one that has waited longest is closed. A browser's request is whole
within milliseconds, so an honest one is hardly ever that one, and whoever only holds connections closes their
own.

Connections with a whole request are answered at once, or are streams, which `streams.py` counts.
"""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

WAIT_S: Final = 10.0
OF_ADDRESS: Final = 64
IN_ALL: Final = 256


class Waiting:
    """The connections that wait, longest first."""

    def __init__(self, of_address: int = OF_ADDRESS, in_all: int = IN_ALL) -> None:
        self._of_address = of_address
        self._in_all = in_all
        self._all: dict[Connection, None] = {}
        self._by_address: dict[str, dict[Connection, None]] = {}

    def add(self, connection: "Connection") -> None:
        """It begins to wait. Closes the longest waiting one where that is one too many."""
        of_address = self._by_address.setdefault(connection.address, {})
        self._all[connection] = of_address[connection] = None
        if len(of_address) > self._of_address:
            next(iter(of_address)).drop()
        elif len(self._all) > self._in_all:
            next(iter(self._all)).drop()

    def remove(self, connection: "Connection") -> None:
        """It waits no more."""
        self._all.pop(connection, None)
        of_address = self._by_address.get(connection.address, {})
        of_address.pop(connection, None)
        if not of_address:
            self._by_address.pop(connection.address, None)

    def __len__(self) -> int:
        return len(self._all)


class Connection(H11Protocol):
    """One connection. `waiting` is set on a subclass, one for each server: uvicorn makes the objects itself."""

    waiting: Waiting
    address = ""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._judge()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._judge()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._judge()

    def connection_lost(self, exc: Exception | None) -> None:
        self._enough()
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close it at once, whatever it has not read."""
        self._enough()
        self.transport.abort()

    def _judge(self) -> None:
        """What is begun does not begin anew with each byte: the deadline is that of the whole request."""
        owes = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        if not owes:
            self._enough()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(WAIT_S, self.drop)
            self.waiting.add(self)

    def _enough(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self.waiting.remove(self)


def protocol() -> type[Connection]:
    """The protocol of one server, with its own count."""
    made: dict[str, Any] = {"waiting": Waiting()}
    return type("Connection", (Connection,), made)
