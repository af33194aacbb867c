"""Table events of bets before the cards that are no blinds of the game: raises without looking, straddles,
kill and bomb pots.
"""

from typing import Literal

from tablebridge.model.event import Event


class NoLook(Event, frozen=True, tag="no-look"):
    """The seat raises blind, before the deal. `amount`: its bet in all."""

    seat: int
    amount: int


class Straddle(Event, frozen=True, tag="straddle"):
    """The seat puts up a straddle, a blind bet that buys the last word. `amount`: its bet in all."""

    seat: int
    amount: int


class Kill(Event, frozen=True, tag="kill"):
    """The kill button lies before the seat, None for nobody. `legs`: how many pots in a row it has won; with
    two of them it kills the next pot.
    """

    seat: int | None
    legs: Literal[1, 2] = 2


class Bomb(Event, frozen=True, tag="bomb"):
    """The next hand is a bomb pot: each seat antes the amount, and there is no betting before the flop.
    `boards`: how many are dealt.
    """

    amount: int
    boards: Literal[1, 2] = 1
