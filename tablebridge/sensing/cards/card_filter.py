"""What a card filter is: antenna reports in, moves of cards out. Ours is `bayes_filter.py`; another can be
given to `Sensor`.
"""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from tablebridge.model.expectation import Expectation
from tablebridge.model.learnt import Learnt, LoneCard
from tablebridge.model.places import Place
from tablebridge.sensing.antenna_report import AntennaReport


class Move(msgspec.Struct, frozen=True):
    """A card came to lie at `place`; it lay at `origin` before.

    `sure`: probability. `evidence`: the readings that showed it there, the first of them at `read_ns`
    (monotonic ns); none if the move was concluded from other cards.
    """

    tag: str
    origin: Place
    place: Place
    sure: float
    evidence: tuple[str, ...]
    read_ns: int


class CrossTalk(msgspec.Struct, frozen=True):
    """An antenna reads cards that lie at `home`, which is not its place: a given one at this `rate` in a
    visit. `grave`: this is to be reported; else it is no more than what is not yet well again.
    """

    home: Place
    rate: float
    grave: bool


class Weakness(msgspec.Struct, frozen=True):
    """An antenna misses cards that lie at its place `home`: a given one at this `rate` in a visit.
    `grave`: as in `CrossTalk`.
    """

    home: Place
    rate: float
    grave: bool


class Overwhelmed(msgspec.Struct, frozen=True):
    """The antennas of the table read each other's cards more than the filter can hold, that of `reader` most:
    cards that lie at `home`.
    """

    home: Place
    reader: Place


Trouble = CrossTalk | Weakness | Overwhelmed


class CardFilter(Protocol):
    """Antenna reports in, moves of cards out. Pure: the same calls give the same moves."""

    def reset(self) -> None:
        """A hand begins: all cards are in the stub."""

    @property
    def learnt(self) -> Learnt:
        """What was known of the table when the hand began: with it, the readings of the hand give the same
        moves.
        """

    def measured(self, places: Mapping[Place, LoneCard]) -> None:
        """Antennas were measured with one card: this is known from the next hand on."""

    def recall(self, known: Learnt) -> None:
        """A hand has begun and nothing was read in it yet: this is what was known of the table then."""

    def locate(self, report: AntennaReport, expect: Expectation) -> tuple[Move, ...]:
        """Takes in one report, of one visit or several. Returns the cards that are sure to have moved."""

    def weigh_look(self, place: Place, odds: float) -> None:
        """Something that is no antenna looked at a seat: its picture is this many times likelier if cards lie
        there than if none does; below 1 if it sees none.
        """

    def place(self, tag: str) -> Place:
        """The place at which the card was last sure to lie."""

    def gone(self, tag: str) -> float:
        """The probability that the card no longer lies there."""

    def odds(self, tag: str) -> dict[Place, float]:
        """The places at which the card may lie, each with its probability."""

    def unread(self, place: Place, visits: int) -> float:
        """The probability that a card which came to lie there was read in none of `visits` visits."""

    def troubles(self, place: Place) -> tuple[Trouble, ...]:
        """What is wrong with the antenna of a place, as it was known when the hand began."""

    def finish(self) -> tuple[Move, ...]:
        """The hand is over: cards that are gone from their seats can only have gone to the muck."""

    def assume(self, tag: str, place: Place) -> None:
        """Something else showed that the card lies there: it is believed until readings speak against it."""
