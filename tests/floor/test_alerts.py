"""The life of an alert."""

import msgspec
import pytest

from tablebridge.bus.messages import ActiveAlerts, TableSignal, active_alerts, decode, encode
from tablebridge.floor.alerts import Alerts, for_staff
from tablebridge.floor.inhibition import worst
from tablebridge.model.alerts import AlertChange
from tablebridge.model.cards import Card
from tablebridge.model.errors import Refused
from tablebridge.model.findings import Finding, Severity
from tablebridge.model.floor_marks import Shelf, Shelve, Unshelve
from tablebridge.model.instant import START, Instant, later


def finding(
    kind: str = "flop-count",
    severity: Severity = "warning",
    number: str = "5.0",
    device: str = "",
    remedy: str = "call-floor",
) -> Finding:
    return Finding(
        number,
        kind,
        severity,
        "tda-2022",
        "1",
        3,
        "flop",
        "The flop has four cards.",
        rule="39-A",
        cards=(Card("Ah"), Card("Kd")),
        public_cards=(Card("Kd"),),
        remedy=(remedy,),
        device=device,
    )


def test_only_warnings_critical_findings_and_those_that_call_the_floor_want_a_person() -> None:
    alerts = Alerts()
    assert alerts.raise_(finding(severity="notice", remedy="warn"), START) is None
    called = alerts.raise_(finding(severity="notice", number="4.0"), START)
    assert called is not None and called.severity == "warning"
    assert alerts.raise_(finding(), START) is not None
    assert alerts.raise_(finding(), START) is None, "the same finding once"


def test_an_alert_and_a_finding_for_staff_hold_only_open_faces() -> None:
    alert = Alerts().raise_(finding(), START)
    assert alert is not None
    assert alert.cards == (Card("Kd"),)
    assert for_staff(finding()).cards == (Card("Kd"),)


def test_the_whole_life_is_kept_with_names() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    for seconds, state in enumerate(("acknowledged", "taken", "ruled", "closed")):
        name = "Dealer" if state == "closed" else "Anna"
        alert = alerts.change(AlertChange("5.0", state, name), later(START, seconds))  # type: ignore[arg-type]
    assert [(step.state, step.by) for step in alert.life] == [
        ("raised", ""),
        ("acknowledged", "Anna"),
        ("taken", "Anna"),
        ("ruled", "Anna"),
        ("closed", "Dealer"),
    ]
    assert alerts.active() == ()


def test_the_second_to_take_reads_who_was_first() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    alerts.change(AlertChange("5.0", "taken", "Anna"), START)
    with pytest.raises(Refused, match="Anna was first"):
        alerts.change(AlertChange("5.0", "taken", "Boris"), START)


@pytest.mark.parametrize(("kind", "severity"), [("misdeal", "warning"), ("fouled-deck", "critical")])
def test_what_is_latched_closes_only_after_a_ruling(kind: str, severity: Severity) -> None:
    alerts = Alerts()
    alerts.raise_(finding(kind, severity), START)
    with pytest.raises(Refused, match="ruled"):
        alerts.change(AlertChange("5.0", "closed", "Anna"), START)
    alerts.change(AlertChange("5.0", "ruled", "Anna"), START)
    alerts.change(AlertChange("5.0", "closed", "Anna"), START)


def test_what_another_has_taken_is_ruled_only_in_that_persons_place() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    alerts.change(AlertChange("5.0", "taken", "Boris"), START)
    with pytest.raises(Refused, match="Boris has taken"):
        alerts.change(AlertChange("5.0", "ruled", "Anna"), START)
    assert alerts.change(AlertChange("5.0", "ruled", "Anna", over=True), START).life[-1].by == "Anna"


def test_an_alert_for_which_the_table_waits_again_is_raised_again_and_latched() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    assert alerts.wait(finding(), START) is None, "it is there and nobody has ruled"
    alerts.change(AlertChange("5.0", "ruled", "Anna"), START)
    again = alerts.wait(finding(), START)
    assert (
        again is not None and again.state == "raised" and again.life[-1].note == "The ruling was taken back."
    )
    alerts.change(AlertChange("5.0", "closed", "Anna"), START)
    assert alerts.wait(finding(), START) is not None and len(alerts.active()) == 1


def test_rulings_that_are_taken_back_again_and_again_still_fit_into_a_message() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    for seconds in range(9):
        alerts.change(AlertChange("5.0", "ruled", f"Anna {seconds}"), later(START, seconds))
        alert = alerts.wait(finding(), later(START, seconds))
    assert alert is not None and alert.life[0].at == START
    assert [step.by for step in alert.life[1:]] == ["Anna 7", "", "Anna 8", ""]
    assert decode(encode(active_alerts(alerts.active(), 1, 1)), ActiveAlerts).alerts == (alert,)


def test_what_was_closed_long_ago_is_forgotten_and_what_was_closed_last_is_not() -> None:
    alerts = Alerts()
    for number in range(2000):
        alerts.raise_(finding(number=f"{number}.0", kind="deal-order", severity="warning"), START)
        alerts.change(AlertChange(f"{number}.0", "closed", "Anna"), START)
    assert len(alerts.kept().closed) == 1000
    assert alerts.raise_(finding(number="1999.0"), START) is None


def test_unnamed_unknown_and_closed_are_refused_in_words() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    with pytest.raises(Refused, match="name"):
        alerts.change(AlertChange("5.0", "taken", ""), START)
    with pytest.raises(Refused, match="no such alert"):
        alerts.change(AlertChange("6.0", "taken", "Anna"), START)
    alerts.change(AlertChange("5.0", "closed", "Anna"), START)
    with pytest.raises(Refused, match="closed already"):
        alerts.change(AlertChange("5.0", "taken", "Anna"), START)


