"""Alerts: findings that need a person, as a fold.

A finding of severity `warning` or `critical` raises an alert; its life is in this table, read "from: to". A
step back does not exist; a person may skip steps forward, but what is latched (critical findings, misdeals)
closes only after a ruling.

    raised        acknowledged  taken  ruled  closed
    acknowledged                taken  ruled  closed
    taken                              ruled  closed
    ruled                                     closed

A finding that calls the floor raises an alert whatever its severity. One thing steps back: if a ruling is
taken back the table waits again, and its alert is raised again.

The first person who takes an alert has it: a second one reads who has it and since when. A condition that
goes away by itself marks the alert `cleared` and leaves it where it is until somebody saw it (after ISA-18.2:
acknowledged and cleared are two axes). An alert holds only faces that lie open.

A device that comes and goes before anybody has seen its alert has one alert, which counts how often
(`times`).
"""

import heapq
from collections.abc import Collection, Iterable
from typing import Any, Final, Literal

import msgspec

from tablebridge.bus.messages import MOST_ALERTS, ActiveAlerts, TableSignal, active_alerts
from tablebridge.model.alerts import MOST_STEPS, Alert, AlertChange, AlertState, Step, by_urgency
from tablebridge.model.errors import Refused
from tablebridge.model.findings import Finding, Severity
from tablebridge.model.instant import Instant
from tablebridge.model.sentences import sentence_of

ORDER: Final[tuple[AlertState, ...]] = ("raised", "acknowledged", "taken", "ruled", "closed")
_CLOSED_KEPT: Final = 1000
"""More than anybody closes in the two hands that a correction reaches, which may find the same again."""
_SHOWN: Final = 50
"""How many closed alerts are kept whole, for who asks later."""
_ALERTING: Final[tuple[Severity, ...]] = ("critical", "warning")
"""The severities that an alert may have."""
CALLED: Final = "floor-called"
"""The finding that the dealer calls the floor."""
_OF_THE_BOX: Final = ("journal-broken", "journal-restored", "second-engine", "disclosure-changed")
"""Findings about the box, which the end of a hand does not settle."""
_STATE_NAMES: Final = {
    "acknowledged": "seen",
    "taken": "taken",
    "ruled": "ruled",
    "closed": "closed",
    "raised": "raised",
}


class KeptAlerts(msgspec.Struct, frozen=True):
    """The alerts of a table as they are kept on disk: those that are not closed, the ids of those that were
    closed last, and the last of these whole, the latest last.
    """

    open: tuple[Alert, ...]
    closed: tuple[str, ...]
    shown: tuple[Alert, ...] = ()


def worst(alerts: Iterable[Alert]) -> TableSignal:
    """What a signal light shows of these alerts; those whose reason has gone by itself do not count."""
    standing = [alert for alert in alerts if not alert.cleared]
    levels: tuple[Literal["critical", "warning"], ...] = ("critical", "warning")
    for level in levels:
        of_level = [alert for alert in standing if alert.severity == level]
        if of_level:
            return TableSignal(level, all(alert.state != "raised" for alert in of_level))
    return TableSignal("clear")


