"""Alerts: findings that want a person, and their life."""

from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.bounds import Count, Faces, Line, Nanoseconds, Seat, Sentence, Word, Words
from tablebridge.model.findings import SEVERITIES, Args, Severity
from tablebridge.model.floor_marks import Shelf
from tablebridge.model.instant import Instant

MOST_STEPS: Final = 5
MOST_TOGETHER: Final = 100
"""Alerts that one press changes beside the first."""
AlertIds = Annotated[tuple[Word, ...], msgspec.Meta(max_length=MOST_TOGETHER)]
Ticked = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=20)], ...], msgspec.Meta(max_length=20)]
"""The numbers of the steps of a remedy that were ticked."""
AlertState = Literal["raised", "acknowledged", "taken", "ruled", "closed"]


class Step(msgspec.Struct, frozen=True):
    """One change of an alert: who did what when, and why. `done`: which steps of its remedy were ticked."""

    state: AlertState
    at: Instant
    by: Word = ""
    note: Line = ""
    done: Ticked = ()


class Alert(msgspec.Struct, frozen=True):
    """A finding of severity `warning` or `critical` with a life. It holds only faces that lie open on the
    table.

    `id` is the finding's, so raising it twice changes nothing. `cleared`: its condition has gone by itself,
    at `cleared_wall_ns`. `shelved`: it waits on the shelf.
    `times`: how often that was found while nobody had seen the alert; `latest`: the finding that says so
    last. `text`, `args`: the id of its sentence and what is put into it, for those who show it in another
    language. `life`: how it was raised, and the last steps since.
    """

    id: Word
    table: Word
    hand: Count
    finding: Word
    severity: Severity
    state: AlertState
    sentence: Sentence
    raised_at: Instant
    rulebook: Word = ""
    rule: Word | None = None
    cause: Word | None = None
    seat: Seat | None = None
    cards: Faces = ()
    remedy: Words = ()
    street: Word = ""
    device: Word = ""
    cleared: bool = False
    life: Annotated[tuple[Step, ...], msgspec.Meta(max_length=MOST_STEPS)] = ()
    times: Count = 1
    latest: Word = ""
    text: Word = ""
    args: Args = {}
    cleared_wall_ns: Nanoseconds = 0
    shelved: Shelf | None = None

    @property
    def is_latched(self) -> bool:
        """Whether it closes only after a ruling, whatever the sensors report later."""
        return self.severity == "critical" or self.finding == "misdeal"


def by_urgency(alert: Alert) -> tuple[int, int, Word]:
    """The key that sorts alerts: most severe first, then oldest."""
    return -SEVERITIES.index(alert.severity), alert.raised_at.wall_ns, alert.id


def closed_at(alert: Alert) -> int:
    """When a closed alert was closed: the key that sorts closed alerts."""
    return alert.life[-1].at.wall_ns if alert.life else 0


class AlertChange(msgspec.Struct, frozen=True):
    """What a named person does to an alert. `line`: the choice of its question that is written with `ruled`,
    if it has one. `over`: it is done in the place of the person who took the alert. `done`: the steps of its
    remedy that were ticked.
    """

    alert: Word
    to: AlertState
    by: Word
    note: Line = ""
    line: Line = ""
    over: bool = False
    done: Ticked = ()
