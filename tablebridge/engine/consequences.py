"""What a fact about cards leads to beside its findings. Card modules say it, the fold carries it out.

A function with consequences is an iterator over them, in the order of things: what it finds before one of
them is found before that is carried out. A hand that is over has no further consequences: the rest of the
function does not run, so that no card module asks after each step whether the hand goes on.
"""

from collections.abc import Generator, Iterable
from typing import Final, TypeVar

import msgspec


class Void(msgspec.Struct, frozen=True):
    """All bets go back and the hand is dealt again."""


class Kill(msgspec.Struct, frozen=True):
    """The hand of the seat is dead; what it bet stays in the pot."""

    seat: int


class StartRound(msgspec.Struct, frozen=True):
    """A street was dealt: its betting round begins."""


class FindTurn(msgspec.Struct, frozen=True):
    """The deal is over and nobody has the turn: whose is it?"""


class OpenerKnown(msgspec.Struct, frozen=True):
    """A card that lies open became known: who opens the round may be another seat."""


Consequence = Void | Kill | StartRound | FindTurn | OpenerKnown
Consequences = Iterable[Consequence]
"""Consequences in their order."""
R = TypeVar("R")
Steps = Generator[Consequence, None, R]
"""Consequences in their order, and an answer for the caller."""

CONSEQUENCES: Final = (Void, Kill, StartRound, FindTurn, OpenerKnown)
VOID: Final = Void()
START_ROUND: Final = StartRound()
FIND_TURN: Final = FindTurn()
OPENER_KNOWN: Final = OpenerKnown()
NONE: Final[Consequences] = ()
