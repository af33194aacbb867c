"""What the floor page shows of some tables: their incidents, what is out of sight and why, and floods."""

import heapq
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, Literal, NamedTuple, Protocol

from tablebridge.floor.flood import FLOOD, WINDOW_S, Flood, flood
from tablebridge.floor.incidents import (
    Incident,
    TableIncidents,
    incident_urgency,
    table_incidents,
)
from tablebridge.floor.inhibition import Hidden
from tablebridge.model.alerts import Alert, closed_at
from tablebridge.web.status import TableStatus

MOST_CLOSED: Final = 30
"""Closed alerts that a page shows, of all tables together."""
Per = Literal["hand", "table"]


class FloorPicture(NamedTuple):
    """What stands at these tables. `incidents`: of all of them, most urgent first; `more`: how many alerts
    are open beside those that are known; `alive`: how many tables are followed; `closed`: the alerts that
    were closed last, the latest first, and `more_closed` how many are known beside these.
    """

    tables: dict[str, TableIncidents]
    incidents: list[Incident]
    closed: list[Alert]
    flood: Flood | None
    more: int
    alive: int
    more_closed: int

    @property
    def shelved(self) -> list[Alert]:
        """The alerts that wait on the shelf."""
        return [alert for table in self.tables.values() for alert in table.shelved]

    @property
    def unserved(self) -> list[Hidden]:
        """The alerts of what is out of service."""
        return [mark for table in self.tables.values() for mark in table.unserved]

    @property
    def suppressed(self) -> int:
        """How many alerts are hidden by another."""
        return sum(len(incident.suppressed) for incident in self.incidents)


class Followed(Protocol):
    """The tables that are followed: of one box, or of a whole room."""

    tables: dict[str, TableStatus]

    def alive(self, names: Iterable[str]) -> int:
        """How many of these tables have a running engine that can be heard."""
        ...


class _Known(NamedTuple):
    """What was made of a table when it had changed so often (`changes`). `closed`: the latest first;
    `recent`: its alerts, open or closed, that may count for a flood.
    """

    changes: int
    incidents: dict[Per, TableIncidents]
    closed: list[Alert]
    recent: list[Alert]


class FloorPictures:
    """The pictures of a site's tables. What is made of a table is kept until the table changes, for all who
    look.
    """

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def of(self, hub: Followed, names: Sequence[str]) -> FloorPicture:
        """What stands at these tables now."""
        statuses = [hub.tables[name] for name in names]
        known = [self._of_table(status) for status in statuses]
        tables = {status.name: self._incidents(status) for status in statuses}
        recent = [alert for table in known for alert in table.recent]
        shown = None
        if len(recent) > FLOOD:
            shown = flood(recent, time.time_ns(), _explained(tables), _drivers(statuses))
        if shown is not None:
            tables = {status.name: self._incidents(status, "table") for status in statuses}
        closed = sum(len(table.closed) for table in known)
        latest = list(
            islice(heapq.merge(*(table.closed for table in known), key=closed_at, reverse=True), MOST_CLOSED)
        )
        return FloorPicture(
            tables,
            sorted((found for table in tables.values() for found in table.incidents), key=incident_urgency),
            latest,
            shown,
            sum(status.more_alerts for status in statuses),
            hub.alive(names),
            closed - len(latest),
        )

    def _of_table(self, status: TableStatus) -> _Known:
        known = self._known.get(status.name)
        if known is None or known.changes != status.changes:
            closed = status.closed
            since = time.time_ns() - WINDOW_S * 10**9
            recent = [
                alert for alert in (*status.alerts.values(), *closed) if alert.raised_at.wall_ns >= since
            ]
            known = self._known[status.name] = _Known(status.changes, {}, closed, recent)
        return known

    def _incidents(self, status: TableStatus, per: Per = "hand") -> TableIncidents:
        known = self._of_table(status).incidents
        if per not in known:
            known[per] = _incidents(status, per)
        return known[per]


def _incidents(status: TableStatus, per: Per) -> TableIncidents:
    view = status.view
    return table_incidents(
        status.alerts.values(),
        status.out,
        {device.name: device.places for device in status.devices.values()},
        {question.finding for question in view.questions} if view else (),
        hand=view.hand if view else 0,
        per=per,
    )


def _explained(tables: Mapping[str, TableIncidents]) -> dict[tuple[str, str], str]:
    """The device that hides an alert, by table and alert."""
    found: dict[tuple[str, str], str] = {}
    for name, table in tables.items():
        for incident in table.incidents:
            found |= {(name, mark.alert.id): incident.device for mark in incident.suppressed}
        found |= {(name, mark.alert.id): mark.device for mark in table.unserved}
    return found


def _drivers(statuses: Sequence[TableStatus]) -> dict[tuple[str, str], str]:
    return {
        (status.name, device.name): device.driver for status in statuses for device in status.devices.values()
    }
