"""What a person wants of a table is done, or refused with a sentence, inside the core's open transaction."""

from collections.abc import Callable

import msgspec

from tablebridge.app.commands import events_of, in_turn, own_last
from tablebridge.app.folded import FoldedTable
from tablebridge.app.outgoing import Outgoing
from tablebridge.app.pictures import turn_of
from tablebridge.bus.messages import Command
from tablebridge.engine.script.statements import parse_line
from tablebridge.journal.records import AlertRecord, Answer
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.disclosure import Access
from tablebridge.model.errors import Moved, Refused
from tablebridge.model.events import TableEvent
from tablebridge.model.instant import Instant
from tablebridge.tracking.tracker import Tracker


class CommandDesk:
    """Does the commands of one table. `delay_s`: the delay of hole cards that is in force."""

    def __init__(
        self,
        journal: Journal,
        tracker: Tracker,
        folded: FoldedTable,
        outgoing: Outgoing,
        delay_s: Callable[[], float],
    ) -> None:
        self._journal = journal
        self._tracker = tracker
        self._folded = folded
        self._outgoing = outgoing
        self._delay_s = delay_s

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
        if command.access:
            access = Access(command.access, command.token, self._delay_s())
            return (self._enter(access, command, now),), ""
        if command.alert is not None:
            return self._alert(command, command.alert, now), ""
        return self._events(command, now)

    def _events(self, command: Command, now: Instant) -> tuple[tuple[int, ...], str]:
        """The entries of the lines or the correction, and what is to be said of them."""
        table, lines = self._folded.table, self._folded.lines
        if command.last:
            command = msgspec.structs.replace(command, undo=own_last(command, table))
        numbers: list[int] = []
        in_turn(command, table)
        for event in events_of(command, table):
            self._tracker.before(event, now, now)
            if not numbers:
                # What was sensed just before may have moved the turn.
                in_turn(command, table)
            numbers.append(self._enter(event, command, now))
        return tuple(numbers), lines.said(numbers, undo=command.undo)

    def _alert(self, command: Command, change: AlertChange, now: Instant) -> tuple[int, ...]:
        if command.role != "floor":
            raise Refused("Only the floor changes alerts; sign in with a floor token.")
        change = self._folded.calls.check(msgspec.structs.replace(change, by=command.by))
        entries = (self._enter(parse_line(change.line), command, now),) if change.line else ()
        alert = self._folded.alerts.apply(change, now)
        number = self._journal.record("alert", AlertRecord(change, now))
        self._outgoing.alert(alert, number)
        return (*entries, number)

    def _enter(self, event: TableEvent, command: Command, now: Instant) -> int:
        by = f"{command.by} ({command.role})"
        return self._tracker.enter(event, "operator", now, now, by=by).entry.id
