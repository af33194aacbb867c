"""What happens in a room of tables: each statement of a room script as data, as it stands in a record."""

from typing import Annotated, Any, Final, Literal, get_args

import msgspec

from tablebridge.model.bounds import Amount, Count, Seat, Word
from tablebridge.model.cards import Card

Crashed = Literal["running", "before-start", "late-registration"]
Offered = Literal["chop", "icm"]
HouseKey = Literal["balance", "paid", "entries", "chips-total"]


MOST_SEATS: Final = 10
MOST_TABLES: Final = 1_000
MOST_PRIZES: Final = 1_000

Table = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""The name of a table: capital letters in a script, what the site file calls it on a floor."""
Seats = Annotated[tuple[Seat, ...], msgspec.Meta(max_length=MOST_SEATS)]
Stacks = Annotated[dict[Seat, Amount], msgspec.Meta(max_length=MOST_SEATS)]


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """One thing that happened. Tables have names, seats numbers."""


class Open(Event, frozen=True, tag="room"):
    """An event of tables for this game, with so many seats each."""

    game: Word
    size: Seat


class Rules(Event, frozen=True, tag="rules"):
    """The rulebook of the room."""

    rulebook: Word


class House(Event, frozen=True, tag="house"):
    """What the house decides: at which difference tables are balanced, how many places are paid."""

    key: HouseKey
    value: Count


class Prizes(Event, frozen=True, tag="prizes"):
    """The prizes, the first place first."""

    amounts: Annotated[tuple[Amount, ...], msgspec.Meta(max_length=MOST_PRIZES)]


class Seated(Event, frozen=True, tag="table"):
    """A table, and which of its seats are taken."""

    table: Table
    seats: Seats


class Sits(Event, frozen=True, tag="sits"):
    """A player takes a seat: a late entry, an alternate, a re-entry. `name`: empty if nobody said; `stack`:
    None if nobody said.
    """

    table: Table
    seat: Seat
    name: Word = ""
    stack: Amount | None = None


class Called(Event, frozen=True, tag="name"):
    """What the player of a seat is called."""

    table: Table
    seat: Seat
    name: Word


class Level(Event, frozen=True, tag="level"):
    """A level begins, by its number. `stakes`: small and big blind, None if nobody said."""

    number: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    stakes: tuple[Amount, Amount] | None = None


class Positions(Event, frozen=True, tag="positions"):
    """Where button and blinds of the last hand stood; None if nobody was there."""

    table: Table
    button: Seat | None
    small: Seat | None
    big: Seat | None


class NextHand(Event, frozen=True, tag="next"):
    """The next hand begins at these tables."""

    tables: Annotated[tuple[Table, ...], msgspec.Meta(max_length=MOST_TABLES)]


class Busts(Event, frozen=True, tag="busts"):
    """Seats went broke in one hand. `stacks`: what each began it with, None if nobody said. `joined`: in the
    same hand of hand-for-hand as those before.
    """

    table: str
    stacks: Annotated[dict[Seat, Amount | None], msgspec.Meta(max_length=MOST_SEATS)]
    joined: bool = False


class Moves(Event, frozen=True, tag="moves"):
    """A player has moved."""

    table: Table
    seat: Seat
    to: Table
    to_seat: Seat


class HandForHand(Event, frozen=True, tag="hand-for-hand"):
    """Hand-for-hand begins, or is over."""

    on: bool


class Naming(Event, frozen=True, tag="names-to-tables"):
    """Names and blinds of the room go to the tables by themselves from now on, or only if somebody wants
    so.
    """

    on: bool


class Break(Event, frozen=True, tag="break"):
    """The table is to be broken. `seed`: the room draws seats and cards itself, from these words."""

    table: Table
    seed: Word = ""


class Seed(Event, frozen=True, tag="seed"):
    """The words from which the room will draw when the table is broken: on record before the draw."""

    table: Table
    seed: Word


class SeatCards(Event, frozen=True, tag="seat-cards"):
    """The new places, in the order of the scrambled stack."""

    places: Annotated[tuple[tuple[Table, Seat], ...], msgspec.Meta(max_length=MOST_SEATS)]


class Draw(Event, frozen=True, tag="draw"):
    """The playing card that a seat of the broken table was dealt."""

    table: Table
    seat: Seat
    card: Card


class Bounty(Event, frozen=True, tag="bounty"):
    """The bounty on each head."""

    amount: Amount


class KnocksOut(Event, frozen=True, tag="knocks-out"):
    """A seat is out. `winners`: who won the pot that did it, several if their hands are equal."""

    table: Table
    seat: Seat
    winners: Seats


class Chips(Event, frozen=True, tag="stack"):
    """The chips of players of a table."""

    table: Table
    stacks: Stacks


class Crash(Event, frozen=True, tag="crash"):
    """The room goes down."""

    state: Crashed


class Offer(Event, frozen=True, tag="offer"):
    """All who are left propose to share the prizes."""

    formula: Offered


AnyEvent = (
    Open
    | Rules
    | House
    | Prizes
    | Seated
    | Sits
    | Called
    | Level
    | Positions
    | NextHand
    | Busts
    | Moves
    | HandForHand
    | Break
    | Seed
    | SeatCards
    | Draw
    | Bounty
    | KnocksOut
    | Chips
    | Crash
    | Offer
    | Naming
)
EVENTS: Final[tuple[type[Any], ...]] = get_args(AnyEvent)
"""Every kind of event, as a record holds it: distinguished by the field `event`."""
