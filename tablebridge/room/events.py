"""What happens in a room of tables, each statement of a room script as data."""

from typing import Literal

import msgspec

from tablebridge.model.cards import Card

Crashed = Literal["running", "before-start", "late-registration"]
Offered = Literal["chop", "icm"]
HouseKey = Literal["balance", "paid", "entries", "chips-total"]


class Event(msgspec.Struct, frozen=True):
    """One thing that happened. Tables are named by a capital letter, seats by their numbers."""


class Open(Event, frozen=True):
    """An event of tables for this game, with so many seats each."""

    game: str
    size: int


class Rules(Event, frozen=True):
    """The rulebook of the room."""

    rulebook: str


class House(Event, frozen=True):
    """What the house decides: at which difference tables are balanced, how many places are paid."""

    key: HouseKey
    value: int


class Prizes(Event, frozen=True):
    """The prizes, the first place first."""

    amounts: tuple[int, ...]


class Seated(Event, frozen=True):
    """A table, and which of its seats are taken."""

    table: str
    seats: tuple[int, ...]


class Positions(Event, frozen=True):
    """Where button and blinds of the last hand stood; None if nobody was there."""

    table: str
    button: int | None
    small: int | None
    big: int | None


class NextHand(Event, frozen=True):
    """The next hand begins at these tables."""

    tables: tuple[str, ...]


class Busts(Event, frozen=True):
    """Seats went broke in one hand. `stacks`: what each began it with, None if nobody said. `joined`: in the
    same hand of hand-for-hand as those before.
    """

    table: str
    stacks: dict[int, int | None]
    joined: bool = False


class Moves(Event, frozen=True):
    """A player has moved."""

    table: str
    seat: int
    to: str
    to_seat: int


class HandForHand(Event, frozen=True):
    """Hand-for-hand begins, or is over."""

    on: bool


class Break(Event, frozen=True):
    """The table is to be broken. `seed`: the room draws seats and cards itself, from these words."""

    table: str
    seed: str = ""


class SeatCards(Event, frozen=True):
    """The new places, in the order of the scrambled stack."""

    places: tuple[tuple[str, int], ...]


class Draw(Event, frozen=True):
    """The playing card that a seat of the broken table was dealt."""

    table: str
    seat: int
    card: Card


class Bounty(Event, frozen=True):
    """The bounty on each head."""

    amount: int


class KnocksOut(Event, frozen=True):
    """A seat is out. `winners`: who won the pot that did it, several if their hands are equal."""

    table: str
    seat: int
    winners: tuple[int, ...]


class Stack(Event, frozen=True):
    """The chips of a player."""

    table: str
    seat: int
    amount: int


class Crash(Event, frozen=True):
    """The room goes down."""

    state: Crashed


class Offer(Event, frozen=True):
    """All who are left propose to share the prizes."""

    formula: Offered
