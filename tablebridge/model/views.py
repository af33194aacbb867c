"""What people and other programs are shown of a table. A view holds only faces that its reader may see."""

from typing import Annotated, Final, Literal

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
    RunFaces,
    Seat,
    SeatAmounts,
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


class StackView(msgspec.Struct, frozen=True):
    """What the stack of a seat is worth by the antennas' count since the last hand: from `least` to `most`.
    `differs`: the stack of the record is not among that.
    """

    least: Amount
    most: Amount
    differs: bool = False


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `cards`: how many cards it holds by the record; `read`: how many of them antennas see now;
    `faces`: those that this view's reader may see, else empty.

    `bet`: in front of the seat this round. `last`: its last action as text. `won`: what it got from the
    pots. `in_doubt`: the readings do not settle whether a card lies here. `counted`: its stack as antennas
    counted it since the last hand.
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
    counted: StackView | None = None


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
    what follows from it, as words and as data.

    `pot`: what is in the middle then; `stacks`: of each seat whose stack changes, what it is then; `out`:
    seats whose hands are dead then; `to_act`: who is to act then; `board`: the cards on the board then, if
    they change.
    """

    line: Short
    words: Short
    consequence: Line
    pot: Amount = 0
    stacks: SeatAmounts = {}
    out: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=10)] = ()
    to_act: Seat | None = None
    board: BoardFaces | None = None


class Question(msgspec.Struct, frozen=True):
    """What the table waits for the floor to decide: the id of the finding that asks it, and the choices."""

    finding: Word
    choices: Annotated[tuple[Choice, ...], msgspec.Meta(max_length=16)]


class NoticeView(msgspec.Struct, frozen=True):
    """A finding that the dealer is to know of. `remedy`: its steps, as words; `done`: the numbers of those
    that were done, from 1 on. `text`, `args`, `refunds`: as in `Alert`.
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
    refunds: SeatAmounts = {}


class FactView(msgspec.Struct, frozen=True):
    """A fact that the dealer reported, and until when it can be taken back at the table."""

    entry: Count
    line: Line
    until_wall_ns: Nanoseconds


class AsideView(msgspec.Struct, frozen=True):
    """A player who gets no cards: away, or waiting for them. `missed`: the missed-blind buttons before the
    seat; `live`, `dead`: what the seat has to post for cards. `absent`: somebody reported that nobody is at
    the seat, which `arrives` ends.
    """

    seat: Seat
    state: Literal["away", "waits"]
    missed: Literal["none", "small", "big", "both"] = "none"
    live: Amount = 0
    dead: Amount = 0
    absent: bool = False


MOST_BETWEEN: Final = 8
"""Of the boards of a hand that is run again and again those before the last are shown."""
MOST_SPECIALS: Final = 5
"""Of what seats put up before the cards the last is shown."""


class SpecialView(msgspec.Struct, frozen=True):
    """What is special about a hand: a `straddle`, or a raise without looking; a pot that is killed, in full
    or by half; a `bomb` pot; two boards from the first card on. `seat`: who put it up, None for nobody;
    `amount`: its bet, or the ante of a bomb pot.
    """

    kind: Literal["straddle", "no-look", "kill", "half-kill", "bomb", "two-boards"]
    seat: Seat | None = None
    amount: Amount = 0


class Turn(msgspec.Struct, frozen=True):
    """The turn: whose it is. `name`: the name of this turn and of no other; `seat`: None for nobody;
    `to_call`: what it must add to call.
    """

    name: Word
    seat: Seat | None = None
    to_call: Amount = 0


class ClockView(msgspec.Struct, frozen=True):
    """The clock that runs on a seat. `kind`: `called` on it, the `time` that everybody has, or that to
    `draw`. `ends_wall_ns`: when it runs out, the time bank included. `countdown_s`: the last seconds, which
    are counted aloud. `bank_s`: the part of it that is the player's time bank.
    """

    kind: Literal["called", "time", "draw"]
    seat: Seat
    ends_wall_ns: Nanoseconds
    countdown_s: Count = 0
    bank_s: Count = 0


class LevelView(msgspec.Struct, frozen=True):
    """The level of a tournament. `stakes`: the blinds of the next hand, or the bets in a game without blinds.
    `timed`: its clock is set; `ends_wall_ns`: when it is over, 0 while the clock stands (`paused`) and then
    `left_s` seconds are left. `early`: it was announced before the one before it was over.
    `break_ends_wall_ns`: the end of a break that is on, 0 for none; `decks_ready`: in its last minute the
    deck is made ready (RP-20).
    """

    stakes: tuple[Amount, Amount]
    timed: bool = False
    ends_wall_ns: Nanoseconds = 0
    left_s: Count = 0
    paused: bool = False
    early: bool = False
    hand_for_hand: bool = False
    break_ends_wall_ns: Nanoseconds = 0
    decks_ready: bool = False


class TableView(msgspec.Struct, frozen=True):
    """A table at one moment. `rev`: the journal record it is true of; `at_wall_ns`: when that happened.

    `expects`: what the table expects next, one sentence for the dealer. `may`: choices of the seat to act.
    `dealing`: cards of the deal are due, and nobody is to act before they are there. `turn`: the name of the
    present turn, as commands give it. `questions`: what the floor is to decide. `stage`: what the dealer is
    doing; `due`: the seats of the cards that are due in this deal, in order. `notices`: what the dealer is to
    know; `facts`: what can be taken back; `more_notices`, `more_facts`: how many there are beside these;
    `aside`: who is away or waits for cards. Only staff get these, `lines` and `questions`. `doubted`: the
    seats whose record is in doubt, 0 for the hand as such.
    `first_board`: of a game with two boards, and of a hand that is run again, when `board` is the last;
    `between_boards`: those between the two, if it is run more than twice, the last `MOST_BETWEEN`.
    `small`, `big`: where the blinds of the hand stand, None for nowhere. `clock`: the clock that runs on a
    seat; `level`: the level, if it has a clock, or there is a break or hand-for-hand play. Their times are of
    the same clock as `at_wall_ns`. `substantial`: there was substantial action in the hand: misdeals and a
    wrong button stand. `specials`: straddles and what else is special about the hand.
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
    between_boards: Annotated[tuple[RunFaces, ...], msgspec.Meta(max_length=MOST_BETWEEN)] = ()
    turn: Word = ""
    dealing: bool = False
    questions: Annotated[tuple[Question, ...], msgspec.Meta(max_length=8)] = ()
    doubted: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=11)] = ()
    tray: TrayView | None = None
    stage: Stage = "waiting"
    due: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=100)] = ()
    notices: Annotated[tuple[NoticeView, ...], msgspec.Meta(max_length=8)] = ()
    facts: Annotated[tuple[FactView, ...], msgspec.Meta(max_length=32)] = ()
    small: Seat | None = None
    big: Seat | None = None
    aside: Annotated[tuple[AsideView, ...], msgspec.Meta(max_length=10)] = ()
    clock: ClockView | None = None
    level: LevelView | None = None
    substantial: bool = False
    more_notices: Count = 0
    more_facts: Count = 0
    specials: Annotated[tuple[SpecialView, ...], msgspec.Meta(max_length=MOST_SPECIALS)] = ()
