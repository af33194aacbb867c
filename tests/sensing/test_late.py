"""Late reports, copies that answer for long, seats that get no card: reported once and in time."""

from collections.abc import Callable
from typing import Any

import pytest

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import ClonedTag, Deal, Entry, Muck, Seen
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, MUCK, STUB, seat_place
from tablebridge.model.readings import Stamped, Sweep

Make = Callable[..., Any]
HANDS = ("Ah Kd", "2c 7d", "Ts 9s")


def tags_at(table: Any, place: str) -> tuple[str, ...]:
    return tuple(tag for tag, lies in table.lies.items() if lies == place)


def test_a_report_that_was_held_back_does_not_take_cards_out_of_the_muck(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    seat, muck = table.places.index(seat_place(2)), table.places.index(MUCK)
    tags = tags_at(table, seat_place(2))
    for _ in range(4):
        table.visit(seat, tags)
    before = table.now
    table.put("2c 7d", MUCK)
    for _ in range(4):
        table.visit(muck, tags)
    table.give(Sweep(seat, tags, visits=12), at=before)
    table.cycles(12)
    assert table.reported[6:] == [Muck(2)]


def test_reports_of_which_a_part_is_late_count_for_that_part(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    muck = table.places.index(MUCK)
    tags = tags_at(table, seat_place(2))
    table.put("2c 7d", MUCK)
    for _ in range(4):
        table.visit(muck, tags)
    table.visit(table.places.index(seat_place(2)), tags, visits=12)
    table.cycles(12)
    assert table.reported[6:] == [Muck(2)]


def test_a_copied_tag_is_reported_as_a_copy_and_as_nothing_else(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    copy = tags_at(table, seat_place(1))[:1]
    for _ in range(80):
        table.cycles(1, but=(seat_place(3),))
        table.visit(2, tags_at(table, seat_place(3)) + copy)
    assert table.reported[6:] == [ClonedTag(Card("Ah"), (seat_place(1), seat_place(3)))]


def test_a_copy_that_is_read_by_the_second_is_reported_within_seconds(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    copy = tags_at(table, seat_place(1))[:1]
    for _ in range(4):
        for antenna in (0, 2):
            table.visit(antenna, tags_at(table, table.places[antenna]) + (copy if antenna == 2 else ()))
    for _ in range(4):
        table.pass_time(1.0)
        for antenna in (0, 2):
            table.visit(
                antenna, tags_at(table, table.places[antenna]) + (copy if antenna == 2 else ()), visits=12
            )
    assert table.reported[6:] == [ClonedTag(Card("Ah"), (seat_place(1), seat_place(3)))]


@pytest.mark.parametrize("more", range(4))
def test_a_copy_of_a_tag_that_answers_again_is_not_a_card_that_left_its_seat(felt: Make, more: int) -> None:
    """The card at the seat is covered, its copy lies on the board; up to three visits after it is believed to
    lie there the card at the seat is read again, and goes on being read.
    """
    table = felt()
    table.deal(*HANDS)
    board, copy = table.places.index(BOARD), tags_at(table, seat_place(1))[:1]

    def cycle(covered: bool) -> None:
        table.cycles(1, but=(seat_place(1), BOARD))
        table.visit(0, tags_at(table, seat_place(1))[covered:])
        table.visit(board, copy)

    for _ in range(40):
        if table.sensor._cards.place(copy[0]) == BOARD:
            break
        cycle(covered=True)
    for _ in range(more):
        cycle(covered=True)
    for _ in range(60):
        cycle(covered=False)
    assert table.reported[6:] == [ClonedTag(Card("Ah"), (seat_place(1), BOARD))]


def test_a_seat_that_is_skipped_in_both_rounds_is_waited_for_once(felt: Make) -> None:
    table = felt(seats=6)
    cards = iter(["Ah", "Kd", "Qc", "Js", "Tc", "9h", "8d", "7c", "6s", "5h"])
    reported_at = []
    for _ in range(2):
        for seat in (1, 2, 4, 5, 6):
            began, reported = table.now, len(table.reported)
            table.put(next(cards), seat_place(seat))
            for _ in range(200):
                table.cycles(1)
                if len(table.reported) > reported:
                    break
            assert len(table.reported) == reported + 1
            assert isinstance(table.reported[-1], Deal)
            assert table.reported[-1].seat == seat
            reported_at.append((table.now - began) // table.cycle_ns)
    assert max(reported_at[2:3]) > 8
    assert max(reported_at[:2] + reported_at[3:]) <= 4


def test_a_seat_whose_card_was_entered_by_hand_is_waited_for_in_the_next_deal(felt: Make) -> None:
    """That its antenna read nothing in the first deal says nothing of the second."""
    table = felt()
    deal, draw = (
        Expectation("deal", (1, 2, 3), (1, 2, 3)),
        Expectation("deal", (2, 3), (1, 2, 3), holds={1: 1, 2: 1, 3: 1}),
    )
    reported: list[Any] = []

    def cycles(count: int, expect: Expectation) -> list[Any]:
        reported.clear()
        for _ in range(count):
            for antenna, place in enumerate(table.places):
                table.pass_time(0.01)
                reading = Stamped(
                    "reader", "e", table.now, Instant(0, table.now), Sweep(antenna, tags_at(table, place))
                )
                for sensed in table.sensor.update(reading, expect):
                    reported.append(sensed.event)
                    table.sensor.observe(Entry(table.now, reading.at, sensed.event, sensed.basis))
        return list(reported)

    table.put("Ah", seat_place(1))
    assert cycles(5, deal) == [Deal(1, Card("Ah"))]
    table.put("Ts", seat_place(3))
    assert cycles(15, Expectation("deal", (2, 3), (1, 2, 3), holds={1: 1})) == [Deal(3, Card("Ts"))]
    table.sensor.observe(Entry(table.now, Instant(0, table.now), Deal(2, UNKNOWN), "operator"))
    assert cycles(3, Expectation("betting", (), (1, 2, 3), holds={1: 1, 2: 1, 3: 1})) == []
    table.put("9s", seat_place(3))
    assert cycles(6, draw) == []
    assert cycles(8, draw) == [Deal(3, Card("9s"))]


def test_quiet_seats_reported_by_the_second_prove_their_silence_in_seconds(felt: Make) -> None:
    table = felt(seats=6)
    table.put("Ah", seat_place(1))
    table.cycles(5)
    table.put("Kd", seat_place(3))
    for _ in range(4):
        table.visit(2, tags_at(table, seat_place(3)))
    assert table.reported == [Deal(1, Card("Ah"))]
    table.pass_time(1.0)
    table.visit(1, (), visits=12)
    assert table.reported == [Deal(1, Card("Ah")), Deal(3, Card("Kd"))]


def test_a_card_that_left_its_place_is_reported_when_that_place_no_longer_reads_it(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("2c", BOARD)
    table.cycles(12)
    assert table.reported[6:] == [Seen(Card("2c"), BOARD)]
    table.put("2c", None)
    table.put("2c", STUB)
    table.cycles(60)
    assert table.reported[7:] == [Seen(Card("2c"), STUB)]
