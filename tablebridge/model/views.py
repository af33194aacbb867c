"""What people and other programs are shown of a table. A view holds only faces that its reader may see."""

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
    Sentence,
    Short,
    Shorts,
    Word,
    Words,
)
from tablebridge.model.findings import Args, Severity
from tablebridge.model.presence import SeatRead

SeatState = Literal["empty", "out", "in", "folded", "all-in", "won"]
Stage = Literal[
    "waiting", "shuffle", "dealing", "betting", "street", "draw", "showdown", "paying", "over", "stopped"
]
"""What the dealer is doing, or is to do next; `stopped`: nothing, until the floor has ruled."""


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `cards`: how many cards it holds by the record; `read`: how many of them antennas see now;
    `faces`: those that this view's reader may see, else empty.

    `bet`: in front of the seat this round. `last`: its last action as text. `won`: what it got from the
    pots. `in_doubt`: the readings do not settle whether a card lies here.
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
    in_doubt: bool = False


class TrayView(msgspec.Struct, frozen=True):
    """The chip tray as it was read last. `chips`: denomination to number of chips, the lowest first.
    `variance`: what it holds more than is explained, below 0 for less.
    """

    chips: Denominations
    total: Amount
    variance: Amount = 0


class FoundView(msgspec.Struct, frozen=True):
    """A finding as it is shown beside the line that raised it. `text`, `args`: as in `Alert`."""

    finding: Word
    severity: Severity
    sentence: Line
    rulebook: Word = ""
    rule: Word | None = None
    cause: Word | None = None
    text: Word = ""
    args: Args = {}


class LineView(msgspec.Struct, frozen=True):
    """One entry of the hand, faces of hidden cards written `??`. Corrections have no line: they stand on the
    line they correct.

    `kind`: `script`, a line of table script, or `note`, a comment on what the language cannot express.
    `undone`: it is taken back, by the entry `undone_entry` of the person `undone_by` at `undone_wall_ns`.
    `was`: what it was before the person `changed_by` changed it at `changed_wall_ns`. `inserted`: it was left
    out first. `note`: why it was corrected. `ignored`: why it changed nothing.
    """

    entry: Count
    line: Line
    basis: Word
    by: Short
    kind: Literal["script", "note"] = "script"
    undone: bool = False
    undone_entry: Count = 0
    undone_by: Short = ""
    undone_wall_ns: Nanoseconds = 0
    was: Line = ""
    changed_by: Short = ""
    changed_wall_ns: Nanoseconds = 0
    inserted: bool = False
    note: Line = ""
    ignored: Line = ""
    findings: Annotated[tuple[FoundView, ...], msgspec.Meta(max_length=8)] = ()


class Choice(msgspec.Struct, frozen=True):
    """One thing that the floor may rule: the line of table script that rules it, its text for people, and
    what follows from it.
    """

    line: Short
    words: Short
    consequence: Line


class Question(msgspec.Struct, frozen=True):
    """What the table waits for the floor to decide: the id of the finding that asks it, and the choices."""

    finding: Word
    choices: Annotated[tuple[Choice, ...], msgspec.Meta(max_length=16)]


class NoticeView(msgspec.Struct, frozen=True):
    """A finding that the dealer is to know of. `remedy`: its steps, as words; `done`: the numbers of those
    that were done, from 1 on. `text`, `args`: as in `Alert`.
    """

    id: Word
    finding: Word
    severity: Severity
    sentence: Sentence
    rulebook: Word = ""
    rule: Word | None = None
    cause: Word | None = None
    seat: Seat | None = None
    remedy: Words = ()
    done: Annotated[tuple[Count, ...], msgspec.Meta(max_length=16)] = ()
    text: Word = ""
    args: Args = {}


class FactView(msgspec.Struct, frozen=True):
    """A fact that the dealer reported, and until when it can be taken back at the table."""

    entry: Count
    line: Line
    until_wall_ns: Nanoseconds


class Turn(msgspec.Struct, frozen=True):
    """The turn: whose it is. `name`: the name of this turn and of no other; `seat`: None for nobody;
    `to_call`: what it must add to call.
    """

    name: Word
    seat: Seat | None = None
    to_call: Amount = 0


class TableView(msgspec.Struct, frozen=True):
    """A table at one moment. `rev`: the journal record it is true of; `at_wall_ns`: when that happened.

    `expects`: what the table expects next, one sentence for the dealer. `may`: choices of the seat to act.
    `dealing`: cards of the deal are due, and nobody is to act before they are there. `turn`: the name of the
    present turn, as commands give it. `questions`: what the floor is to decide. `stage`: what the dealer is
    doing; `due`: the seats of the cards that are due in this deal, in order. `notices`: what the dealer is to
    know; `facts`: what can be taken back. Only staff get `lines`, `questions`, `notices` and `facts`.
    `doubted`: the seats whose record is in doubt, 0 for the hand as such. `first_board`: of a game with two
    boards, and of a hand that is run twice, when `board` is the second.
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
    turn: Word = ""
    dealing: bool = False
    questions: Annotated[tuple[Question, ...], msgspec.Meta(max_length=8)] = ()
    doubted: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=11)] = ()
    tray: TrayView | None = None
    stage: Stage = "waiting"
    due: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=100)] = ()
    notices: Annotated[tuple[NoticeView, ...], msgspec.Meta(max_length=8)] = ()
    facts: Annotated[tuple[FactView, ...], msgspec.Meta(max_length=32)] = ()
