"""The deal of a street: how far it is, and what is wrong with it."""

from collections.abc import Callable
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

    def stand(self) -> None:
        """The floor ruled that the street is played on with."""
        self.stands = True


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
    # What is wrong with the deal and may be put right.
    fixable: str | None = None
    over: bool = False
    # Seats where a dead device hides the cards: they are not missed there.
    unwatched: frozenset[int] = frozenset()
    early: Early | None = None

    def report(self, basis: Basis) -> None:
        """Somebody reports cards of the deal."""
        self.by.add(basis)

    def end(self) -> None:
        """The initial deal is over."""
        self.over = True

    def came(self, card: LastDealt) -> None:
        """This card came to a seat last."""
        self.last = card

    def wrong(self, cause: str) -> None:
        """The deal went wrong and may be put right."""
        self.fixable = cause

    def count_exposed(self) -> int:
        """The dealer exposed one more card: how many those are now."""
        self.exposed += 1
        return self.exposed

    def count_boxed(self) -> None:
        """One more card was face up in the deck."""
        self.boxed_seen += 1
        if not self.over:
            self.boxed += 1

    def to_exchange(self, seat: int, card: Card) -> None:
        """The exposed card of the seat is to be exchanged for the first burn."""
        self.exchange = seat, card

    def no_exchange(self) -> None:
        """No exposed card is to be exchanged any more."""
        self.exchange = None

    def begin_street(self, *, typed: bool = False) -> None:
        """A street of cards to the seats begins."""
        self.street_dealt = False
        self.streets_typed |= typed

    def end_street(self) -> None:
        """All cards of the street have been dealt."""
        self.street_dealt = True

    def came_early(self, early: Early) -> None:
        """A street came before the betting was over."""
        self.early = early

    def street_comes(self) -> None:
        """A street of the board comes in time: no premature street and no exposed card waits any more."""
        self.early = self.exchange = None

    def not_missed_at(self, seats: frozenset[int]) -> None:
        """A dead device hides the cards of these seats."""
        self.unwatched |= seats

    def rename(self, named: Callable[[Card], Card]) -> None:
        """The hand calls cards otherwise from now on."""
        if self.exchange is not None:
            self.exchange = self.exchange[0], named(self.exchange[1])
        if self.early is not None:
            self.early.cards = tuple(map(named, self.early.cards))