class Alerts:
    """All alerts of one table. Folded from findings and changes; no clock."""

    def __init__(self) -> None:
        self._open: dict[str, Alert] = {}
        self._closed: dict[str, None] = {}
        self._shown: dict[str, Alert] = {}

    def kept(self) -> KeptAlerts:
        """The alerts as they are kept on disk."""
        return KeptAlerts(tuple(self._open.values()), tuple(self._closed), tuple(self._shown.values()))

    def restore(self, kept: KeptAlerts) -> None:
        """These are the alerts."""
        self._open = {alert.id: alert for alert in kept.open}
        self._closed = dict.fromkeys(kept.closed)
        self._shown = {alert.id: alert for alert in kept.shown}

    def __len__(self) -> int:
        """How many are not closed."""
        return len(self._open)

    def active(self, most: int | None = None) -> tuple[Alert, ...]:
        """Alerts that are not closed, most severe first, then the oldest; no more than `most` of them."""
        return tuple(
            heapq.nsmallest(
                len(self) if most is None else most,
                self._open.values(),
                key=by_urgency,
            )
        )

    def closed_last(self) -> tuple[Alert, ...]:
        """The alerts that were closed last, the latest first."""
        return tuple(reversed(self._shown.values()))

    def message(self, rev: int) -> ActiveAlerts:
        """As many of them as one message holds, and how many more there are."""
        return active_alerts(self.active(MOST_ALERTS), len(self), rev)

    def worst(self) -> TableSignal:
        """What a signal light shows."""
        return worst(self._open.values())

    def __contains__(self, alert: str) -> bool:
        """Whether the alert with this id is not closed."""
        return alert in self._open

    def open(self, alert: str) -> Alert:
        """The alert with this id, which is not closed. Raises KeyError if there is none."""
        return self._open[alert]

    def raise_(self, finding: Finding, at: Instant) -> Alert | None:
        """The alert that a finding raises, or raises again; None if it needs nobody, or was raised before."""
        if finding.id in self._open or finding.id in self._closed:
            return None
        if finding.severity not in _ALERTING and "call-floor" not in finding.remedy:
            return None
        if finding.finding == CALLED and any(
            alert.finding == CALLED and not alert.cleared for alert in self._open.values()
        ):
            # A second call of the floor adds nothing.
            return None
        before = self._unseen_loss(finding)
        if before is not None:
            again = msgspec.structs.replace(before, cleared=False, times=before.times + 1, latest=finding.id)
            self._open[before.id] = again
            return again
        return self._raise(finding, at)

    def wait(self, finding: Finding, at: Instant) -> Alert | None:
        """The table waits for the floor to rule on this finding: see that its alert is there and not ruled.
        None if it is.
        """
        alert = self._open.get(finding.id)
        if alert is None:
            self._closed.pop(finding.id, None)
            self._shown.pop(finding.id, None)
            return self._raise(finding, at)
        if alert.state != "ruled":
            return None
        step = Step("raised", at, note="The ruling was taken back.")
        self._open[alert.id] = again = msgspec.structs.replace(
            alert, state="raised", cleared=False, life=_lived(alert, step)
        )
        return again

    def _raise(self, finding: Finding, at: Instant) -> Alert:
        alert = Alert(
            id=finding.id,
            table=finding.table,
            hand=finding.hand,
            finding=finding.finding,
            severity=finding.severity if finding.severity in _ALERTING else "warning",
            state="raised",
            sentence=sentence_of(finding),
            raised_at=at,
            rulebook=finding.rulebook,
            rule=finding.rule,
            cause=finding.cause,
            seat=finding.seat,
            cards=finding.public_cards,
            remedy=finding.remedy,
            street=finding.street,
            device=finding.device,
            life=(Step("raised", at),),
            text=finding.text,
            args=finding.args,
        )
        self._open[alert.id] = alert
        return alert

    def check(self, change: AlertChange) -> None:
        """Raise Refused with the reason, if what a named person wants is not possible."""
        alert = self._open.get(change.alert)
        if alert is None:
            raise Refused(
                "This alert is closed already."
                if change.alert in self._closed
                else "There is no such alert; reload the page."
            )
        if not change.by:
            raise Refused("An alert is changed by a person with a name; sign in with a token that has one.")
        if ORDER.index(change.to) <= ORDER.index(alert.state):
            last = alert.life[-1]
            raise Refused(
                f"{last.by or 'Somebody'} was first: the alert is {_STATE_NAMES[alert.state]} already."
            )
        if alert.state == "taken" and alert.life[-1].by != change.by and not change.over:
            raise Refused(
                f"{alert.life[-1].by} has taken this alert; say that you act in {alert.life[-1].by}'s place."
            )
        if change.to == "closed" and _latched(alert) and alert.state != "ruled":
            raise Refused("This alert stays until the floor has ruled on it: press Ruled first.")

    def change(self, change: AlertChange, at: Instant) -> Alert:
        """Apply what a named person does. Raises Refused as `check` does."""
        self.check(change)
        return self.apply(change, at)

    def apply(self, change: AlertChange, at: Instant) -> Alert:
        """Apply a change that was checked, now or before it was recorded."""
        alert = self._open[change.alert]
        alert = msgspec.structs.replace(
            alert, state=change.to, life=_lived(alert, Step(change.to, at, change.by, change.note))
        )
        if change.to == "closed":
            del self._open[alert.id]
            self._closed[alert.id] = None
            self._shown[alert.id] = alert
            _forget_oldest(self._closed, _CLOSED_KEPT)
            _forget_oldest(self._shown, _SHOWN)
        else:
            self._open[alert.id] = alert
        return alert

    def clear_device(self, device: str, standing: Collection[str]) -> tuple[Alert, ...]:
        """Mark the alerts that a device was lost or did not work, but for those whose findings still
        stand.
        """
        return self._clear(
            alert
            for alert in self._open.values()
            if alert.device == device
            and alert.finding in ("device-offline", "device-degraded")
            and (alert.latest or alert.id) not in standing
        )

    def clear_withdrawn(self, hand: int, standing: Collection[str]) -> tuple[Alert, ...]:
        """Mark the alerts of a hand whose findings no longer stand after a correction. No correction of a
        hand takes back what happened to the record or to the overlay.
        """
        return self._clear(
            alert
            for alert in self._open.values()
            if alert.hand == hand and alert.id not in standing and alert.finding not in _OF_THE_BOX
        )

    def clear_counted(self, hand: int, standing: Collection[str]) -> tuple[Alert, ...]:
        """Mark the alerts of a tray, and of this hand's pot, whose counts fit again or differ by another
        amount now.
        """
        return self._clear(
            alert
            for alert in self._open.values()
            if alert.id not in standing
            and (
                alert.finding == "tray-mismatch"
                or (alert.finding == "pot-mismatch" and alert.hand == hand and not alert.seat)
            )
        )

    def _unseen_loss(self, finding: Finding) -> Alert | None:
        """The alert that nobody has seen of the same device having been lost before."""
        if finding.finding != "device-offline":
            return None
        return next(
            (
                alert
                for alert in self._open.values()
                if alert.finding == finding.finding
                and alert.device == finding.device
                and alert.state == "raised"
                and alert.cleared
            ),
            None,
        )

    def _clear(self, alerts: Iterable[Alert]) -> tuple[Alert, ...]:
        cleared = tuple(msgspec.structs.replace(alert, cleared=True) for alert in alerts if not alert.cleared)
        self._open.update((alert.id, alert) for alert in cleared)
        return cleared


def _latched(alert: Alert) -> bool:
    return alert.severity == "critical" or alert.finding == "misdeal"


def _lived(alert: Alert, step: Step) -> tuple[Step, ...]:
    """The life of an alert with one more step: a ruling may be taken back and given again without end."""
    raised, *steps = alert.life
    return raised, *[*steps, step][1 - MOST_STEPS :]


def _forget_oldest(closed: dict[str, Any], most: int) -> None:
    """Keep no more than `most` of these, which come one by one."""
    if len(closed) > most:
        del closed[next(iter(closed))]


def for_staff(finding: Finding) -> Finding:
    """The finding with no other faces than those that lie open."""
    return msgspec.structs.replace(finding, cards=finding.public_cards)
