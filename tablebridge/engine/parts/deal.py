"""The deal of a street: how far it is, and what is wrong with it."""

from dataclasses import dataclass, field
from typing import Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.events import Basis


class LastDealt(msgspec.Struct, frozen=True, gc=False):
    """The card that came to a seat last: which of its cards, and the hand's `moment` then: it is the last one
    until that is another. `open`: it was meant to lie open, or was exposed.
    """

    seat: int
    at: int
    moment: tuple[int, int, int]
    open: Literal["", "up", "exposed"] = ""


@dataclass(slots=True)
class Early:
    """A street that came before the betting was over. `burned`: it had its burn, `burn_card` if that has a
    face. `stands`: the floor ruled that it is played on with.
    """

    street: str
    cards: tuple[Card, ...]
    burned: bool = False
    burn_card: Card | None = None
    stands: bool = False


@dataclass(slots=True)
class Deal:
    """The deal under way."""

    # Whether all cards of the street have been dealt, so that its round could begin.
    street_dealt: bool = True
    # Whether somebody typed that a street of cards to the seats began, or a draw.
    streets_typed: bool = False
    last: LastDealt | None = None
    # A downcard that the dealer exposed and that is to be exchanged for the first burn (by book), and its
    # seat.
    exchange: tuple[int, Card] | None = None
    by: set[Basis] = field(default_factory=set)
    exposed: int = 0
    boxed: int = 0
    boxed_seen: int = 0
    # What is wrong with the deal and may be mended.
    fixable: str | None = None
    over: bool = False
    # Seats where a dead device hides the cards: they are not missed there.
    unwatched: frozenset[int] = frozenset()
    early: Early | None = None
