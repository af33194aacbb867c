"""Alerts: findings that need a person, as a fold.

A finding of severity `warning` or `critical` raises an alert; its life is in this table, read "from: to". A
person may skip steps forward, but what is latched (critical findings, misdeals) closes only after a ruling.

    raised        acknowledged  taken  ruled  closed
    acknowledged                taken  ruled  closed
    taken         acknowledged         ruled  closed
    ruled                                     closed

A finding that calls the floor raises an alert whatever its severity, and so does an offence for which
something is still to be given. Two things step back: who took an alert
may say that nobody goes after all (`back`), so that it is acknowledged; and if a ruling is taken back the
table waits again, and its alert is raised again.

The first person who takes an alert has it: a second one reads who has it and since when. A condition that
goes away by itself marks the alert `cleared` and leaves it where it is until somebody saw it (after ISA-18.2:
acknowledged and cleared are two axes). An alert holds only faces that lie open.

A warning may wait on the shelf for a while; it is taken from there by a person, or when its time is over.

A device that comes and goes before anybody has seen its alert has one alert, which counts how often
(`times`).
"""

import heapq
from collections.abc import Collection, Iterable
from typing import Any, Final

import msgspec

from tablebridge.model.alerts import MOST_STEPS, Alert, AlertChange, AlertState, Ring, Step, by_urgency
from tablebridge.model.errors import Refused
from tablebridge.model.findings import Finding, Severity
from tablebridge.model.floor_marks import Shelf, Shelve, Unshelve
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
_OF_THE_BOX: Final = (
    "journal-broken",
    "journal-restored",
    "second-engine",
    "disclosure-changed",
    "notification-failed",
)
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

    def __contains__(self, alert: str) -> bool:
        """Whether the alert with this id is not closed."""
        return alert in self._open

    def open(self, alert: str) -> Alert:
        """The alert with this id, which is not closed. Raises KeyError if there is none."""
        return self._open[alert]

    def raise_(self, finding: Finding, at: Instant) -> Alert | None:
        """The alert that a finding raises, or raises again; None if it needs nobody, or was raised before
        and gives back what it gave back."""
        if finding.id in self._open:
            return self.refund(finding.id, finding.refunds)
        if finding.id in self._closed:
            return None
        if not is_alerting(finding):
            return None
        if finding.finding == CALLED and any(
            alert.finding == CALLED and not alert.cleared for alert in self._open.values()
        ):
            # A second call of the floor adds nothing.
            return None
        before = _unseen_loss(self._open.values(), finding)
        if before is not None:
            again = msgspec.structs.replace(
                before, cleared=False, cleared_wall_ns=0, times=before.times + 1, latest=finding.id, ring=None
            )
            self._open[before.id] = again
            return again
        return self._raise(finding, at)

    def refund(self, id: str, refunds: dict[int, int]) -> Alert | None:
        """These chips go back by this alert, or by the ruling on it. None if it is closed or says so
        already.
        """
        alert = self._open.get(id)
        if alert is None or alert.refunds == refunds:
            return None
        self._open[id] = alert = msgspec.structs.replace(alert, refunds=refunds)
        return alert

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
            alert,
            state="raised",
            cleared=False,
            cleared_wall_ns=0,
            shelved=None,
            life=_lived(alert, step),
            ring=None,
        )
        return again

    def _raise(self, finding: Finding, at: Instant) -> Alert:
        self._open[finding.id] = alert = _raised(finding, at)
        return alert

    def check(self, change: AlertChange, *, back: bool = False) -> None:
        """Raise Refused with the reason, if what a named person wants is not possible. `back`: nobody goes
        after all.
        """
        alert = self._alert(change.alert, change.by)
        if back and (alert.state, change.to) != ("taken", "acknowledged"):
            raise Refused(f"Nobody is on the way: the alert is {_STATE_NAMES[alert.state]}.")
        if not back and ORDER.index(change.to) <= ORDER.index(alert.state):
            last = alert.life[-1]
            raise Refused(
                f"{last.by or 'Somebody'} was first: the alert is {_STATE_NAMES[alert.state]} already."
            )
        if alert.state == "taken" and alert.life[-1].by != change.by and not change.over:
            raise Refused(
                f"{alert.life[-1].by} has taken this alert; say that you act in {alert.life[-1].by}'s place."
            )
        if change.to == "closed" and alert.is_latched and alert.state != "ruled":
            raise Refused("This alert stays until the floor has ruled on it: press Ruled first.")

    def change(self, change: AlertChange, at: Instant, *, back: bool = False) -> Alert:
        """Apply what a named person does. Raises Refused as `check` does."""
        self.check(change, back=back)
        return self.apply(change, at)

    def apply(self, change: AlertChange, at: Instant) -> Alert:
        """Apply a change that was checked, now or before it was recorded."""
        alert = self._open[change.alert]
        alert = msgspec.structs.replace(
            alert,
            state=change.to,
            shelved=None,
            life=_lived(alert, Step(change.to, at, change.by, change.note, change.done)),
            ring=None,
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

    def ring(self, id: str, ring: Ring) -> Alert:
        """The alert with this id, which is not closed, rings again."""
        self._open[id] = alert = msgspec.structs.replace(self._open[id], ring=ring)
        return alert

    def check_mark(self, mark: Shelve | Unshelve) -> None:
        """Raise Refused with the reason, if the alert may not be put on the shelf or taken from it."""
        alert = self._alert(mark.alert, mark.by)
        if isinstance(mark, Unshelve):
            if alert.shelved is None:
                raise Refused("This alert is not on the shelf.")
            return
        if alert.shelved is not None:
            raise Refused(f"{alert.shelved.by} was first: the alert is on the shelf already.")
        if alert.severity == "critical":
            raise Refused("A critical alert is never put on the shelf.")
        if not mark.why.strip():
            raise Refused("Write why the alert can wait.")

    def mark(self, mark: Shelve | Unshelve, at: Instant) -> Alert | None:
        """Apply a mark that was checked, now or before it was recorded; None if the alert is not open."""
        alert = self._open.get(mark.alert)
        if alert is None:
            return None
        shelf = Shelf(at, mark.minutes, mark.by, mark.why) if isinstance(mark, Shelve) else None
        self._open[alert.id] = alert = msgspec.structs.replace(alert, shelved=shelf)
        return alert

    def over(self, now: Instant) -> tuple[Unshelve, ...]:
        """What is to be taken from the shelf because its time is over."""
        return tuple(
            Unshelve(alert.id)
            for alert in self._open.values()
            if alert.shelved is not None and alert.shelved.is_over(now)
        )

    def _alert(self, id: str, by: str) -> Alert:
        """The open alert with this id, for a person with this name. Raises Refused."""
        alert = self._open.get(id)
        if alert is None:
            raise Refused(
                "This alert is closed already."
                if id in self._closed
                else "There is no such alert; reload the page."
            )
        if not by:
            raise Refused("An alert is changed by a person with a name; sign in with a token that has one.")
        return alert

    def clear_device(self, device: str, standing: Collection[str], at: Instant) -> tuple[Alert, ...]:
        """Mark the alerts that a device was lost or did not work, but for those whose findings still
        stand.
        """
        return self._clear(
            at,
            [
                alert
                for alert in self._open.values()
                if alert.device == device
                and alert.finding in ("device-offline", "device-degraded")
                and (alert.latest or alert.id) not in standing
            ],
        )

    def clear_withdrawn(self, hand: int, standing: Collection[str], at: Instant) -> tuple[Alert, ...]:
        """Mark the alerts of a hand whose findings no longer stand after a correction. No correction of a
        hand takes back what happened to the record or to the overlay.
        """
        return self._clear(
            at,
            [
                alert
                for alert in self._open.values()
                if alert.hand == hand and alert.id not in standing and alert.finding not in _OF_THE_BOX
            ],
        )

    def clear_counted(self, hand: int, standing: Collection[str], at: Instant) -> tuple[Alert, ...]:
        """Mark the alerts of a tray, of stacks, and of this hand's pot, whose counts fit again or differ by
        another amount now.
        """
        return self._clear(
            at,
            [
                alert
                for alert in self._open.values()
                if alert.id not in standing
                and (
                    alert.finding in ("tray-mismatch", "stack-mismatch")
                    or (alert.finding == "pot-mismatch" and alert.hand == hand and not alert.seat)
                )
            ],
        )

    def _clear(self, at: Instant, alerts: Iterable[Alert]) -> tuple[Alert, ...]:
        cleared = tuple(
            msgspec.structs.replace(alert, cleared=True, cleared_wall_ns=at.wall_ns)
            for alert in alerts
            if not alert.cleared
        )
        self._open.update((alert.id, alert) for alert in cleared)
        return cleared


def _raised(finding: Finding, at: Instant) -> Alert:
    """The alert of a finding."""
    return Alert(
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
        refunds=finding.refunds,
        gives=finding.gives,
    )


def is_alerting(finding: Finding) -> bool:
    """Whether the finding wants a person."""
    return finding.severity in _ALERTING or "call-floor" in finding.remedy or bool(finding.gives)


def _unseen_loss(alerts: Iterable[Alert], finding: Finding) -> Alert | None:
    """The alert that nobody has seen of the same device having been lost before."""
    if finding.finding != "device-offline":
        return None
    return next(
        (
            alert
            for alert in alerts
            if alert.finding == finding.finding
            and alert.device == finding.device
            and alert.state == "raised"
            and alert.cleared
        ),
        None,
    )


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
