"""The steps that try out what was chosen, by themselves: calibration, contacts, lights, people, test hand."""

import tomllib

import pytest

from tablebridge.antennas.calibration import learn
from tablebridge.antennas.dwell import DwellCounts
from tablebridge.antennas.guide import LIFTED, MEASURED, SETTLED, Measured
from tablebridge.model.contacts import KEY_FLOOR, Contact
from tablebridge.model.places import BOARD, seat_place
from tablebridge.model.readings import ButtonPress, Sweep
from tablebridge.steps import course
from tablebridge.steps.calibration import CalibrationStep, summary
from tablebridge.steps.contacts import Contacts
from tablebridge.steps.course import Course, StepRow
from tablebridge.steps.hardware import bases
from tablebridge.steps.lights import STATES, Lights
from tablebridge.steps.people import Phone, people_text
from tablebridge.steps.site_text import Part, changes, with_people
from tablebridge.steps.trial_hand import TrialHand

CARD = "E004010000000001"
ANTENNAS = {"a/0": seat_place(1), "b/0": seat_place(2)}


def lay(step: CalibrationStep, device: str, reads: int, also: str = "", also_reads: int = 0) -> None:
    """The card lies at the antenna of a device, which reads it `reads` times in `MEASURED` visits; 20 ms
    each.
    """
    for number in range(SETTLED):
        step.sweep(device, Sweep(0, (CARD,)), number)
    for number in range(MEASURED):
        if also:
            step.sweep(also, Sweep(0, (CARD,) if number < also_reads else ()), number * 20_000_000)
        tags = (CARD,) if number < reads else ()
        step.sweep(device, Sweep(0, tags), (number + 1) * 20_000_000)


def test_a_calibration_says_full_and_empty_rate_how_soon_a_card_is_read_and_what_that_means() -> None:
    step = CalibrationStep(ANTENNAS)
    assert step.view().asked == "seat 1" and (step.view().number, step.view().total) == (1, 2)
    lay(step, "a", 48, also="b", also_reads=5)
    step.sweep("a", Sweep(0, (), visits=LIFTED), 0)
    lay(step, "b", 20, also="a")
    first, second = step.view().rows
    assert (first.full, first.verdict, first.cross) == (0.96, "good", {"seat 2": 0.1})
    assert first.empty == 0.0 and second.empty == 0.1, "the antenna of seat 2 read a card that lay elsewhere"
    assert first.sure_s == pytest.approx(3 * 0.02, rel=0.05), (
        "0.96 per visit: three visits miss once in 15,625"
    )
    assert second.verdict == "weak" and "seat 2 reads 40% only" in second.advice[0]
    assert step.over and not step.passes, "a weak place is not passed"


def test_what_was_measured_is_a_stay_for_each_place_and_shown_as_lines() -> None:
    step, counts = CalibrationStep({"a/0": seat_place(1)}), DwellCounts()
    lay(step, "a", 50)
    assert step.passes
    before = summary(learn(counts, step.antennas))
    step.add_to(counts)
    (line,) = changes(before, summary(learn(counts, step.antennas)))
    assert line.startswith("+a/0, seat 1: reads 9") and line.endswith("from 1 stays") and CARD not in line


def test_a_place_without_a_read_has_no_time_and_a_skipped_one_no_advice() -> None:
    assert Measured(seat_place(1), "a/0", 50, 0, cycle_s=0.02).sure_s is None
    step = CalibrationStep(ANTENNAS)
    step.skip()
    (row,) = step.view().rows
    assert row.verdict == "skipped" and row.advice == () and not step.passes


def test_a_contact_gets_the_meaning_that_was_asked_for_and_its_presses_are_counted() -> None:
    step = Contacts()
    step.ask(KEY_FLOOR)
    assert step.press("board", ButtonPress(3)) == KEY_FLOOR
    step.press("board", ButtonPress(3, pressed=False))
    step.ask(Contact("all-in 2"))
    assert step.press("board", ButtonPress(3)) is None
    assert (step.view().said, step.view().other) == ("taken", "key floor")
    assert step.press("board", ButtonPress(4)) == "all-in 2" and step.view().said == ""
    assert step.of("board") == {3: "key floor", 4: "all-in 2"}
    assert [(row.number, row.pressed, row.presses) for row in step.view().rows] == [
        (3, True, 2),
        (4, True, 1),
    ]
    step.ask(KEY_FLOOR)
    assert step.of("board") == {4: "all-in 2"}, "it is on one contact"
    step.left("board")
    assert step.view().rows == ()


