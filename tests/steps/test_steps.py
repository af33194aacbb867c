"""The steps of the set-up by themselves: each transition table is what the code does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.errors import Refused
from tablebridge.model.places import BOARD, seat_place
from tablebridge.model.readings import Sweep
from tablebridge.steps import attempt, course
from tablebridge.steps.antenna_map import AntennaMap
from tablebridge.steps.attempt import LIMITS_S, Attempt
from tablebridge.steps.course import Course
from tablebridge.steps.cures import command_of
from tablebridge.steps.deck_check import DeckCheck
from tablebridge.steps.deck_step import DeckStep
from tablebridge.steps.devices import ADOPTING_S, Adopting, Found, Heard, free_name, rows
from tablebridge.steps.site_text import Part, changes, head_text, table_text, without_tables

CARD = "E004010000000001"
TAGS = [f"E00401000001{number:04X}" for number in range(32)]


def test_no_state_of_an_attempt_lasts_for_ever_but_the_last_two() -> None:
    assert {state for state, happened in attempt.TABLE if happened == "late"} == set(LIMITS_S)
    ends = {state for state in attempt.TABLE.values() if state not in LIMITS_S}
    assert ends == {"tested", "failed"}


@given(st.lists(st.sampled_from(["opened", "answered", "proved", "refused"]), max_size=6))
def test_an_attempt_goes_by_its_table_and_ends(happened: list[attempt.Happened]) -> None:
    running, expected = Attempt(("feig", "line"), 0.0), "opening"
    for what in happened:
        following = attempt.TABLE.get((expected, what), expected)  # type: ignore[call-overload]
        assert running.take(what, 1.0, "It is held.") == (following != expected)
        expected = following
        assert running.state == expected
    now_s = 1.0
    for _ in range(8):
        now_s += 60.0
        running.due(now_s)
    assert running.over and bool(running.why) == (running.state == "failed")


def test_the_next_driver_is_tried_when_one_gets_no_answer() -> None:
    running = Attempt(("feig", "line"), 0.0)
    running.take("opened", 0.1)
    assert not running.due(LIMITS_S["asking"]) and running.due(0.1 + LIMITS_S["asking"])
    assert (running.state, running.driver) == ("opening", "line")
    running.take("opened", 10.0)
    assert running.due(60.0) and running.state == "failed" and "choose another driver" in running.why


def test_adopting_closes_by_itself_after_four_minutes() -> None:
    adopting = Adopting()
    assert adopting.left_s(0.0) == 0.0
    adopting.open(100.0)
    assert adopting.left_s(100.0) == ADOPTING_S == 240.0 and adopting.left_s(339.0) == 1.0
    assert adopting.left_s(340.0) == 0.0
    adopting.open(400.0)
    adopting.close()
    assert adopting.left_s(400.0) == 0.0


def test_what_is_plugged_in_and_what_is_chosen_is_one_list_with_each_device_once() -> None:
    part = Part("feig-1", "feig", "/dev/ttyUSB0", antennas={0: seat_place(1)})
    found = [Found("/dev/ttyUSB0", "FTDI"), Found("usb://by-path/1-1", "ACR", "acs"), Found("b", "")]
    listed = rows(found, [part], {"feig-1": Heard("lost", "It is away.")}, {}, ["b"])
    assert [(row.id, row.state, row.name) for row in listed] == [
        ("/dev/ttyUSB0", "lost", "feig-1"),
        ("usb://by-path/1-1", "found", ""),
        ("b", "ignored", ""),
    ]
    assert listed[0].places == ("seat 1",) and rows([], [part], {}, {}, [])[0].state == "configured"
    assert free_name("feig", [part]) == "feig-2" and free_name("acme:line", [part]) == "line-1"


def laid(table: AntennaMap, device: str, *tags: str, visits: int = 4) -> None:
    table.sweep(device, Sweep(0, tags, visits=visits))


def test_two_places_on_one_antenna_clash_until_one_of_them_is_laid_again() -> None:
    table = AntennaMap([seat_place(1), seat_place(2)])
    table.ask_next()
    laid(table, "a", CARD)
    assert table.view().lies and table.view().asked == "seat 1"
    laid(table, "a")
    assert table.view().asked == "seat 2"
    laid(table, "a", CARD)
    assert table.clashes() == [("seat 1", "seat 2")] and not table.complete and not table.found
    assert {row.place: row.state for row in table.view().rows} == {"seat 1": "clash", "seat 2": "clash"}
    laid(table, "a", visits=20)
    table.ask(seat_place(2))
    laid(table, "b", CARD)
    laid(table, "b")
    assert table.complete and table.found == {("a", 0): "seat 1", ("b", 0): "seat 2"}


def test_cross_talk_is_counted_while_the_card_lies_and_not_while_it_is_lifted() -> None:
    table = AntennaMap([BOARD])
    table.ask_next()
    laid(table, "a", CARD)
    for _ in range(9):
        laid(table, "b", visits=1)
        laid(table, "a", CARD, visits=1)
    laid(table, "b", CARD, visits=1)
    laid(table, "a", CARD, visits=1)
    laid(table, "b", visits=2)
    laid(table, "a", visits=2)
    (row,) = table.view().rows
    assert row.cross == {"a, antenna 0": 1.0, "b, antenna 0": 0.1}, "what came last was never at the antenna"


def test_a_device_that_is_lost_lets_its_bars_fall_and_the_step_waits() -> None:
    table = AntennaMap([BOARD])
    table.ask_next()
    laid(table, "a", TAGS[0], visits=1)
    assert table.view().bars[0].level > 0
    table.gone("a")
    assert (table.view().bars[0].level, table.view().asked) == (0.0, "board")


def test_a_place_without_an_antenna_is_asked_for_no_more() -> None:
    table = AntennaMap([seat_place(1), seat_place(2), BOARD])
    table.ask_next()
    table.leave(seat_place(1))
    assert table.view().asked == "seat 2"
    table.set_places([BOARD])
    assert table.order == [BOARD] and table.view().asked == ""


def test_a_step_goes_by_its_table_and_is_skipped_with_a_reason_only() -> None:
    for (state, happened), following in course.TABLE.items():
        made = Course((course.StepRow("map", state),))
        assert made.take("map", happened) and made.rows[1].state == following
    made = Course()
    for reason in ("", "  ", "x" * 300, "a\x07b"):
        with pytest.raises(Refused, match="with a reason"):
            made.skip("decks", reason)
    made.skip("decks", " no  deck here yet ")
    assert made.rows[3] == course.StepRow("decks", "skipped", "no deck here yet")
    with pytest.raises(Refused, match="nothing to skip"):
        made.skip("decks", "again")


def test_a_tag_of_another_deck_is_named_once_and_gets_no_card() -> None:
    step = DeckStep(Deck("red", {}, "32"), {CARD: "blue"})
    assert [step.sweep(Sweep(0, (CARD,))) for _ in range(3)] == ["foreign", "", ""]
    assert step.view().other == "blue" and not step.deck.cards
    assert step.sweep(Sweep(0, ())) == "" and step.view().said == ""
    step.sweep(Sweep(0, (TAGS[0],), visits=3))
    assert step.view().count == 1 and step.view().card == "Ah" and step.view().heard == 2


def test_a_deck_check_lists_what_is_missing_weak_foreign_double_and_strange() -> None:
    order = spread_order("32")
    deck = Deck("red", dict(zip(TAGS, order, strict=True)), "32")
    others = {"AA0000000001": (order[0], "blue"), "AA0000000002": (order[31], "blue")}
    check = DeckCheck(deck, others)
    check.sweep(Sweep(0, tuple(TAGS[:30]), visits=3))
    for number in range(10):
        check.sweep(Sweep(0, (TAGS[30],) if number in (0, 3, 6, 9) else ()))
    check.sweep(Sweep(0, ("AA0000000001", "AA0000000002", "BB0000000001"), visits=3))
    found = check.view()
    assert found.missing == (order[31],) and [cell.card for cell in found.weak] == [order[30]]
    assert found.double == ((Card("Ah"), "blue"),) and found.foreign == ((order[31], "blue"),)
    assert found.strangers == 1 and found.read == 31 and not found.passes
    whole = DeckCheck(deck)
    whole.sweep(Sweep(0, tuple(TAGS)))
    assert whole.view().passes


def test_a_file_keeps_what_stands_before_its_tables_and_the_lines_that_change_are_marked() -> None:
    part = Part("feig-1", "feig", "/dev/ttyUSB0", antennas={0: seat_place(1)})
    head = head_text("club", "/var/lib/tablebridge", 1883)
    before = f"{head}\n{table_text('main', '1-9', [])}"
    assert without_tables(before) == head and without_tables(head) == head
    after = f"{head}\n{table_text('main', '1-9', [part])}"
    marked = changes(before, after)
    assert [line for line in marked if line.startswith("-")] == []
    assert '+antennas = { 0 = "seat 1" }' in marked and not changes(after, after)


@pytest.mark.parametrize(
    ("cure", "command"),
    [
        ("Fix it; `tablebridge site check site.toml` checks it again.", "tablebridge site check site.toml"),
        ("sudo usermod -aG dialout anna, then log in again.", "sudo usermod -aG dialout anna"),
        (
            "stop it first: sudo systemctl stop tablebridge-driver@t1",
            "sudo systemctl stop tablebridge-driver@t1",
        ),
        ("Do it now: tablebridge setup --browser --out a.toml", "tablebridge setup --browser --out a.toml"),
        ("tablebridge starts it by itself.", ""),
        ("Use an SSD, or a card that is made for recording without end.", ""),
        ("Write it in `site.toml`.", ""),
    ],
)
def test_the_command_in_a_cure_can_be_copied(cure: str, command: str) -> None:
    assert command_of(cure) == command
