"""What a person may do to an incident, and which of its alerts that changes."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from tablebridge.floor.incidents import Incident
from tablebridge.model.alerts import Alert, AlertState

ActName = Literal["acknowledged", "taken", "released", "ruled", "shelved", "closed"]
_FROM: Final[dict[ActName, tuple[AlertState, ...]]] = {
    "acknowledged": ("raised",),
    "taken": ("raised", "acknowledged"),
    "released": ("taken",),
    "ruled": ("taken",),
    "shelved": ("raised", "acknowledged"),
}


class Act(NamedTuple):
    """What a person may do to an incident. `alerts`: the ids of those that it changes, none if it cannot be
    done now; `over`: who else has taken one of them, so that it is asked whether to act in that person's
    place.
    """

    to: ActName
    alerts: tuple[str, ...]
    over: str


def act(incident: Incident, to: ActName, me: str, waiting: Mapping[tuple[str, str], object]) -> Act:
    """What this act of this person would change. `waiting`: the alerts by table and id that wait for one of
    the rulings that their table offers.
    """
    changed = [
        alert
        for alert in incident.members
        if _may(alert, to) and _fits(alert, to, waits=(alert.table, alert.id) in waiting)
    ]
    others = {alert.life[-1].by for alert in changed if alert.state == "taken"} - {me}
    return Act(to, tuple(alert.id for alert in changed), min(others, default=""))


def _may(alert: Alert, to: ActName) -> bool:
    if to == "closed":
        return alert.state == "ruled" or (alert.cleared and alert.state != "raised" and not alert.is_latched)
    return alert.state in _FROM[to]


def _fits(alert: Alert, to: ActName, *, waits: bool) -> bool:
    """Whether the act is none that the table waits for, or that may not be done to such an alert."""
    if to == "shelved":
        return alert.severity != "critical" and not waits
    return not (waits and to in ("ruled", "closed"))


def is_asked(incident: Incident, waiting: Mapping[tuple[str, str], object]) -> bool:
    """Whether a table waits for a ruling on one of its alerts."""
    return any((alert.table, alert.id) in waiting for alert in incident.members)
