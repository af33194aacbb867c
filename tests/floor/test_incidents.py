"""What the floor goes to: one incident per hand or device, what is hidden and by what, and floods."""

import msgspec
import pytest

from tablebridge.floor.flood import Flood, flood
from tablebridge.floor.incidents import TableIncidents, table_incidents
from tablebridge.floor.inhibition import hidden
from tablebridge.model.alerts import Alert, AlertState, Step
from tablebridge.model.findings import Severity
from tablebridge.model.floor_marks import OutOfService, Shelf
from tablebridge.model.instant import START, later
from tablebridge.model.places import BOARD, Place, seat_place

PLACES = {"reader": (BOARD, seat_place(4)), "other": (seat_place(5),)}


def alert(
    number: int,
    finding: str = "flop-count",
    severity: Severity = "warning",
    state: AlertState = "raised",
    **changes: object,
) -> Alert:
    at = later(START, number)
    plain = Alert(
        f"{number:03}.0",
        "1",
        3,
        finding,
        severity,
        state,
        "",
        at,
        life=(Step("raised", at), Step(state, at, "Anna")),
    )
    return msgspec.structs.replace(plain, **changes)


def lost(number: int, device: str = "reader", **changes: object) -> Alert:
    return alert(number, "device-offline", device=device, **changes)  # type: ignore[arg-type]


def grouped(*alerts: Alert, **more: object) -> TableIncidents:
    given = {"out": (), "places": PLACES, "waiting": (), **more}
    return table_incidents(alerts, **given)  # type: ignore[arg-type]


def unseen(*alerts: Alert, out: tuple[OutOfService, ...] = (), waiting: tuple[str, ...] = ()) -> list[str]:
    return list(hidden(alerts, out, PLACES, waiting))


def test_a_hand_is_one_incident_with_the_most_severe_then_earliest_as_its_title() -> None:
    (incident,) = grouped(
        alert(1, "out-of-turn"), alert(2, "card-out-of-place", "critical"), alert(3, "undercall", "critical")
    ).incidents
    assert (incident.title.id, incident.severity) == ("002.0", "critical")
    assert [line.alert.id for line in incident.lines] == ["002.0", "003.0", "001.0"]
    assert [member.id for member in incident.members] == ["002.0", "003.0", "001.0"]


def test_each_device_and_each_hand_is_an_incident_and_hands_that_are_over_stand_behind() -> None:
    made = grouped(lost(5), alert(1, hand=2), lost(6, "other"), alert(7, "undercall"), hand=3).incidents
    assert [(incident.id, incident.left_open) for incident in made] == [
        ("1-device-reader", False),
        ("1-device-other", False),
        ("1-hand-3", False),
        ("1-hand-2", True),
    ]


def test_an_incident_is_as_far_as_its_least_advanced_alert_and_says_who_goes() -> None:
    (incident,) = grouped(alert(1, "undercall", state="taken"), alert(2, "out-of-turn")).incidents
    assert (incident.state, incident.taken_by) == ("raised", "Anna")


@pytest.mark.parametrize(("times", "lines"), [((1, 20, 40), [3]), ((1, 50, 90), [1, 1, 1]), ((1, 2), [1, 1])])
def test_a_finding_that_chatters_is_one_line_with_a_counter(times: tuple[int, ...], lines: list[int]) -> None:
    (incident,) = grouped(*(alert(second, "out-of-turn", seat=2) for second in times)).incidents
    assert [line.times for line in incident.lines] == lines
    assert len(incident.members) == len(times)


def test_a_lost_device_hides_what_is_read_wrong_at_its_places_while_it_is_lost() -> None:
    later_ones = (alert(3), alert(4, "card-out-of-place", seat=4), alert(5, "card-out-of-place", seat=5))
    assert unseen(alert(1), lost(2), *later_ones) == ["003.0", "004.0"], "not what came before, or elsewhere"
    back = lost(2, cleared=True, cleared_wall_ns=later(START, 3.5).wall_ns)
    assert unseen(back, *later_ones) == ["003.0"]
    assert unseen(lost(2), *later_ones, waiting=("003.0",)) == ["004.0"], "the table waits for it"
    named = alert(6, "card-out-of-place", args={"places": ({"place": "board", "odds": 3},)})
    assert unseen(lost(2), named) == ["006.0"]


