"""The ladder: who is rung, when, and what ends it."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.floor.alerts import Alerts
from tablebridge.floor.inhibition import worst
from tablebridge.floor.ladder import due
from tablebridge.model.alerts import Alert, AlertChange, rings, rung
from tablebridge.model.findings import Finding, Severity
from tablebridge.model.instant import Instant, later
from tablebridge.settings.site import Ringing

START = Instant(1_800_000_000_000_000_000, 10**12, "boot")
TIMES = Ringing()


def raised(severity: Severity = "warning") -> tuple[Alerts, Alert]:
    alerts = Alerts()
    found = Finding(
        "5.0", "flop-count", severity, "tda-2022", "1", 3, "flop", "Four.", remedy=("call-floor",)
    )
    alert = alerts.raise_(found, START)
    assert alert is not None
    return alerts, alert


def heard(alerts: Alerts, until_s: int, since_s: int = 0) -> list[tuple[int, str, str]]:
    """When it rang again, for whom and why, looked at each second."""
    found = []
    for second in range(since_s, until_s):
        (alert,) = alerts.active()
        ring = due(alert, TIMES, later(START, second))
        if ring is not None:
            alerts.ring(alert.id, ring)
            found.append((second, ring.to, ring.why))
    return found


def test_a_warning_is_for_the_section_then_for_all_then_for_the_managers() -> None:
    alerts, alert = raised()
    assert rings(alert) and rung(alert) == "section"
    assert heard(alerts, 1000) == [
        (30, "all", "not-seen"),
        (90, "manager", "not-seen"),
        (390, "manager", "not-seen"),
        (690, "manager", "not-seen"),
        (990, "manager", "not-seen"),
    ]


def test_a_critical_alert_is_for_all_at_once_then_for_the_managers() -> None:
    alerts, alert = raised("critical")
    assert rung(alert) == "all"
    assert heard(alerts, 340) == [(45, "manager", "not-seen")]


@pytest.mark.parametrize(
    ("states", "first_s", "why"),
    [(("acknowledged",), 60, "not-taken"), (("acknowledged", "taken"), 300, "not-ruled")],
)
def test_to_acknowledge_ends_the_ringing_and_not_the_clock(
    states: tuple[str, ...], first_s: int, why: str
) -> None:
    alerts, alert = raised()
    for state in states:
        alert = alerts.change(AlertChange("5.0", state, "Anna"), later(START, 10))  # type: ignore[arg-type]
    assert not rings(alert) and worst([alert], ()).taken
    assert heard(alerts, 10 + first_s + 50) == [
        (10 + first_s, "all", why),
        (10 + first_s + 45, "manager", why),
    ]
    (again,) = alerts.active()
    assert rings(again) and not worst([again], ()).taken, "the light blinks again"


def test_a_ruling_and_a_condition_that_goes_away_end_it() -> None:
    alerts, _ = raised()
    heard(alerts, 31)
    ruled = alerts.change(AlertChange("5.0", "ruled", "Anna"), later(START, 40))
    assert ruled.ring is None and heard(alerts, 2000, 40) == []
    _, alert = raised()
    gone = msgspec.structs.replace(alert, cleared=True)
    assert not rings(gone) and due(gone, TIMES, later(START, 2000)) is None


def test_what_nobody_counted_is_made_good_by_one_ring() -> None:
    alerts, _ = raised()
    assert heard(alerts, 1001, 1000) == [(1000, "manager", "not-seen")]
    assert heard(alerts, 1200, 1001) == []


@given(st.integers(-(10**10), 10**10), st.integers(0, 10**10))
def test_a_clock_that_jumps_rings_no_more_than_the_monotonic_one(jump_s: int, elapsed_s: int) -> None:
    _, alert = raised()
    now = later(START, elapsed_s)
    jumped = msgspec.structs.replace(now, wall_ns=max(0, now.wall_ns + jump_s * 10**9))
    there, here = due(alert, TIMES, now), due(alert, TIMES, jumped)
    assert (there is None) == (here is None)
    assert there is None or here is None or (there.number, there.to) == (here.number, here.to)
