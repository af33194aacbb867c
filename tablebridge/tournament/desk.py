"""A room with its record: what tables report and what people want of it is recorded, then applied.

A command is done as a whole or not at all, once for its id. What tables report is applied as far as it can
be; what cannot be is a clash, which people settle at a table.
"""

import copy
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from tablebridge.bus.messages import fitting
from tablebridge.engine.games import FORMS
from tablebridge.journal.records import Answer, CommandRecord, RoomRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.errors import ScriptError
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.rooms import (
    MOST_DUTIES,
    MOST_OUT,
    MOST_PLACES,
    MOST_ROWS,
    MOST_SEEDS,
    MOST_SHARES,
    MOST_TABLES,
    Duty,
    Move,
    Placed,
    RoomCommand,
    RoomReply,
    RoomTable,
    RoomView,
    Row,
    Seeded,
)
from tablebridge.model.sentences import sentence_of
from tablebridge.room import events as ev
from tablebridge.room import exchange
from tablebridge.room.fold import apply
from tablebridge.room.reported import Report, clashes, meaning
from tablebridge.room.room import Room
from tablebridge.room.script import parse_line

WRITERS: Final = ("floor", "tournament")
"""The roles that may change a room."""
_NAMES: Final = (ev.Naming, ev.Sits, ev.Called, ev.Moves, ev.Level)
"""After these a table may call its players otherwise than the room, or play other blinds."""
_TABLES: Final = "the tables"
_MOST_CLASHES: Final = 20
_TABLES_BYTES, _CLASHES_BYTES, _OUT_BYTES, _DUTIES_BYTES = 20_000, 7_000, 10_000, 12_000
_SHARES_BYTES: Final = 4_000
_ROWS_BYTES: Final = 60_000
"""What parts of a message may take: together they stay below its ceiling, whatever the names are."""

T = TypeVar("T")


