"""What the card filter is: readings in, moves out. The implementation is in `belief.py`; another can be given
to `Sensor`.
"""

from typing import Protocol

import msgspec

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import Place
from tablebridge.sensing.antenna_report import AntennaReport


class Move(msgspec.Struct, frozen=True):
    """A card came to lie at `place`; it lay at `origin` before. `evidence`: the readings that showed it
    there, the first of them at `read_ns` (monotonic).
    """

    tag: str
    origin: Place
    place: Place
    sure: float
    evidence: tuple[str, ...]
    read_ns: int


class CardFilter(Protocol):
    """Readings in, moves out. Pure: the same calls give the same moves."""

    def reset(self) -> None:
        """A hand begins: all cards are in the stub."""

    def sweep(self, look: AntennaReport, expect: Expectation) -> tuple[Move, ...]:
        """An antenna was visited, once or several times."""

    def place(self, tag: str) -> Place:
        """Where the card was last sure to lie."""

    def gone(self, tag: str) -> float:
        """The probability that the card no longer lies there."""

    def odds(self, tag: str) -> dict[Place, float]:
        """The places where the card may lie, each with its probability."""

    def unread(self, place: Place, visits: int) -> float:
        """The probability that a card which came to lie there was read in none of so many visits."""

    def finish(self) -> tuple[Move, ...]:
        """The hand is over: cards that are gone from their seats can only have gone to the muck."""

    def assume(self, tag: str, place: Place) -> None:
        """It was concluded from something else that the card lies there: believe it until readings speak
        against it.
        """
