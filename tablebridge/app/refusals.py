"""How many refused commands of a person are on record: a few each minute one by one, the rest as a number."""

from typing import Final

from tablebridge.app.records import CommandRecord
from tablebridge.bus.messages import Command, Reply
from tablebridge.model.instant import Instant

EACH_MINUTE: Final = 10
_MOST_PERSONS: Final = 32
_MINUTE_NS: Final = 60_000_000_000


class Refusals:
    """The refused commands of one table in the present minute. Beyond 32 persons a minute all others count as one."""

    def __init__(self) -> None:
        self._minute = -1
        self._counts: dict[tuple[str, str], int] = {}

    def recorded(self, command: Command) -> bool:
        """Whether this refused command is to be recorded by itself."""
        person = (command.by, command.role)
        if person not in self._counts and len(self._counts) >= _MOST_PERSONS:
            person = ("others", "")
        self._counts[person] = self._counts.get(person, 0) + 1
        return self._counts[person] <= EACH_MINUTE

    def over(self, now: Instant) -> list[CommandRecord]:
        """When a minute is over: for each person, how many of it were not recorded, as a record."""
        minute = now.monotonic_ns // _MINUTE_NS
        if minute == self._minute:
            return []
        self._minute, counts, self._counts = minute, self._counts, {}
        return [CommandRecord(by, role, Reply(f"refused-{minute}-{number}", False, (
            f"{count - EACH_MINUTE} more commands were refused within one minute.")))
                for number, ((by, role), count) in enumerate(counts.items()) if count > EACH_MINUTE]
