"""What people and other programs are shown of a table. Faces stand here only where the view's reader may see them."""

from typing import Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.findings import Severity
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


class FoundView(msgspec.Struct, frozen=True):
    """A finding as it stands beside the line that raised it."""

    finding: str
    severity: Severity
    sentence: str
    rulebook: str = ""
    rule: str | None = None
    cause: str | None = None


class LineView(msgspec.Struct, frozen=True):
    """One entry of the hand, faces of hidden cards written `??`. Corrections have no line: they stand on the line they correct.

    `kind`: `script`, a line of table script, or `note`, a comment on what the language has no words for. `undone`: it is taken
    back, by the entry `undone_entry` of the person `undone_by` at `undone_wall_ns`. `ignored`: why it changed nothing.
    """

    entry: int
    line: str
    basis: str
    by: str
    kind: Literal["script", "note"] = "script"
    undone: bool = False
    undone_entry: int = 0
    undone_by: str = ""
    undone_wall_ns: int = 0
    ignored: str = ""
    findings: tuple[FoundView, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """One thing that the floor may rule: the line of table script that rules it, in words, and what follows from it."""

    line: str
    words: str
    consequence: str


class Question(msgspec.Struct, frozen=True):
    """What the table waits for the floor to decide: the id of the finding that asks it, and the choices."""

    finding: str
    choices: tuple[Choice, ...]


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is. `name`: of this turn and no other; `seat`: None for nobody; `to_call`: what it must add to call."""

    name: str
    seat: int | None = None
    to_call: int = 0


class TableView(msgspec.Struct, frozen=True):
    """A table at one moment. `rev`: the journal record it is true of; `at_wall_ns`: when that happened.

    `expects`: what the table expects next, one sentence for the dealer. `may`: choices of the seat to act.
    `dealing`: cards of the deal are due, and nobody is to act before they are there. `turn`: the name of the present turn, as
    commands give it. `questions`: what the floor is to decide. Only staff get `lines` and `questions`. `first_board`: of a
    game with two boards, and of a hand that is run twice, when `board` is the second.
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
    turn: str = ""
    dealing: bool = False
    questions: tuple[Question, ...] = ()
    tray: TrayView | None = None
