"""What the floor goes to: the open alerts of a table as incidents, one per hand or device.

Its most severe alert, of these the earliest, is the title of an incident; the others are lines in it. The
same finding three times within a minute is one line with a counter. What is hidden (`inhibition`) belongs to
the incident of what hides it, so that who acts on the one acts on the other.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

import msgspec

from tablebridge.floor.alerts import ORDER
from tablebridge.floor.inhibition import DevicePlaces, Hidden, hidden
from tablebridge.model.alerts import Alert, AlertState, by_urgency
from tablebridge.model.bounds import Count, Word
from tablebridge.model.findings import SEVERITIES, Severity
from tablebridge.model.floor_marks import OutOfService

_CHATTER: Final = 3
_CHATTER_NS: Final = 60 * 10**9


class IncidentLine(msgspec.Struct, frozen=True):
    """One line of an incident: an alert, and how many of its kind (`times`) stand in this line."""

    alert: Alert
    times: Count


class Incident(msgspec.Struct, frozen=True):
    """What one person goes to. `id`: the same as long as it is open. `title`: the alert that names it; it is
    the first of the `lines`. `members`: all of its alerts, `suppressed` ones too, the title first.
    `left_open`: it is of a hand that is over.
    """

    id: str
    table: Word
    hand: Count
    device: Word
    severity: Severity
    state: AlertState
    title: Alert
    lines: tuple[IncidentLine, ...]
    suppressed: tuple[Hidden, ...]
    members: tuple[Alert, ...]
    left_open: bool = False

    @property
    def taken_by(self) -> str:
        """Who is on the way, empty if nobody is."""
        return next((line.alert.life[-1].by for line in self.lines if line.alert.state == "taken"), "")

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has seen some of it."""
        return self.state == "raised"


class TableIncidents(msgspec.Struct, frozen=True):
    """What is open at one table. `shelved`: alerts that wait on the shelf; `unserved`: alerts that are hidden
    because their device or the table is out of service (`out`).
    """

    incidents: tuple[Incident, ...]
    shelved: tuple[Alert, ...]
    unserved: tuple[Hidden, ...]
    out: tuple[OutOfService, ...]


def table_incidents(
    alerts: Iterable[Alert],
    out: Sequence[OutOfService],
    places: DevicePlaces,
    waiting: Collection[str],
    *,
    hand: int = 0,
    per: Literal["hand", "table"] = "hand",
) -> TableIncidents:
    """The incidents of one table, most urgent first. `waiting`: the alerts for which the table waits for a
    ruling; `hand`: the hand under way; `per`: whether hands and devices share an incident.
    """
    known = sorted(alerts, key=by_urgency)
    unseen = hidden(known, out, places, waiting)
    by_id = {alert.id: alert for alert in known}
    shelved = [alert for alert in known if alert.shelved is not None and alert.id not in waiting]
    resting = {alert.id for alert in shelved}
    groups: dict[str, list[Alert]] = {}
    suppressed: dict[str, list[Hidden]] = {}
    for alert in known:
        if alert.id in resting:
            continue
        mark = unseen.get(alert.id)
        if mark is None:
            groups.setdefault(_key(alert, per), []).append(alert)
        elif mark.by:
            suppressed.setdefault(_key(_root(mark, unseen, by_id), per), []).append(mark)
    for key in [key for key in suppressed if key not in groups]:
        # What hides them rests itself: they are on the shelf with it.
        shelved += [mark.alert for mark in suppressed.pop(key)]
    made = [_incident(key, group, suppressed.get(key, []), hand) for key, group in groups.items()]
    return TableIncidents(
        tuple(sorted(made, key=incident_urgency)),
        tuple(shelved),
        tuple(mark for mark in unseen.values() if not mark.by and mark.alert.id not in resting),
        tuple(out),
    )


def incident_urgency(incident: Incident) -> tuple[int, bool, int, str]:
    """The key that sorts incidents: most severe first, those of hands that are over behind, then oldest."""
    return (
        -SEVERITIES.index(incident.severity),
        incident.left_open,
        incident.title.raised_at.wall_ns,
        incident.id,
    )


def _root(mark: Hidden, unseen: dict[str, Hidden], by_id: dict[str, Alert]) -> Alert:
    """The alert that hides this one and is not hidden itself by another."""
    while (further := unseen.get(mark.by)) is not None and further.by:
        mark = further
    return by_id[mark.by]


def _key(alert: Alert, per: str) -> str:
    if per == "table":
        return f"{alert.table}-table"
    return f"{alert.table}-device-{alert.device}" if alert.device else f"{alert.table}-hand-{alert.hand}"


def _incident(key: str, alerts: list[Alert], suppressed: list[Hidden], hand: int) -> Incident:
    title = alerts[0]
    return Incident(
        key,
        title.table,
        title.hand,
        title.device,
        title.severity,
        min((alert.state for alert in alerts), key=ORDER.index),
        title,
        _lines(alerts),
        tuple(suppressed),
        (*alerts, *(mark.alert for mark in suppressed)),
        left_open=not title.device and 0 < title.hand < hand,
    )


def _lines(alerts: list[Alert]) -> tuple[IncidentLine, ...]:
    """The alerts as lines, in their order; those of a chattering finding share the line of the first."""
    lines: list[IncidentLine] = []
    shared: set[str] = set()
    for alert in alerts:
        if alert.id in shared:
            continue
        same = [other for other in alerts if _kind(other) == _kind(alert) and other.id not in shared]
        times = sorted(other.raised_at.wall_ns for other in same)
        chatters = any(
            last - first <= _CHATTER_NS for first, last in zip(times, times[_CHATTER - 1 :], strict=False)
        )
        together = same if chatters else [alert]
        shared |= {other.id for other in together}
        lines.append(IncidentLine(alert, sum(other.times for other in together)))
    return tuple(lines)


def _kind(alert: Alert) -> tuple[str, str | None, int | None, str, str]:
    return alert.finding, alert.cause, alert.seat, alert.device, alert.severity
