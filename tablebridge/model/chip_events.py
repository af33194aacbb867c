"""Table events of chips beside the betting: the tray, what goes into it and out of it, the pot as it was
counted, foreign chips, the chip race, what the house collects.

A chip list has one entry per chip, its denomination in the smallest unit of the game.
"""

from typing import Final, Literal

from tablebridge.model.cards import Card
from tablebridge.model.event import Event
from tablebridge.model.places import Place


class Tray(Event, frozen=True, tag="tray"):
    """The chip tray was read. `opening`: it was verified, and counts from here on, whatever was expected."""

    chips: tuple[int, ...]
    opening: bool = False


class Fill(Event, frozen=True, tag="fill"):
    """Chips come from the cage to the tray."""

    chips: tuple[int, ...]


class Credit(Event, frozen=True, tag="credit"):
    """Chips go from the tray to the cage."""

    chips: tuple[int, ...]


class Pay(Event, frozen=True, tag="pay"):
    """The tray pays a seat: a win against the house, or chips that it buys."""

    seat: int
    chips: tuple[int, ...]


class Take(Event, frozen=True, tag="take"):
    """The tray takes chips of a seat: a loss against the house, or chips that are bought back."""

    seat: int
    chips: tuple[int, ...]


class Rake(Event, frozen=True, tag="rake"):
    """The house takes this amount out of the pot of this hand."""

    amount: int


class Behind(Event, frozen=True, tag="behind"):
    """Chips were found behind an all-in of the seat."""

    seat: int
    chips: tuple[int, ...]


class PotChips(Event, frozen=True, tag="pot"):
    """The chips in the middle were read or counted, bets in front not among them."""

    chips: tuple[int, ...]


class StackChips(Event, frozen=True, tag="stack-chips"):
    """The stack of a seat was read between hands. `chips`: those that were read. With the certainty that
    sensing was made for, the stack is worth at most `less` less than they are, for chips that may not be of
    it, and at most `more` more, for chips that may lie there unread.
    """

    seat: int
    chips: tuple[int, ...]
    less: int = 0
    more: int = 0


class ForeignChip(Event, frozen=True, tag="foreign-chip"):
    """A chip at a place for chips that is not of the inventory: its tag is nobody's, or it answers at two
    places at once.
    """

    place: Place
    cause: Literal["unknown-tag", "two-places"] = "unknown-tag"


OF_COUNTS: Final = (Tray, Fill, Credit, Pay, Take, Rake, PotChips, StackChips)
"""After one of these, what was found of the tray, the pot or a stack may fit again."""


class ChipsOf(Event, frozen=True, tag="chips-of"):
    """The chips of a seat were counted by denomination: they are its stack."""

    seat: int
    chips: tuple[int, ...]


class Race(Event, frozen=True, tag="race"):
    """Chips of `leaving` leave play for chips of `staying`, the lowest denomination that stays."""

    leaving: int
    staying: int


class RaceCard(Event, frozen=True, tag="race-card"):
    """The cards that a seat was dealt for its odd chips, all of them open."""

    seat: int
    cards: tuple[Card, ...]


class RaceOver(Event, frozen=True, tag="race-over"):
    """The race is decided: what left play is gone, and the chips that were won are pushed."""


class Exchange(Event, frozen=True, tag="exchange"):
    """After a race a seat shows chips of a denomination that has left play."""

    seat: int
    chips: tuple[int, ...]


class Lammer(Event, frozen=True, tag="lammer"):
    """A marker for an exchange of chips lies at the seat; 0: it was taken off."""

    seat: int
    amount: int


class Collect(Event, frozen=True, tag="collect"):
    """Time charge was taken from the seat."""

    seat: int
    amount: int
