"""Alerts: findings that want a person, and their life."""

from typing import Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.findings import Severity
from tablebridge.model.instant import Instant

AlertState = Literal["raised", "acknowledged", "taken", "ruled", "closed"]


class Step(msgspec.Struct, frozen=True):
    """One change of an alert: who did what when, and why."""

    state: AlertState
    at: Instant
    by: str = ""
    note: str = ""


class Alert(msgspec.Struct, frozen=True):
    """A finding of severity `warning` or `critical` with a life. It holds only faces that lie open on the table.

    `id` is the finding's, so raising it twice changes nothing. `cleared`: its condition has gone by itself.
    """

    id: str
    table: str
    hand: int
    finding: str
    severity: Severity
    state: AlertState
    sentence: str
    raised_at: Instant
    rulebook: str = ""
    rule: str | None = None
    cause: str | None = None
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    remedy: tuple[str, ...] = ()
    street: str = ""
    device: str = ""
    cleared: bool = False
    life: tuple[Step, ...] = ()


class AlertChange(msgspec.Struct, frozen=True):
    """What a named person does to an alert. `line`: the choice of its question that is written with `ruled`, if it has one.
    `over`: it is done in the place of the person who took the alert."""

    alert: str
    to: AlertState
    by: str
    note: str = ""
    line: str = ""
    over: bool = False
