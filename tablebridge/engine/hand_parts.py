"""What a hand keeps of something that is not settled yet."""

from dataclasses import dataclass
from typing import Literal

import msgspec

from tablebridge.model.cards import Card


@dataclass(slots=True)
class Pending:
    """An action out of turn that waits for its turn. `faced`: what the bet was then; `amount`: its total, if
    it has one.
    """

    seat: int
    action: str
    amount: int | None
    faced: int


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How the betting stood before a bet or raise."""

    current: int
    level: int
    least: int
    raises: int
    aggressor: int | None
    answered: frozenset[int]
    actions: int
    chip_actions: int
    street_actions: int


class Unfinished(msgspec.Struct, frozen=True, gc=False):
    """A bet or raise of too few chips: whose, how many (`put`, its total for the round), and what stood
    before it.
    """

    seat: int
    put: int
    before: Standing


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
