"""Table events of games against the house: boxes, the bet after seeing cards, how a hand was set, what boxes
pay.
"""

from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.event import Event

BoxName = Literal["ante", "pair-plus", "jackpot", "blind", "trips", "bonus", "bet"]
"""The bets that are made before the deal."""
PaidBox = Literal["pair-plus", "jackpot", "blind", "trips", "bonus", "bet", "play", "ante-bonus"]
"""What a pay table is of: such a bet, the later one, or the bonus on the ante."""
MADE: Final = (
    "royal",
    "straight-flush",
    "four",
    "full-house",
    "flush",
    "straight",
    "three",
    "two-pair",
    "jacks",
    "pair",
    "ace-king",
    "high",
)
"""Hands that a pay table has rows for. `jacks`: a pair of jacks or better."""
Pays = Annotated[dict[str, tuple[int, int]], msgspec.Meta(max_length=len(MADE))]


class Box(Event, frozen=True, tag="box"):
    """A bet lies in a box of the seat before the deal: this much in all."""

    seat: int
    box: BoxName
    amount: int


class Play(Event, frozen=True, tag="play"):
    """The seat makes the bet that follows when it has seen cards."""

    seat: int
    amount: int


class SetHand(Event, frozen=True, tag="set"):
    """The seat sets these two cards of its seven as the low hand (pai gow)."""

    seat: int
    cards: tuple[Card, ...]


class PayTable(Event, frozen=True, tag="paytable"):
    """What a box pays to one, by hand, as a fraction; 0 gives the bet back, and a hand without a row
    loses.
    """

    box: PaidBox
    pays: Pays
