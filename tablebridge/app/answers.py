"""Answers to commands: one for each id, final, and on record.

An answer is recorded with its command's person, and whatever comes under the same id later is answered the
same, also after a restart. Of the refused commands of a person a few each minute are recorded one by one and
the rest as a number, so that nobody can fill the journal; the answers of those are final as long as the
process runs.
"""

from typing import Final

from tablebridge.app.records import CommandRecord, reply_of
from tablebridge.bus.messages import Command, Reply
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant

EACH_MINUTE: Final = 10
_MOST_PERSONS: Final = 32
_MOST_UNRECORDED: Final = 2000
_MINUTE_NS: Final = 60_000_000_000


class Answers:
    """The answers of one table. Beyond 32 persons a minute the refusals of all others count as one person's."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._unrecorded: dict[str, Reply] = {}
        self._minute = -1
        self._refused: dict[tuple[str, str], int] = {}

    def of(self, command: Command) -> Reply | None:
        """The answer that was given under this command's id."""
        recorded = self._journal.answer(command.id)
        return self._unrecorded.get(command.id) if recorded is None else reply_of(recorded)

    def give(self, command: Command, reply: Reply) -> None:
        """This is the answer, inside the open transaction."""
        if reply.ok or self._counted(command):
            number = self._journal.record("command", CommandRecord(command.by, command.role, reply))
            self._journal.answered(reply.id, number)
            return
        self._unrecorded[reply.id] = reply
        if len(self._unrecorded) > _MOST_UNRECORDED:
            del self._unrecorded[next(iter(self._unrecorded))]

    def over(self, now: Instant) -> list[CommandRecord]:
        """When a minute is over: for each person, how many of it were not recorded, as a record."""
        minute = now.monotonic_ns // _MINUTE_NS
        if minute == self._minute:
            return []
        self._minute, counts, self._refused = minute, self._refused, {}
        return [
            CommandRecord(
                by,
                role,
                Reply(
                    f"refused-{minute}-{number}",
                    False,
                    (f"{count - EACH_MINUTE} more commands were refused within one minute."),
                ),
            )
            for number, ((by, role), count) in enumerate(counts.items())
            if count > EACH_MINUTE
        ]

    def _counted(self, command: Command) -> bool:
        """Whether this refused command is to be recorded by itself."""
        person = (command.by, command.role)
        if person not in self._refused and len(self._refused) >= _MOST_PERSONS:
            person = ("others", "")
        self._refused[person] = self._refused.get(person, 0) + 1
        return self._refused[person] <= EACH_MINUTE
