"""Alerts: findings that want a person, and their life."""

from typing import Annotated, Final, Literal, Protocol

import msgspec

from tablebridge.model.bounds import (
    Count,
    Faces,
    Line,
    Nanoseconds,
    Seat,
    SeatAmounts,
    Sentence,
    Steps,
    Word,
    Words,
)
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
Audience = Literal["section", "all", "manager"]
"""Who is rung: who has the table, everybody on the floor, or the managers beside everybody."""
Unanswered = Literal["not-seen", "not-taken", "not-ruled"]
"""What nobody has done for too long."""


class Step(msgspec.Struct, frozen=True):
    """One change of an alert: who did what when, and why. `done`: which steps of its remedy were ticked."""

    state: AlertState
    at: Instant
    by: Word = ""
    note: Line = ""
    done: Ticked = ()


class Ring(msgspec.Struct, frozen=True):
    """An alert rings again. `number`: how often it has rung again in its present state; `to`: who is rung;
    `why`: what nobody has done for too long.
    """

    number: Count
    to: Audience
    why: Unanswered
    at: Instant


class Alert(msgspec.Struct, frozen=True):
    """A finding of severity `warning` or `critical` with a life. It holds only faces that lie open on the
    table.

    `id` is the finding's, so raising it twice changes nothing. `cleared`: its condition has gone by itself,
    at `cleared_wall_ns`. `shelved`: it waits on the shelf.
    `times`: how often that was found while nobody had seen the alert; `latest`: the finding that says so
    last. `text`, `args`: the id of its sentence and what is put into it, for those who show it in another
    language. `life`: how it was raised, and the last steps since. `ring`: how it rang again last; None if it
    has not in its present state. `refunds`: the chips that go back to each seat, by the finding or by the
    ruling on it; `gives`: as in `Finding`.
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
    ring: Ring | None = None
    refunds: SeatAmounts = {}
    gives: Steps = ()

    @property
    def is_latched(self) -> bool:
        """Whether it closes only after a ruling, whatever the sensors report later."""
        return self.severity == "critical" or self.finding == "misdeal"


class Ringing(Protocol):
    """What rings: an alert, or a call of it."""

    @property
    def severity(self) -> Severity: ...

    @property
    def state(self) -> AlertState: ...

    @property
    def cleared(self) -> bool: ...

    @property
    def ring(self) -> Ring | None: ...


def rings(alert: Ringing) -> bool:
    """Whether the alert rings: nobody has seen it, or what was to follow did not."""
    return not alert.cleared and (alert.state == "raised" or alert.ring is not None)


def rung(alert: Ringing) -> Audience:
    """Who is rung by an alert that rings: at first who has the table, or all if it is critical."""
    if alert.ring is not None:
        return alert.ring.to
    return "all" if alert.severity == "critical" else "section"


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
