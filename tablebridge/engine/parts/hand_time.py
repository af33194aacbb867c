"""What time does to a hand: the clock that runs on a seat, and the level."""

from typing import Literal

import msgspec

from tablebridge.model.instant import Instant

Decision = tuple[str, int, int | None]
"""Names one turn of a hand: the street, the actions so far, the seat. No other turn has the same name."""


Stops = Literal["", "on", "held", "released"]


class Running(msgspec.Struct, frozen=True, gc=False):
    """A clock that runs on a seat for one decision: `called` on it, the `time` that everybody has, or that to
    `draw`. `seconds`: how long; `last`: how much of that is counted aloud; `bank`: seconds of the player's
    own stock that follow.
    """

    kind: Literal["called", "time", "draw"]
    seat: int
    decision: Decision
    since: Instant
    seconds: float
    last: float = 0.0
    bank: float = 0.0


class HandTime(msgspec.Struct):
    """At most one clock runs in a hand. `time_s`: how long everybody has to act; 0 if there is no such limit.
    Only the methods change it.
    """

    time_s: int = 0
    # Hand-for-hand play: whether cards stay down after an all-in and a call, do so now, or were released.
    stops: Stops = ""
    # It began at the stakes of a level that was over.
    old_level: bool = False
    running: Running | None = None
    # Whether it was reported that the countdown began, or the time bank.
    reported: bool = False

    def start(self, clock: Running) -> None:
        """This clock runs from now on."""
        self.running, self.reported = clock, False

    def report(self) -> None:
        """The countdown, or the time bank, has begun."""
        self.reported = True

    def stop(self) -> None:
        """No clock runs."""
        self.running = None

    def hold(self, stops: Stops) -> None:
        """How hand-for-hand play holds the hand."""
        self.stops = stops

    def at_old_level(self, old: bool) -> None:
        """Whether the hand is played at the stakes of a level that was over."""
        self.old_level = old
