"""What a person may enter at a table, and the sentence when it cannot be done.

A wrong command is refused as a whole and changes nothing; a wrong fact (a bet out of turn, a fold with no
bet) is a fact and goes to the engine. So refused here is only what cannot have happened: words that are none,
a bet while no hand is under way, a new setup in the middle of one.
"""

from typing import Final

from tablebridge.bus.messages import Command
from tablebridge.engine.script.dealer import dealer_may_write
from tablebridge.engine.script.statements import HOUSE_FILE, parse_line
from tablebridge.engine.table import Table
from tablebridge.model.blind_events import Bomb, Kill
from tablebridge.model.bounds import MOST_COMMAND_LINES
from tablebridge.model.chip_events import (
    ChipsOf,
    Collect,
    Credit,
    Exchange,
    Fill,
    ForeignChip,
    Lammer,
    Pay,
    Race,
    RaceCard,
    RaceOver,
    StackChips,
    Take,
    Tray,
)
from tablebridge.model.clock_events import Break, DrawClock, HandForHand, LevelClock, Tick
from tablebridge.model.conduct_events import (
    Disqualified,
    Infraction,
    Leaves,
    MissedHands,
    PenaltyOver,
    Warned,
)
from tablebridge.model.errors import Moved, Refused, ScriptError
from tablebridge.model.events import (
    Absent,
    Access,
    Amend,
    Ante,
    Arrives,
    BbAnte,
    BringIn,
    Button,
    Chips,
    Clock,
    Cut,
    DealerChange,
    Deck,
    DeckCheck,
    DeckInPlay,
    End,
    Game,
    Hand,
    House,
    Insert,
    Level,
    Names,
    Penalty,
    Post,
    Rules,
    Ruling,
    Seats,
    Seen,
    Shuffled,
    Shuffler,
    Stacks,
    TableEvent,
    Undo,
)
from tablebridge.model.house_events import Box, PayTable
from tablebridge.model.key_events import CallFloor, FloorSettled, StepDone
from tablebridge.model.request_events import Dispute
from tablebridge.model.seat_events import SEATED, ChangesSeat
from tablebridge.model.shuffle_events import Riffle, Square, Strip, Wash

_FLOORS_TOO: Final = (ChipsOf, Race, RaceCard, RaceOver, Exchange, Collect, Kill, Bomb)
"""What between hands is the floor's to write as well: the chip race, charges for time, kill and bomb pots."""
_SETUP: Final = (
    Rules,
    Game,
    Ante,
    BbAnte,
    BringIn,
    Seats,
    Button,
    Stacks,
    Chips,
    Penalty,
    Deck,
    House,
    Names,
    ChangesSeat,
    *_FLOORS_TOO,
)
_BETWEEN_HANDS_TOO: Final = (
    Hand,
    Absent,
    Arrives,
    CallFloor,
    FloorSettled,
    StepDone,
    Cut,
    Riffle,
    Strip,
    Wash,
    Square,
    DeckCheck,
    DeckInPlay,
    DealerChange,
    Level,
    Seen,
    Shuffled,
    Shuffler,
    StackChips,
    Tray,
    Fill,
    Credit,
    Pay,
    Take,
    ForeignChip,
    Lammer,
    Box,
    PayTable,
    Dispute,
    Tick,
    LevelClock,
    Break,
    HandForHand,
    Warned,
    Infraction,
    MissedHands,
    PenaltyOver,
    Disqualified,
    Leaves,
    Post,
    *(kind for kind in SEATED if kind is not ChangesSeat),
)
_OF_THE_FLOOR: Final = (
    FloorSettled,
    Warned,
    Infraction,
    MissedHands,
    Penalty,
    PenaltyOver,
    Disqualified,
    Dispute,
    Clock,
    DrawClock,
    Level,
    LevelClock,
    Break,
    HandForHand,
    *_FLOORS_TOO,
)
"""What the floor may write beside its rulings: clocks, the conduct of players, disputes, and what else is its
own between hands.
"""
_OF_MISDEAL: Final = ("misdeal", "play-on")
"""What the floor can still rule on a void hand; nothing else would do anything."""
_OPERATOR: Final = "operator"
_FLOOR: Final = "floor"
DEALER: Final = "dealer"


def own_last(command: Command, table: Table) -> int:
    """The entry to undo, so that what a person wrote or changed last is taken back, or what was taken back
    last is in force again. That is possible until the person writes another line. Raises Refused.
    """
    by = f"{command.by} ({command.role})"
    taken_back = table.taken_back
    log = table.log
    begun = max((at for at, entry in enumerate(log) if isinstance(entry.event, Hand)), default=0)
    own = [
        entry.id
        for entry in log[begun:]
        if entry.basis == "operator" and entry.by == by and not isinstance(entry.event, (Undo, Access))
    ]
    standing = max((entry for entry in own if entry not in taken_back), default=0)
    if command.last == "undo":
        if not standing:
            raise Refused("There is no line of yours to take back in this hand.")
        return standing
    undos = (taken_back[entry] for entry in own if entry in taken_back)
    undone = max((undo.id for undo in undos if undo.by == by), default=0)
    if not undone:
        raise Refused("Nothing of yours is taken back in this hand.")
    if undone < standing:
        raise Refused("You have written another line since; there is nothing to bring back.")
    return undone


