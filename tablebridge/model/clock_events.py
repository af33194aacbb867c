"""Table events of time: clocks on a player and of the level, breaks, hand-for-hand play."""

from typing import Literal

from tablebridge.model.event import Event


class Tick(Event, frozen=True, tag="tick"):
    """Nothing happens but that time has passed: what a clock has done until now is found."""


class DrawClock(Event, frozen=True, tag="draw-clock"):
    """The time to discard runs for the seat."""

    seat: int


class LevelClock(Event, frozen=True, tag="level-clock"):
    """The clock of the level: `set` to this number of seconds and running, stopped, or running again."""

    state: Literal["set", "stop", "run"]
    seconds: int = 0


class Break(Event, frozen=True, tag="break"):
    """A break of this number of seconds began, or begins with the end of the hand under way."""

    seconds: int


class HandForHand(Event, frozen=True, tag="hand-for-hand"):
    """Hand-for-hand play begins, `go`: what an all-in held up goes on, or is over."""

    state: Literal["on", "go", "over"]
