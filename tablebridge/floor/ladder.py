"""The ladder: when an alert rings again, and for whom. Pure: the time is an argument.

Theory. An alert rings when it is raised, for those whom `model.alerts.rung` names. To acknowledge it ends the
ringing, and not the clock: each state that waits for a person has rungs, by seconds since it was reached, and
after the last one it rings every `again_s`. Whoever was rung before is rung again with those who are added. A
change of state ends its rungs, and so does a condition that goes away by itself.

    state          rungs                                                   why
    raised         warning: all, then managers; critical: managers         not-seen
    acknowledged   all, then managers as for a critical alert              not-taken
    taken          all, then managers as for a critical alert              not-ruled
    ruled          none: the table confirms it

Time that nobody counted, since no engine ran, is made good by one ring for its highest rung.
"""

from typing import Final, NamedTuple

from tablebridge.model.alerts import Alert, AlertState, Audience, Ring, Unanswered
from tablebridge.model.instant import Instant, seconds_between
from tablebridge.settings.site import Ringing

_WHY: Final[dict[AlertState, Unanswered]] = {
    "raised": "not-seen",
    "acknowledged": "not-taken",
    "taken": "not-ruled",
}


class Rung(NamedTuple):
    """`after_s`: seconds since the alert reached its state; `to`: who is rung then."""

    after_s: float
    to: Audience


def rungs(alert: Alert, times: Ringing) -> tuple[Rung, ...]:
    """The rungs of the alert's present state, in their order."""
    if alert.state == "raised":
        managers = Rung(times.critical_manager_s, "manager")
        if alert.severity == "critical":
            return (managers,)
        return Rung(times.warning_all_s, "all"), Rung(times.warning_manager_s, "manager")
    first = {"acknowledged": times.not_taken_s, "taken": times.not_ruled_s}.get(alert.state)
    if first is None:
        return ()
    return Rung(first, "all"), Rung(first + times.critical_manager_s, "manager")


def due(alert: Alert, times: Ringing, now: Instant) -> Ring | None:
    """How the alert is to ring now, if it is."""
    ladder = rungs(alert, times)
    if alert.cleared or not ladder:
        return None
    reached = alert.life[-1].at if alert.life else alert.raised_at
    number = _reached(ladder, times.again_s, seconds_between(reached, now))
    if number <= (alert.ring.number if alert.ring is not None else 0):
        return None
    return Ring(number, ladder[min(number, len(ladder)) - 1].to, _WHY[alert.state], now)


def _reached(ladder: tuple[Rung, ...], again_s: float, elapsed_s: float) -> int:
    """How many rungs lie behind, those after the last one counted as well."""
    passed = sum(rung.after_s <= elapsed_s for rung in ladder)
    if passed < len(ladder):
        return passed
    return passed + int((elapsed_s - ladder[-1].after_s) / again_s)