def in_turn(command: Command, table: Table) -> None:
    """Raises Moved if the command was meant for another turn than the present one."""
    if not command.turn or command.turn == table.turn:
        return
    meant, hand = command.turn.rpartition(".")[2], table.hand
    acted = "" if hand is None or not meant.isdecimal() else hand.round.last_word(int(meant[:3]))
    now = "nobody is to act" if table.acting is None else f"seat {table.acting} is to act"
    if (
        command.turn.partition(".")[0] == table.turn.partition(".")[0]
        and acted
        and int(meant[:3]) != table.acting
    ):
        raise Moved(f"Seat {meant} has acted meanwhile ({acted}): {now}.")
    raise Moved(f"The turn has passed meanwhile: {now}.")


def still_asked(command: Command, table: Table) -> None:
    """Raises Refused if the command rules on what the table does not wait for."""
    if command.question and all(finding.id != command.question for finding in table.asked):
        raise Refused("The table does not wait for this ruling; look at it again.")


def events_of(command: Command, table: Table) -> tuple[TableEvent, ...]:
    """The table events that a command asks for. Raises Refused."""
    if command.undo is not None:
        return (_undo(command, command.undo, table),)
    place = command.before if command.change is None else command.change
    if place is None:
        return _written(command, table, under_way=table.street not in ("over", "void"))
    _correctable(command, place, table)
    if place in table.taken_back:
        raise Refused("That line is taken back; bring it back, or choose the one after it.")
    events = _written(command, table, under_way=True)
    if any(isinstance(event, (Hand, End)) for event in events):
        raise Refused("Where a hand begins or ends is not changed; take the line back and write it again.")
    if command.change is None:
        return tuple(Insert(place, event, command.note) for event in events)
    if len(events) != 1 or table.begins(place):
        raise Refused("One line of the hand stands in the place of another; take this one back instead.")
    return (Amend(place, events[0], command.note),)


def _written(command: Command, table: Table, *, under_way: bool) -> tuple[TableEvent, ...]:
    """The events of the lines of a command. Raises Refused."""
    if not command.lines or len(command.lines) > MOST_COMMAND_LINES:
        raise Refused(f"A command holds 1 to {MOST_COMMAND_LINES} lines.")
    events = []
    for line in command.lines:
        try:
            event = parse_line(line)
        except ScriptError as error:
            raise Refused(str(error)) from None
        if isinstance(event, Game) and event.game.endswith(HOUSE_FILE):
            raise Refused(
                "The file of a house's game is named in the site file; start the engine again then."
            )
        if isinstance(event, Rules) and event.rulebook.endswith(HOUSE_FILE):
            raise Refused(
                "A house rulebook's file is named in the site file; write it there and start the engine "
                "again."
            )
        put_right = isinstance(event, Button) and table.button_may_move
        if isinstance(event, _SETUP) and under_way and not put_right:
            raise Refused("A hand is under way; set up the table when it is over.")
        overrules = isinstance(event, Ruling) and event.ruling in _OF_MISDEAL and table.street == "void"
        if not isinstance(event, (*_SETUP, *_BETWEEN_HANDS_TOO)) and not under_way and not overrules:
            raise Refused("No hand is under way; begin one with the shuffler's button or the line: hand")
        _may_write(command, event)
        if isinstance(event, Hand):
            under_way = True
        events.append(event)
    return tuple(events)


def _may_write(command: Command, event: TableEvent) -> None:
    """Raises Refused if this is not for that role to write."""
    if isinstance(event, Ruling):
        if command.role not in (_FLOOR, _OPERATOR):
            raise Refused("Only the floor rules; sign in with a floor token.")
    elif command.role == DEALER:
        if not dealer_may_write(event):
            raise Refused("A dealer reports facts without a face and calls the floor; this is neither.")
    elif not (command.role == _FLOOR and isinstance(event, _OF_THE_FLOOR)):
        _only(command, _OPERATOR, "write lines")


def _undo(command: Command, entry: int, table: Table) -> Undo:
    """A line is taken back; a dealer's desk sees to which."""
    if command.role == DEALER:
        if not table.reaches(entry) or (table.hides and table.ended_after(entry)):
            raise Refused("That hand is over; the floor can take the fact back.")
    else:
        _correctable(command, entry, table)
    if entry in table.taken_back:
        raise Refused("That is taken back already.")
    return Undo(entry, command.note)


def _correctable(command: Command, entry: int, table: Table) -> None:
    """Raises Refused if the person may not correct this entry. How a hand ended may reveal who held what, if
    antennas know: only the floor tries that again.
    """
    if command.role != _FLOOR:
        _only(command, _OPERATOR, "correct lines")
    if not table.reaches(entry):
        raise Refused(f"There is no line {entry} in this hand or the one before it; reload the page.")
    if command.role != _FLOOR and table.ended_after(entry):
        if table.hides:
            raise Refused("That hand is over; the floor can take the line back.")
        if not command.note:
            raise Refused("That hand is over: say why it is corrected.")


def _only(command: Command, role: str, what: str) -> None:
    if command.role != role:
        raise Refused(f"Only the {role} may {what}; sign in with a token of that role.")
