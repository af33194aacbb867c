"""What leaves the box when an alert rings: its kind, and no card, seat, player or sentence.

The process that notifies people receives this and no alert, so it cannot pass on what it does not know.
"""

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.alerts import Alert, AlertState, Audience, Ring
from tablebridge.model.bounds import Count, Nanoseconds, Word
from tablebridge.model.findings import Severity
from tablebridge.model.instant import Instant

MOST_CALLS: Final = 100
MOST_PASSES: Final = 300
MOST_PEOPLE: Final = 64
MOST_ALSO: Final = 20
_SCHEMA: Final = 1


class Call(msgspec.Struct, frozen=True):
    """An open alert as people outside the room are notified of it. `changed_at`: since when it has been in
    its state, and `by` whom, a person of the staff; `ring`, `cleared`, `times`: as of the alert. `incident`:
    the same for all alerts of a hand, and of a device, without the name of either.
    """

    alert: Word
    finding: Word
    severity: Severity
    state: AlertState
    raised_at: Instant
    changed_at: Instant
    by: Word = ""
    ring: Ring | None = None
    cleared: bool = False
    times: Count = 1
    incident: Word = ""


class OpenCalls(msgspec.Struct, frozen=True):
    """The calls of a table, most severe first, then oldest. `more`: how many there are beside these."""

    calls: Annotated[tuple[Call, ...], msgspec.Meta(max_length=MOST_CALLS)]
    rev: Count
    more: Count = 0
    schema: Count = _SCHEMA


class Pass(msgspec.Struct, frozen=True):
    """The right to take one alert once, and those of its incident with it (`also`), as a notification carries
    it. `digest`: SHA-256 of its secret as hex; `by`: the person; `until_wall_ns`: its end.
    """

    digest: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
    alert: Word
    by: Word
    until_wall_ns: Nanoseconds
    also: Annotated[tuple[Word, ...], msgspec.Meta(max_length=MOST_ALSO)] = ()


def digest_of(secret: str) -> str:
    """The digest by which a pass is known, of its secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def command_id(digest: str) -> str:
    """The id of the command that uses a pass: the same however often it is sent, so it is done once."""
    return f"pass-{digest[:32]}"


class Passes(msgspec.Struct, frozen=True):
    """The passes of a table that are valid, the latest last."""

    passes: Annotated[tuple[Pass, ...], msgspec.Meta(max_length=MOST_PASSES)]
    schema: Count = _SCHEMA


class Reachable(msgspec.Struct, frozen=True):
    """A person who can be notified. `manager`: is rung last; `tables`: the section, all if none is named."""

    name: Word
    manager: bool = False
    tables: Annotated[tuple[Word, ...], msgspec.Meta(max_length=64)] = ()


class NotifierState(msgspec.Struct, frozen=True):
    """Whether the process that notifies people runs, whom it can reach, and which of their ways have failed
    last; `more_people`, `more_failing`: how many there are beside these. `since_wall_ns`, `epoch`: of its
    connection and run.
    """

    state: Literal["online", "stopped", "offline"]
    epoch: Word
    since_wall_ns: Nanoseconds = 0
    people: Annotated[tuple[Reachable, ...], msgspec.Meta(max_length=MOST_PEOPLE)] = ()
    failing: Annotated[tuple[Word, ...], msgspec.Meta(max_length=4 * MOST_PEOPLE)] = ()
    more_people: Count = 0
    more_failing: Count = 0
    schema: Count = _SCHEMA


class TestCall(msgspec.Struct, frozen=True):
    """A person wants to see that notifications arrive. `id`: the same for a copy."""

    id: Word
    by: Word
    schema: Count = _SCHEMA


def rung_by(people: Sequence[Reachable], table: str, audience: Audience) -> tuple[str, ...]:
    """The names of those of these people who are rung for a table; a table that is in no section is
    everybody's.
    """
    floor = [person.name for person in people if not person.manager] or [person.name for person in people]
    if audience == "section":
        own = [
            person.name
            for person in people
            if not person.manager and (not table or not person.tables or table in person.tables)
        ]
        return tuple(own or floor)
    return tuple(floor) if audience == "all" else tuple(person.name for person in people)


def call_of(alert: Alert) -> Call:
    """What people outside the room are notified of."""
    last = alert.life[-1] if alert.life else None
    return Call(
        alert.id,
        alert.finding,
        alert.severity,
        alert.state,
        alert.raised_at,
        last.at if last else alert.raised_at,
        last.by if last else "",
        alert.ring,
        alert.cleared,
        alert.times,
        digest_of(f"device {alert.device}" if alert.device else f"hand {alert.hand}")[:16],
    )
