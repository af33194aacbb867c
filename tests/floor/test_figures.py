"""The figures of the floor's work, of histories made by hand."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tablebridge.floor.figures import Cause, TableEvent, Times, figures
from tablebridge.model.alert_events import AlertEvent

HOUR = 3600
SINCE = 1_800_000_000


def event(what: str, alert: str, second: int, **more: object) -> TableEvent:
    at = (SINCE + second) * 1_000_000_000
    return TableEvent("main", AlertEvent(alert, what, at, **more))  # type: ignore[arg-type]


def raised(alert: str, second: int, finding: str = "misdeal", **more: object) -> TableEvent:
    return event("raised", alert, second, finding=finding, **more)


def test_no_alerts_are_figures_too() -> None:
    made = figures((), SINCE, SINCE + HOUR)
    assert (made.alerts, made.rate, made.flooded, made.causes) == (0, 0, 0, ())
    assert made.windows == (0,) * 6 and made.times["taken"] == Times(0, 0.0, 0.0)


def test_a_night_of_two_persons() -> None:
    night = [
        raised("1.0", 0, "misdeal"),
        event("acknowledged", "1.0", 10, by="Anna"),
        event("rang", "1.0", 70),
        event("rang", "1.0", 115),
        event("taken", "1.0", 120, by="Boris"),
        event("ruled", "1.0", 200, by="Boris"),
        event("closed", "1.0", 210, by="Boris"),
        raised("2.0", 700, "cloned-tag", severity="critical"),
        event("taken", "2.0", 730, by="Anna"),
        event("ruled", "2.0", 1400, by="Anna", nothing=True),
        event("closed", "2.0", 1401, by="Anna"),
        raised("3.0", 3000, "misdeal"),
    ]
    made = figures(night, SINCE, SINCE + HOUR)
    assert (made.alerts, made.critical, made.people, made.rate) == (3, 1, 2, 1.5)
    assert made.windows == (1, 1, 0, 0, 0, 1) and made.flooded == 0
    assert made.long == 1, "the third is open for ten minutes and no more"
    assert made.rang == 1, "an alert that rang twice is one"
    assert (made.again, made.shelved, made.nothing) == (0, 0, 1)
    assert made.causes == (Cause("misdeal", 2, 2 / 3, 0), Cause("cloned-tag", 1, 1 / 3, 1))
    assert made.times["acknowledged"] == Times(2, 10.0, 30.0)
    assert made.times["taken"] == Times(2, 30.0, 120.0)
    assert made.times["ruled"] == Times(2, 200.0, 700.0)
    assert figures(night, SINCE, SINCE + HOUR + 1).long == 2


def test_eleven_alerts_in_ten_minutes_are_a_flood_and_ten_are_none() -> None:
    assert figures([raised(f"{n}.0", n) for n in range(10)], SINCE, SINCE + HOUR).flooded == 0
    flood = figures([raised(f"{n}.0", n) for n in range(11)], SINCE, SINCE + HOUR)
    assert flood.flooded == 1 / 6 and flood.rate == 11


def test_what_was_raised_before_and_tables_of_the_same_ids_are_kept_apart() -> None:
    events = [raised("1.0", -5), event("taken", "1.0", 5, by="Anna"), raised("1.0", 6)]
    assert figures(events, SINCE, SINCE + HOUR).alerts == 0
    there = [
        TableEvent("side", known.event) for known in (raised("1.0", 6), event("taken", "1.0", 9, by="Bob"))
    ]
    made = figures([*events[:2], *there], SINCE, SINCE + HOUR)
    assert (made.alerts, made.people, made.times["taken"].p50_s) == (1, 1, 3.0)


def test_a_device_that_comes_and_goes_unseen_and_a_second_call_are_one_alert() -> None:
    lost = [raised(f"{n}.0", n, "device-offline", device="board") for n in range(5)]
    assert figures(lost, SINCE, SINCE + HOUR).alerts == 1
    assert figures(lost, SINCE, SINCE + HOUR).again == 4
    other = raised("9.0", 9, "device-offline", device="muck")
    assert figures([*lost, other], SINCE, SINCE + HOUR).alerts == 2
    seen = [
        *lost[:2],
        event("acknowledged", "0.0", 2, by="Anna"),
        raised("8.0", 8, "device-offline", device="board"),
    ]
    assert figures(seen, SINCE, SINCE + HOUR).alerts == 2
    called = [raised("1.0", 1, "floor-called"), raised("2.0", 2, "floor-called")]
    assert figures(called, SINCE, SINCE + HOUR).alerts == 1
    again = [called[0], event("closed", "1.0", 2, by="Anna"), raised("3.0", 3, "floor-called")]
    assert figures(again, SINCE, SINCE + HOUR).alerts == 2


@given(st.lists(st.integers(0, HOUR - 1), max_size=40), st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing_and_every_alert_is_in_a_window(
    seconds: list[int], chance: random.Random
) -> None:
    events = [raised(f"{number}.0", second) for number, second in enumerate(seconds)]
    events += [event("taken", f"{n}.0", s + 3, by="Anna") for n, s in enumerate(seconds) if n % 2]
    made = figures(events, SINCE, SINCE + HOUR)
    mixed = [*events, *events[:5]]
    chance.shuffle(mixed)
    assert figures(mixed, SINCE, SINCE + HOUR) == made
    assert sum(made.windows) == made.alerts == len(seconds)
    assert sum(cause.alerts for cause in made.causes) == made.alerts


def test_what_waited_on_the_shelf_is_counted_once_and_nothing_found_again_and_again_is_doubtful() -> None:
    night = [raised(f"{n}.0", n, "burn-missing") for n in range(6)]
    night += [event("shelved", "1.0", 7, by="Anna"), event("shelved", "1.0", 8, by="Anna")]
    night += [event("ruled", f"{n}.0", 20 + n, by="Anna", nothing=True) for n in range(2)]
    made = figures(night, SINCE, SINCE + HOUR)
    assert (made.shelved, made.nothing, made.causes[0].is_doubtful) == (1, 2, False)
    made = figures([*night, event("ruled", "2.0", 30, by="Bob", nothing=True)], SINCE, SINCE + HOUR)
    assert made.causes == (Cause("burn-missing", 6, 1.0, 3),) and made.causes[0].is_doubtful