@pytest.mark.parametrize("finding", ["fouled-deck", "deck-swapped", "misdeal"])
def test_what_ends_a_hand_hides_what_comes_later_in_it_but_nothing_more_severe(finding: str) -> None:
    of_next = alert(9, hand=4)
    ends = alert(2, finding)
    assert unseen(alert(1), ends, alert(3), alert(4, "undercall", "critical"), lost(5, "other"), of_next) == [
        "003.0"
    ]
    assert unseen(ends, alert(3, "cloned-tag"), alert(4, "journal-broken"), alert(5, "floor-called")) == []


def test_what_is_out_of_service_hides_all_but_attacks_and_calls() -> None:
    device = OutOfService("reader", START, "Anna", "being exchanged", (BOARD,))
    table = OutOfService("", START, "Anna", "closed for cleaning")
    some = (
        lost(1),
        alert(2),
        alert(3, "cloned-tag", device="reader"),
        alert(4, "undercall"),
        lost(5, "other"),
    )
    assert unseen(*some, out=(device,)) == ["001.0", "002.0"]
    assert unseen(*some, out=(device,), waiting=("002.0",)) == ["001.0"]
    assert unseen(*some, out=(table,), waiting=("002.0",)) == ["001.0", "002.0", "004.0", "005.0"]
    made = grouped(*some, out=(device,))
    assert [(mark.alert.id, mark.device) for mark in made.unserved] == [
        ("001.0", "reader"),
        ("002.0", "reader"),
    ]
    assert {member.id for incident in made.incidents for member in incident.members} == {
        "003.0",
        "004.0",
        "005.0",
    }


def test_what_is_hidden_belongs_to_the_incident_of_what_hides_it() -> None:
    (incident,) = grouped(lost(1), *(alert(number) for number in range(2, 31))).incidents
    assert incident.id == "1-device-reader" and len(incident.suppressed) == 29
    assert len(incident.members) == 30


def test_the_shelf_is_apart_with_all_that_its_alert_hides() -> None:
    shelf = Shelf(START, 10, "Anna", "known")
    made = grouped(lost(1, shelved=shelf), alert(2), alert(3, "undercall"))
    assert [known.id for known in made.shelved] == ["001.0", "002.0"]
    assert [incident.id for incident in made.incidents] == ["1-hand-3"]
    (waits,) = grouped(alert(2, shelved=shelf), waiting=("002.0",)).incidents
    assert [member.id for member in waits.members] == ["002.0"], (
        "what the table waits for is never out of sight"
    )


def test_in_a_flood_a_table_is_one_incident() -> None:
    (incident,) = grouped(lost(1), alert(2, "undercall"), alert(3, hand=4), per="table").incidents
    assert len(incident.members) == 3


def flooded(count: int, **changes: object) -> list[Alert]:
    return [alert(number, **changes) for number in range(1, count + 1)]  # type: ignore[arg-type]


def test_a_flood_is_more_than_ten_alerts_in_ten_minutes() -> None:
    now = later(START, 600).wall_ns
    assert flood(flooded(10), now, {}, {}) is None
    assert flood(flooded(11), now, {}, {}) == Flood(11, 1, "finding", "flop-count", "", 11)
    assert flood(flooded(11), later(START, 602).wall_ns, {}, {}) is None


def test_a_flood_names_the_device_or_the_kind_of_device_that_most_of_it_comes_from() -> None:
    explained = {("1", f"{number:03}.0"): "reader" for number in range(2, 12)}
    assert flood(flooded(11), 0, explained, {}) == Flood(11, 1, "device", "reader", "1", 10)
    tables = [alert(n, "device-offline", table=str(n), device="reader") for n in range(1, 13)]
    drivers = {(str(n), "reader"): "feig" for n in range(1, 13)}
    assert flood(tables, 0, {}, drivers) == Flood(12, 12, "driver", "feig", "", 12)
    mixed = [alert(n, f"finding-{n}") for n in range(1, 13)]
    assert flood(mixed, 0, {}, {}) == Flood(12, 1)


def test_a_place_that_is_none_hides_nothing() -> None:
    odd = alert(3, "card-out-of-place", args={"text": "seat 99", "more": ("x" * 40, 7)})
    assert unseen(lost(2), odd) == []
    assert Place("seat 99") not in PLACES["reader"]
