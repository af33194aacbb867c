"""What the floor page shows of some tables: their incidents, what is out of sight and why, and floods."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from tablebridge.floor.flood import Flood, flood
from tablebridge.floor.incidents import (
    Incident,
    TableIncidents,
    incident_urgency,
    table_incidents,
)
from tablebridge.floor.inhibition import Hidden
from tablebridge.model.alerts import Alert, closed_at
from tablebridge.web.hub import Hub
from tablebridge.web.status import TableStatus


class FloorPicture(NamedTuple):
    """What stands at these tables. `incidents`: of all of them, most urgent first; `more`: how many alerts
    are open beside those that are known; `alive`: how many tables are followed.
    """

    tables: dict[str, TableIncidents]
    incidents: list[Incident]
    closed: list[Alert]
    flood: Flood | None
    more: int
    alive: int

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


def floor_picture(hub: Hub, names: Sequence[str]) -> FloorPicture:
    """What stands at these tables now."""
    statuses = [hub.tables[name] for name in names]
    tables = {status.name: _incidents(status) for status in statuses}
    shown = flood(_all_alerts(statuses), time.time_ns(), _explained(tables), _drivers(statuses))
    if shown is not None:
        tables = {status.name: _incidents(status, "table") for status in statuses}
    return FloorPicture(
        tables,
        sorted((known for table in tables.values() for known in table.incidents), key=incident_urgency),
        sorted((alert for status in statuses for alert in status.closed), key=closed_at, reverse=True),
        shown,
        sum(status.more_alerts for status in statuses),
        hub.alive(names),
    )


def _incidents(status: TableStatus, per: Literal["hand", "table"] = "hand") -> TableIncidents:
    view = status.view
    return table_incidents(
        status.alerts.values(),
        status.out,
        {device.name: device.places for device in status.devices.values()},
        {question.finding for question in view.questions} if view else (),
        hand=view.hand if view else 0,
        per=per,
    )


def _all_alerts(statuses: Sequence[TableStatus]) -> Iterator[Alert]:
    for status in statuses:
        yield from status.alerts.values()
        yield from status.closed


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