def test_a_known_contact_is_tested_by_pressing_it() -> None:
    step = Contacts({("board", 3): KEY_FLOOR})
    assert not step.tested
    step.press("board", ButtonPress(3))
    assert step.tested and Contacts().tested, "a table without buttons has nothing to press"


def test_a_light_is_tested_when_a_person_saw_each_state_on_it() -> None:
    lights = Lights()
    assert not lights.confirm("lamp") and lights.tested([])
    for state in STATES:
        assert not lights.tested(["lamp"])
        lights.show("lamp", state)
        assert lights.confirm("lamp")
    assert lights.tested(["lamp"]) and not lights.tested(["lamp", "other"])
    assert Lights(lights.seen).tested(["lamp"]), "after a restart too"


def test_a_test_hand_ticks_off_the_cards_of_each_place_and_what_is_lifted_is_not_read() -> None:
    hand = TrialHand("red", [BOARD, seat_place(2), seat_place(10)])
    assert [(tick.place, tick.wanted) for tick in hand.view().ticks] == [
        ("seat 2", 2),
        ("seat 10", 2),
        ("board", 3),
        ("board", 4),
        ("board", 5),
    ]
    for number, place in enumerate([2, 10, 2, 10]):
        hand.moved(f"t{number}", seat_place(place), 1.0 + number)
    assert hand.view().next == 2 and hand.view().ticks[0].after_s == 3.0
    for number in range(4, 9):
        assert not hand.passed
        hand.moved(f"t{number}", BOARD, 9.0)
    assert hand.passed and hand.view().state == "passed"


def test_a_test_hand_that_misses_a_card_fails_with_the_place() -> None:
    hand = TrialHand("red", [seat_place(1), seat_place(2)])
    for tag, seat in (("a", 1), ("b", 1), ("c", 2), ("d", 1)):
        hand.moved(tag, seat_place(seat), 1.0)
    hand.stranger(seat_place(2))
    hand.end()
    view = hand.view()
    assert (
        view.state == "failed"
        and view.next == 1
        and (view.ticks[1].count, view.ticks[1].after_s) == (1, None)
    )
    assert view.unknown == ("seat 2",) and view.extra == ("seat 1",)
    hand.moved("e", seat_place(2), 2.0)
    assert not hand.passed, "it is over"


def test_a_step_returns_only_if_its_version_or_its_hardware_changed() -> None:
    part = Part("feig-1", "feig", "/dev/a", {"antennas": 2})
    claims = {seat_place(1): ("feig-1", 0)}
    made = Course()
    made.rest_on(bases([part], claims))
    for step in course.STEPS:
        made.take(step, "passed")
    again = Course(made.rows)
    again.rest_on(bases([part], claims))
    assert {row.state for row in again.rows} == {"done"}
    again.rest_on(bases([Part("feig-1", "feig", "/dev/b", {"antennas": 2})], claims))
    assert [row.step for row in again.rows if row.state == "open"] == ["calibration", "signals", "hand"]
    old = Course((StepRow("decks", "done", version=0), StepRow("check", "skipped", "later", version=0)))
    assert {row.state for row in old.rows} == {"open"}


def test_the_file_of_people_keeps_what_is_in_it_and_is_named_before_the_first_section() -> None:
    text = people_text(
        "", "http://10.0.0.2:2586", "https://pages.lan", [Phone("Anna", "floor", "ru", "tb-x")]
    )
    data = tomllib.loads(people_text(text, "", "", [Phone("Boris", "manager", "en", "tb-y")]))
    assert data["pages"] == "https://pages.lan" and data["ntfy"] == {"url": "http://10.0.0.2:2586"}
    assert [(person["name"], person["ways"]) for person in data["person"]] == [
        ("Anna", ["ntfy:tb-x"]),
        ("Boris", ["ntfy:tb-y"]),
    ]
    head = with_people('name = "club"\n\n[broker]\nport = 1\n\n[web]\nport = 2\n', "people.toml")
    assert tomllib.loads(head) == {
        "name": "club",
        "people": "people.toml",
        "broker": {"port": 1},
        "web": {"port": 2},
    }
    assert with_people(head, "other.toml") == head