class Desk:
    """The room of a site. Raises JournalError if its record cannot be had."""

    def __init__(self, path: Path, name: str, now: Callable[[], Instant]) -> None:
        self._now = now
        self._journal = Journal(path, name)
        self.room = Room()
        self.reports: dict[str, Report] = {}
        self._duties: deque[Duty] = deque(maxlen=MOST_DUTIES)
        self._game = ""
        self._named_by = ""
        self._names_rev = 0
        self.rev = 0
        for record in self._journal.records(kind="room"):
            body = body_of(record)
            if isinstance(body, RoomRecord):
                self._take(self.room, record.number, body)
                self.rev = record.number

    def close(self) -> None:
        """Give the record back."""
        self._journal.close()

    @property
    def is_open(self) -> bool:
        """Whether the room was opened: until then no report means anything."""
        return bool(self._game)

    def report(self, report: Report) -> bool:
        """A table reports itself. Whether it changed the room."""
        self.reports[report.table] = report
        if not self.is_open:
            return False
        others = {name: other for name, other in self.reports.items() if name != report.table}
        before = self.rev
        with self._journal.transaction():
            for event in meaning(self.room, report, others):
                self._record(event, _TABLES)
        return self.rev != before

    def command(self, command: RoomCommand) -> RoomReply:
        """Do what a command wants, and answer it."""
        if command.rows_from is not None:
            return self._rows(command.id, command.rows_from)
        known = self._journal.answer(command.id)
        if known is not None:
            answer = msgspec.json.decode(known, type=CommandRecord).reply
            return RoomReply(answer.id, answer.ok, answer.sentence, answer.rev)
        if command.role not in WRITERS:
            return RoomReply(command.id, False, "Only the floor, or tournament software, changes a room.")
        if command.deadline_wall_ns < self._now().wall_ns:
            return RoomReply(command.id, False, "It came too late and was not done; send it again.")
        try:
            kept = self._tried(command)
        except (ScriptError, exchange.Unfit, _Refused) as refused:
            return RoomReply(command.id, False, str(refused), self.rev)
        if not command.trial:
            self._do(command, kept)
        return RoomReply(command.id, True, rev=self.rev, changes=len(kept))

    def view(self) -> RoomView:
        """The room as pages and programs are shown it."""
        room = self.room
        tables = [
            RoomTable(
                table.name,
                len(table.players),
                self.reports[table.name].hand if table.name in self.reports else 0,
                table.halted,
            )
            for table in room.tables.tables.values()
        ]
        listed = _fitting(tables[:MOST_TABLES], _TABLES_BYTES)
        due = room.balance
        names = {} if due is None else room.tables.tables[due.table].players
        sits = None if due is None or due.seat is None else names.get(due.seat)
        gone = [
            Row(player.name, table, seat, 0, player.first, player.last, room.prize_of(player))
            for (table, seat), player in room.tables.gone[: -MOST_OUT - 1 : -1]
        ]
        found = clashes(room, self.reports)[:_MOST_CLASHES] if self.is_open else []
        return RoomView(
            rev=self.rev,
            at_wall_ns=self._now().wall_ns,
            game=self._game,
            rulebook=room.book.name,
            level=room.level,
            players=room.tables.left,
            entries=room.tables.left + len(room.tables.gone),
            chips=sum(player.stack or 0 for _, player in room.tables.playing()),
            hand_for_hand=room.hand_for_hand,
            move=None
            if due is None
            else Move(due.table, due.seat, due.to, due.to_seat, "" if sits is None else sits.name),
            final_table=room.final_table,
            tables=listed,
            more_tables=len(tables) - len(listed),
            clashes=_fitting(found, _CLASHES_BYTES),
            out=_fitting(gone, _OUT_BYTES),
            duties=_fitting(self._duties, _DUTIES_BYTES),
            stakes=room.stakes,
            offered=room.offered,
            shares=_shares(room),
            seeds=_seeds(room),
            places=_places(room),
            named_by=self._named_by,
            names_rev=self._names_rev,
        )

    def _rows(self, command: str, since: int) -> RoomReply:
        rows = exchange.rows(self.room)
        shown = _fitting(rows[since : since + MOST_ROWS], _ROWS_BYTES)
        end = since + len(shown)
        return RoomReply(command, True, rev=self.rev, rows=shown, more=end if end < len(rows) else None)

    def _tried(self, command: RoomCommand) -> list[ev.Event]:
        """The events that the command makes. Raises ScriptError, Unfit, _Refused."""
        # Tried on a copy: a part of it is never done.
        # The rulebook never changes and need not be copied.
        trial = copy.deepcopy(self.room, {id(self.room.book): self.room.book})
        kept: list[ev.Event] = []
        game = self._game
        for event in self._wanted(command, trial):
            if not game and not isinstance(event, ev.Open):
                raise _Refused("The room is not open: write room GAME SIZE first, such as room nlhe 9.")
            if isinstance(event, ev.Naming) and command.role != "floor":
                raise _Refused("Only the floor decides that names go to the tables by themselves.")
            outcome = apply(trial, 0, event)
            if outcome.ignored:
                raise _Refused(outcome.ignored)
            game = event.game if isinstance(event, ev.Open) else game
            kept.append(event)
        if not kept:
            raise _Refused("The command has nothing to do.")
        return kept

    def _do(self, command: RoomCommand, kept: Iterable[ev.Event]) -> None:
        with self._journal.transaction():
            for event in kept:
                self._record(event, command.by)
            answer = Answer(command.id, True, rev=self.rev)
            number = self._journal.record("command", CommandRecord(command.by, command.role, answer))
            self._journal.answered(command.id, number)

    def _wanted(self, command: RoomCommand, room: Room) -> Iterator[ev.Event]:
        for line in command.lines:
            event = parse_line(line)
            if isinstance(event, ev.Open) and event.game not in FORMS:
                raise _Refused(f"No game is called {event.game}.")
            yield event
        if command.form:
            read = exchange.read_csv if command.form == "csv" else exchange.read_json
            yield from exchange.events_of(room, read(command.file))

    def _record(self, event: ev.Event, by: str) -> None:
        body = RoomRecord(event, by, self._now())  # type: ignore[arg-type]
        self.rev = self._journal.record("room", body)
        self._take(self.room, self.rev, body)

    def _take(self, room: Room, number: int, body: RoomRecord) -> None:
        if isinstance(body.event, ev.Open):
            self._game = body.event.game
        if isinstance(body.event, ev.Naming):
            self._named_by = body.by if body.event.on else ""
        if isinstance(body.event, _NAMES):
            self._names_rev = number
        self._note(apply(room, number, body.event).findings, body.at)

    def _note(self, findings: Iterable[Finding], at: Instant) -> None:
        for finding in findings:
            self._duties.appendleft(
                Duty(
                    finding.finding,
                    sentence_of(finding),
                    finding.table,
                    at.wall_ns,
                    finding.rulebook,
                    finding.rule,
                    finding.cause,
                    finding.text,
                    finding.args,
                )
            )


def _shares(room: Room) -> tuple[Row, ...]:
    """What each player would get by the deal that is proposed."""
    if not room.offered:
        return ()
    playing = [
        Row(player.name, table, seat, player.stack, prize=player.prize)
        for (table, seat), player in room.tables.playing()
    ]
    return _fitting(playing[:MOST_SHARES], _SHARES_BYTES)


def _seeds(room: Room) -> tuple[Seeded, ...]:
    """The seeds of breaks that were not drawn yet."""
    seeds = [Seeded(table, seed) for table, seed in room.seeds.items()]
    return _fitting(seeds[:MOST_SEEDS], _SHARES_BYTES)


def _places(room: Room) -> tuple[Placed, ...]:
    """The new places that players of the broken table have not taken yet."""
    table = room.tables.tables.get(room.broken)
    players = {} if table is None else table.players
    due = [
        Placed(room.broken, seat, *room.new_places[room.broken, seat], player.name)
        for seat, player in sorted(players.items())
        if (room.broken, seat) in room.new_places
    ]
    return _fitting(due[:MOST_PLACES], _SHARES_BYTES)


def _fitting(items: Sequence[T], room: int) -> tuple[T, ...]:
    """As many of these as take at most so many bytes in a message."""
    return tuple(items)[: fitting(items, room)]


class _Refused(Exception):
    """Why a command is not done."""
