"""Listening in on a driver at work: its sessions are wrapped, and whoever listens is told each call and its
answer.

Above the link and below the supervisor, so that it is the same for every kind of port, and what is told is
what the session heard, at just the times that it was told.
"""

from typing import Literal, Protocol, cast

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.sdk.driver import Driver, Light, Options, Session, Signal, Turn

Call = Literal["start", "rx", "due", "show"]


class Tap(Protocol):
    """Who listens. Must not raise, and must not take long."""

    def __call__(self, call: Call, told: bytes | Signal, turn: Turn, now: Instant) -> None:
        """A session was called, for `rx` with bytes, for `show` with what a light is to show, and answered."""


def tapped(driver: Driver, tap: Tap) -> Driver:
    """The same driver with `tap` listening to all its sessions."""

    def session(options: Options) -> Session:
        return _Tapped(driver.session(options), tap)

    return msgspec.structs.replace(driver, session=session)


class _Tapped:
    def __init__(self, session: Session, tap: Tap) -> None:
        self._session = session
        self._tap = tap

    def start(self, now: Instant) -> Turn:
        return self._told("start", b"", self._session.start(now), now)

    def received(self, data: bytes, now: Instant) -> Turn:
        return self._told("rx", data, self._session.received(data, now), now)

    def due(self, now: Instant) -> Turn:
        return self._told("due", b"", self._session.due(now), now)

    def show(self, signal: Signal, now: Instant) -> Turn:
        return self._told("show", signal, cast(Light, self._session).show(signal, now), now)

    def _told(self, call: Call, told: bytes | Signal, turn: Turn, now: Instant) -> Turn:
        self._tap(call, told, turn, now)
        return turn


__all__ = ["Call", "Tap", "tapped"]
