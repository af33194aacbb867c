"""What a person wants of a table is done, or refused with a sentence, inside the core's open transaction."""

import contextlib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final

import msgspec

from tablebridge.app.commands import DEALER, events_of, in_turn, own_last, still_asked
from tablebridge.app.folded import FoldedTable
from tablebridge.app.outgoing import Outgoing
from tablebridge.app.pictures import turn_of
from tablebridge.app.reviews import FEED, Reviews
from tablebridge.bus.messages import Command
from tablebridge.engine.script.statements import parse_line
from tablebridge.floor.alerts import CALLED
from tablebridge.journal.records import AlertRecord, Answer, MarkRecord
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.disclosure import Access
from tablebridge.model.errors import ConfigError, Moved, Refused
from tablebridge.model.events import Basis, Names, TableEvent
from tablebridge.model.floor_marks import FloorMark, Shelve, Unshelve
from tablebridge.model.instant import Instant
from tablebridge.model.key_events import FloorSettled, StepDone
from tablebridge.tracking.tracker import Tracker

PublicNames = Callable[[Mapping[int, str]], dict[int, str]]
"""By seat what to call those players in public who want no name there. Raises ConfigError."""
LONGEST_NAME: Final = 40
Transaction = Callable[[Instant], AbstractContextManager[None]]


