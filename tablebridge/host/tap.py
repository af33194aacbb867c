"""Listening in on a driver at work: its sessions are wrapped, and the listener receives each call with its
answer.

This is above the link and below the supervisor, so that it is the same for every kind of port, and the
listener receives what the session received, at the same times.
"""

from typing import Literal, Protocol, cast

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.sdk.driver import Driver, Light, Options, Session, Signal, Turn

Call = Literal["start", "rx", "due", "show"]


class Tap(Protocol):
    """The listener. It must not raise, and must not take long."""

    def __call__(self, call: Call, received: bytes | Signal, turn: Turn, now: Instant) -> None:
        """A session was called, for `rx` with bytes, for `show` with what a light is to show, and
        answered.
        """


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
        return self._answered("start", b"", self._session.start(now), now)

    def received(self, data: bytes, now: Instant) -> Turn:
        return self._answered("rx", data, self._session.received(data, now), now)

    def due(self, now: Instant) -> Turn:
        return self._answered("due", b"", self._session.due(now), now)

    def show(self, signal: Signal, now: Instant) -> Turn:
        return self._answered("show", signal, cast(Light, self._session).show(signal, now), now)

    def _answered(self, call: Call, received: bytes | Signal, turn: Turn, now: Instant) -> Turn:
        self._tap(call, received, turn, now)
        return turn


__all__ = ["Call", "Tap", "tapped"]
