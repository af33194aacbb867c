"""What people and other programs are shown of a table. Faces stand here only where the view's reader may see them."""

from typing import Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.presence import SeatRead

SeatState = Literal["empty", "out", "in", "folded", "all-in", "won"]


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `cards`: how many cards it holds by the record; `read`: how many of them antennas see now; `faces`: those that
    this view's reader may see, else empty.

    `bet`: in front of the seat this round. `last`: its last action in words. `won`: what it got from the pots.
    """

    seat: int
    name: str = ""
    state: SeatState = "empty"
    stack: int = 0
    bet: int = 0
    cards: int = 0
    faces: tuple[Card, ...] = ()
    last: str = ""
    won: int = 0
    read: SeatRead = SeatRead()


class TrayView(msgspec.Struct, frozen=True):
    """The chip tray as it was read last. `chips`: denomination to number of chips, the lowest first. `variance`: what it holds
    more than is explained, below 0 for less."""

    chips: dict[int, int]
    total: int
    variance: int = 0


class LineView(msgspec.Struct, frozen=True):
    """One entry of the hand as a line of table script, faces of hidden cards written `??`."""

    entry: int
    line: str
    basis: str
    by: str
    undone: bool = False
    findings: tuple[str, ...] = ()


class TableView(msgspec.Struct, frozen=True):
    """A table at one moment. `rev`: the journal record it is true of; `at_wall_ns`: when that happened.

    `expects`: what the table expects next, one sentence for the dealer. `may`: choices of the seat to act.
    `staff`: whether `lines` is filled; the overlay and the public never get it. `first_board`: of a game with two boards,
    and of a hand that is run twice, when `board` is the second.
    """

    table: str
    rev: int = 0
    at_wall_ns: int = 0
    hand: int = 0
    game: str = ""
    rulebook: str = ""
    stakes: tuple[int, int] = (0, 0)
    street: str = "over"
    board: tuple[Card, ...] = ()
    pot: int = 0
    pots: tuple[int, ...] = ()
    button: int | None = None
    to_act: int | None = None
    to_call: int = 0
    min_raise: int | None = None
    max_raise: int | None = None
    may: tuple[str, ...] = ()
    expects: str = ""
    in_doubt: bool = False
    incomplete: tuple[str, ...] = ()
    seats: tuple[SeatView, ...] = ()
    lines: tuple[LineView, ...] = ()
    first_board: tuple[Card, ...] = ()
    tray: TrayView | None = None