class CommandDesk:
    """Does the commands of one table. `delay_s`: the delay of hole cards that is in force.
    `public_names`: what to call players in public who want no name there.
    """

    def __init__(
        self,
        journal: Journal,
        tracker: Tracker,
        folded: FoldedTable,
        outgoing: Outgoing,
        delay_s: Callable[[], float],
        public_names: PublicNames,
    ) -> None:
        self._journal = journal
        self._tracker = tracker
        self._folded = folded
        self._outgoing = outgoing
        self._delay_s = delay_s
        self._public_names = public_names
        self._reviews = Reviews(journal, folded)

    def do(self, command: Command, now: Instant, *, retained: bool) -> Answer:
        """Do the command. The answer says what came of it."""
        late = not retained and command.deadline_wall_ns < now.wall_ns
        try:
            if retained:
                raise Refused("A retained command is never done; clear it from the broker.")
            if late:
                raise Refused(
                    "The command came too late and was not done. Enter it again; this copy is never done."
                )
            numbers, sentence = self._done(command, now)
        except Refused as refused:
            return Answer(
                command.id,
                False,
                str(refused),
                rev=self._journal.next_number - 1,
                late=late,
                turn=turn_of(self._folded.table),
                moved=isinstance(refused, Moved),
            )
        return Answer(
            command.id,
            True,
            sentence,
            entries=numbers,
            rev=self._journal.next_number,
            turn=turn_of(self._folded.table),
        )

    def _done(self, command: Command, now: Instant) -> tuple[tuple[int, ...], str]:
        """The numbers of the records of a command, and what is to be said of it. Raises Refused."""
        if command.review:
            return (self._reviews.record(command, now),), ""
        if command.access:
            access = Access(command.access, command.token, self._delay_s())
            if command.access == FEED:
                access = self._reviews.access(command, self._delay_s(), now)
            return (self._enter(access, command, now),), ""
        if command.direction is not None:
            if command.role != "director":
                raise Refused("Only the director directs the broadcast; sign in with a director's token.")
            return (self._enter(command.direction, command, now),), ""
        if command.names is not None:
            return (self._enter(self._named(command, command.names), command, now),), ""
        if command.alert is not None:
            return self._alert(command, command.alert, now), ""
        if command.mark is not None:
            return self._mark(command, command.mark, now), ""
        return self._events(command, now)

    def _events(self, command: Command, now: Instant) -> tuple[tuple[int, ...], str]:
        """The entries of the lines or the correction, and what is to be said of them."""
        table, lines = self._folded.table, self._folded.lines
        if command.last:
            command = msgspec.structs.replace(command, undo=own_last(command, table))
        numbers: list[int] = []
        in_turn(command, table)
        still_asked(command, table)
        if command.role == DEALER and command.undo is not None:
            self._folded.facts.check(command.undo, now)
        for event in events_of(command, table):
            if isinstance(event, StepDone):
                self._folded.notices.check(event)
            self._tracker.before(event, now, now)
            if not numbers:
                # What was sensed just before may have moved the turn.
                in_turn(command, table)
                still_asked(command, table)
            numbers.append(self._enter(event, command, now))
            if isinstance(event, FloorSettled):
                numbers += (self._change(change, now) for change in self._folded.calls.settling(command.by))
        return tuple(numbers), lines.said(numbers, undo=command.undo)

    def _named(self, command: Command, names: Mapping[int, str]) -> Names:
        """The names of the players; they change no ruling, so that they are taken during a hand too."""
        if command.role != "floor":
            raise Refused("Only the floor names the players; sign in with a floor token.")
        seats = self._folded.table.setup.seats
        for seat, name in names.items():
            if seat not in seats:
                raise Refused(f"There is no seat {seat} at this table.")
            if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
                raise Refused(f"The name of seat {seat} cannot be shown: 1 to {LONGEST_NAME} letters.")
        if len(set(names.values())) != len(names):
            raise Refused("Two seats have the same name; nobody sits twice.")
        try:
            return Names(dict(names), self._public_names(names))
        except ConfigError as error:
            raise Refused(f"Nobody can be named: {error}") from None

    def _alert(self, command: Command, change: AlertChange, now: Instant) -> tuple[int, ...]:
        if command.role != "floor":
            raise Refused("Only the floor changes alerts; sign in with a floor token.")
        wanted = msgspec.structs.replace(change, by=command.by)
        change = self._folded.calls.check(wanted, back=command.back)
        line = change.line or ("floor-settled" if self._ends_call(change) else "")
        entries = (self._enter(parse_line(line), command, now),) if line else ()
        numbers = [self._change(change, now)]
        # A ruling is of one alert; its note and what was ticked are of no other.
        likewise = msgspec.structs.replace(wanted, line="", done=())
        for other in command.also:
            with contextlib.suppress(Refused):
                of_other = msgspec.structs.replace(likewise, alert=other)
                numbers.append(self._change(self._folded.calls.check(of_other, back=command.back), now))
        return (*entries, *numbers)

    def _ends_call(self, change: AlertChange) -> bool:
        alert = self._folded.alerts.open(change.alert)
        return change.to == "closed" and alert.finding == CALLED and not alert.cleared

    def _change(self, change: AlertChange, now: Instant) -> int:
        """Apply a change of an alert that was checked; the number of its record."""
        alert = self._folded.alerts.apply(change, now)
        number = self._journal.record("alert", AlertRecord(change, now))
        self._outgoing.alert(alert, number)
        return number

    def _mark(self, command: Command, mark: FloorMark, now: Instant) -> tuple[int, ...]:
        if command.role != "floor":
            raise Refused("Only the floor shelves alerts and puts devices out of service.")
        mark = msgspec.structs.replace(mark, by=command.by)
        if not isinstance(mark, (Shelve, Unshelve)):
            self._folded.service.check(mark, self._folded.device_places)
            return (self._marked(mark, now),)
        self._folded.calls.check_mark(mark)
        numbers = [self._marked(mark, now)]
        for other in command.also:
            with contextlib.suppress(Refused):
                likewise = msgspec.structs.replace(mark, alert=other)
                self._folded.calls.check_mark(likewise)
                numbers.append(self._marked(likewise, now))
        return tuple(numbers)

    def _marked(self, mark: FloorMark, now: Instant) -> int:
        """The number of the record of a mark that was checked."""
        alert = self._folded.mark(mark, now)
        number = self._journal.record("mark", MarkRecord(mark, now))
        self._outgoing.marked(alert, number)
        return number

    def unshelve(self, now: Instant, transaction: Transaction) -> None:
        """Take from the shelf what has been there for its time."""
        if over := self._folded.alerts.over(now):
            with transaction(now):
                for mark in over:
                    self._marked(mark, now)

    def _enter(self, event: TableEvent, command: Command, now: Instant) -> int:
        by = f"{command.by} ({command.role})"
        basis: Basis = "dealer" if command.role == DEALER else "operator"
        return self._tracker.enter(event, basis, now, now, by=by).entry.id
