"""What people and other programs are shown of a table. Faces stand here only where the view's reader may see them."""

from typing import Annotated, Literal

import msgspec

from tablebridge.model.bounds import (
    Amount,
    Amounts,
    BoardFaces,
    Count,
    Denominations,
    HandFaces,
    Line,
    Nanoseconds,
    Seat,
    Short,
    Shorts,
    Word,
    Words,
)
from tablebridge.model.presence import SeatRead

SeatState = Literal["empty", "out", "in", "folded", "all-in", "won"]


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `cards`: how many cards it holds by the record; `read`: how many of them antennas see now; `faces`: those that
    this view's reader may see, else empty.

    `bet`: in front of the seat this round. `last`: its last action in words. `won`: what it got from the pots.
    """

    seat: Seat
    name: Word = ""
    state: SeatState = "empty"
    stack: Amount = 0
    bet: Amount = 0
    cards: Count = 0
    faces: HandFaces = ()
    last: Word = ""
    won: Amount = 0
    read: SeatRead = SeatRead()


class TrayView(msgspec.Struct, frozen=True):
    """The chip tray as it was read last. `chips`: denomination to number of chips, the lowest first. `variance`: what it holds
    more than is explained, below 0 for less."""

    chips: Denominations
    total: Amount
    variance: Amount = 0


class LineView(msgspec.Struct, frozen=True):
    """One entry of the hand as a line of table script, faces of hidden cards written `??`."""

    entry: Count
    line: Line
    basis: Word
    by: Short
    undone: bool = False
    findings: Words = ()


class TableView(msgspec.Struct, frozen=True):
    """A table at one moment. `rev`: the journal record it is true of; `at_wall_ns`: when that happened.

    `expects`: what the table expects next, one sentence for the dealer. `may`: choices of the seat to act.
    `staff`: whether `lines` is filled; the overlay and the public never get it. `first_board`: of a game with two boards,
    and of a hand that is run twice, when `board` is the second.
    """

    table: Word
    rev: Count = 0
    at_wall_ns: Nanoseconds = 0
    hand: Count = 0
    game: Word = ""
    rulebook: Word = ""
    stakes: tuple[Amount, Amount] = (0, 0)
    street: Word = "over"
    board: BoardFaces = ()
    pot: Amount = 0
    pots: Amounts = ()
    button: Seat | None = None
    to_act: Seat | None = None
    to_call: Amount = 0
    min_raise: Amount | None = None
    max_raise: Amount | None = None
    may: Words = ()
    expects: Line = ""
    in_doubt: bool = False
    incomplete: Shorts = ()
    seats: Annotated[tuple[SeatView, ...], msgspec.Meta(max_length=10)] = ()
    lines: Annotated[tuple[LineView, ...], msgspec.Meta(max_length=120)] = ()
    first_board: BoardFaces = ()
    tray: TrayView | None = None
