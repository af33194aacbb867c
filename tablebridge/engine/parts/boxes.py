"""The bets of a hand against the house: what lies in the boxes, and how they were settled."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from tablebridge.model.cards import Card

Result = Literal["pays", "takes", "pushes"]


class Line(msgspec.Struct, frozen=True):
    """A box is settled: the house pays this amount to it, takes it, or gives it back. `seat`: whose box."""

    seat: int
    box: str
    result: Result
    amount: int


class Settlement(msgspec.Struct, frozen=True):
    """All boxes of a hand, in the order in which the house settles them. `plays`: whether the hand of the
    house qualified, None if the game has no such thing or nobody had to know; `net`: what each seat gained.
    """

    lines: tuple[Line, ...] = ()
    plays: bool | None = None
    net: Mapping[int, int] = {}


class Boxes(msgspec.Struct):
    """The bets against the house. Only the methods change them."""

    stakes: dict[int, dict[str, int]] = {}
    tables: dict[str, dict[str, tuple[int, int]]] = {}
    played: dict[int, int] = {}
    low_hands: dict[int, tuple[Card, ...]] = {}
    settlement: Settlement | None = None

    def of(self, seat: int, box: str) -> int:
        """What lies in this box of the seat."""
        return self.stakes.get(seat, {}).get(box, 0)

    def play(self, seat: int, amount: int) -> None:
        """The seat has made its later bet."""
        self.played[seat] = amount

    def set_hand(self, seat: int, low: tuple[Card, ...]) -> None:
        """The seat has set its low hand."""
        self.low_hands[seat] = low

    def settle(self, settlement: Settlement) -> None:
        """The house has settled."""
        self.settlement = settlement
