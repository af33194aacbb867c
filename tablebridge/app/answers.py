"""Answers to commands: one for each id, final, and on record.

An answer is recorded with its command's person, and whatever comes under the same id later is answered the
same, also after a restart. Of the refused commands of a person a few per minute are recorded one by one and
the rest as a number, so that nobody can fill the journal; the answers of those are final as long as the
process runs.
"""

from typing import Final

from tablebridge.bus.messages import Command, Reply
from tablebridge.journal.records import Answer, CommandRecord, answer_of
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant

EACH_MINUTE: Final = 10
_MOST_PERSONS: Final = 32
_MOST_UNRECORDED: Final = 2000
_MINUTE_NS: Final = 60_000_000_000


def reply_of(answer: Answer) -> Reply:
    """The message that carries an answer."""
    return Reply(
        answer.id,
        answer.ok,
        answer.sentence,
        answer.entries,
        answer.rev,
        answer.late,
        answer.turn,
        answer.moved,
    )


class Answers:
    """The answers of one table. Beyond 32 persons per minute the refusals of all others count as one
    person's.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._unrecorded: dict[str, Answer] = {}
        self._minute = -1
        self._refused: dict[tuple[str, str], int] = {}

    def of(self, command: Command) -> Answer | None:
        """The answer that was given under this command's id."""
        recorded = self._journal.answer(command.id)
        return self._unrecorded.get(command.id) if recorded is None else answer_of(recorded)

    def give(self, command: Command, answer: Answer) -> None:
        """This is the answer, inside the open transaction."""
        if answer.ok or self._counted(command):
            number = self._journal.record("command", CommandRecord(command.by, command.role, answer))
            self._journal.answered(answer.id, number)
            return
        self._unrecorded[answer.id] = answer
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
                Answer(
                    f"refused-{minute}-{number}",
                    False,
                    f"{count - EACH_MINUTE} more commands were refused within one minute.",
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