def test_a_cleared_condition_stays_in_the_queue_until_seen() -> None:
    alerts = Alerts()
    alerts.raise_(finding("device-offline", device="seat-3"), START)
    assert [alert.cleared for alert in alerts.clear_device("seat-3", (), START)] == [True]
    assert alerts.clear_device("seat-3", (), START) == ()
    assert [alert.cleared for alert in alerts.active()] == [True]


def test_a_condition_that_stands_is_not_cleared_by_another_that_went() -> None:
    alerts = Alerts()
    for number in ("5.0", "6.0"):
        alerts.raise_(finding("device-degraded", number=number, device="seat-3"), START)
    assert [alert.id for alert in alerts.clear_device("seat-3", {"6.0"}, START)] == ["5.0"]


def test_the_most_severe_come_first_then_the_oldest() -> None:
    alerts = Alerts()
    alerts.raise_(finding(number="1.0"), later(START, 1))
    alerts.raise_(finding(number="2.0"), START)
    alerts.raise_(finding("fouled-deck", "critical", "3.0"), later(START, 9))
    assert [alert.id for alert in alerts.active()] == ["3.0", "2.0", "1.0"]


def test_what_a_light_shows() -> None:
    alerts = Alerts()
    assert worst(alerts.active(), ()) == TableSignal("clear")
    alerts.raise_(finding(), START)
    alerts.raise_(finding("fouled-deck", "critical", "c"), START)
    assert worst(alerts.active(), ()) == TableSignal("critical")
    alerts.change(AlertChange("c", "acknowledged", "Anna"), START)
    assert worst(alerts.active(), ()) == TableSignal("critical", taken=True)
    standing = [one for one in alerts.active() if one.severity == "warning"]
    assert worst(standing, ()) == TableSignal("warning")
    assert worst(standing, {standing[0].id}) == TableSignal("clear")
    gone = [msgspec.structs.replace(alert, cleared=True) for alert in standing]
    assert worst(gone, ()) == TableSignal("clear")


def test_a_second_call_of_the_floor_is_no_second_alert_while_the_first_is_open() -> None:
    alerts = Alerts()
    assert alerts.raise_(finding("floor-called", number="5.0"), START) is not None
    assert alerts.raise_(finding("floor-called", number="6.0"), START) is None
    alerts.change(AlertChange("5.0", "taken", "Anna"), START)
    assert alerts.raise_(finding("floor-called", number="7.0"), START) is None
    alerts.change(AlertChange("5.0", "closed", "Anna"), START)
    again = alerts.raise_(finding("floor-called", number="8.0"), START)
    assert again is not None
    alerts.clear_withdrawn(3, (), START)
    assert alerts.raise_(finding("floor-called", number="9.0"), START) is not None, "the first was taken back"


def test_who_took_an_alert_by_mistake_says_that_nobody_goes() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    with pytest.raises(Refused, match="Nobody is on the way: the alert is raised"):
        alerts.change(AlertChange("5.0", "acknowledged", "Anna"), START, back=True)
    alerts.change(AlertChange("5.0", "taken", "Anna"), START)
    with pytest.raises(Refused, match="Anna was first"):
        alerts.change(AlertChange("5.0", "acknowledged", "Anna"), START)
    with pytest.raises(Refused, match="Anna has taken"):
        alerts.change(AlertChange("5.0", "acknowledged", "Boris"), START, back=True)
    back = alerts.change(AlertChange("5.0", "acknowledged", "Anna"), START, back=True)
    assert (back.state, [step.state for step in back.life]) == (
        "acknowledged",
        ["raised", "taken", "acknowledged"],
    )
    assert alerts.change(AlertChange("5.0", "taken", "Boris"), START).life[-1].by == "Boris"


def test_a_warning_waits_on_the_shelf_until_its_time_is_over_or_somebody_acts_on_it() -> None:
    alerts = Alerts()
    alerts.raise_(finding(), START)
    mark = Shelve("5.0", 10, "seat change", "Anna")
    alerts.check_mark(mark)
    shelved = alerts.mark(mark, START)
    assert shelved is not None and shelved.shelved == Shelf(START, 10, "Anna", "seat change")
    with pytest.raises(Refused, match="Anna was first"):
        alerts.check_mark(mark)
    assert alerts.over(later(START, 599)) == ()
    assert alerts.over(later(START, 600)) == (Unshelve("5.0"),)
    assert alerts.over(Instant(601 * 10**9, 5, "after a restart")) == (Unshelve("5.0"),)
    again = alerts.mark(Unshelve("5.0"), later(START, 600))
    assert again is not None and again.shelved is None and again.state == "raised"
    alerts.mark(mark, START)
    assert alerts.change(AlertChange("5.0", "taken", "Anna"), START).shelved is None


def test_neither_a_critical_alert_nor_one_without_a_reason_goes_on_the_shelf() -> None:
    alerts = Alerts()
    alerts.raise_(finding("fouled-deck", "critical"), START)
    alerts.raise_(finding(number="6.0"), START)
    with pytest.raises(Refused, match="never put on the shelf"):
        alerts.check_mark(Shelve("5.0", 10, "later", "Anna"))
    with pytest.raises(Refused, match="why"):
        alerts.check_mark(Shelve("6.0", 10, " ", "Anna"))
    with pytest.raises(Refused, match="not on the shelf"):
        alerts.check_mark(Unshelve("6.0", "Anna"))
