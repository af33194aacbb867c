"""Whole hands on a small felt: what is put where, and which events come of it."""

from collections.abc import Callable
from typing import Any

import pytest

from tablebridge.model.cards import Card
from tablebridge.model.events import Burn, Deal, Doubt, Muck, Seen, Street, Undo
from tablebridge.model.places import BOARD, BURN, MUCK, seat_place
from tablebridge.model.readings import Sweep

Make = Callable[..., Any]
HANDS = ("Ah Kd", "2c 7d", "Ts 9s")
DEALT = [
    Deal(1, Card("Ah")),
    Deal(2, Card("2c")),
    Deal(3, Card("Ts")),
    Deal(1, Card("Kd")),
    Deal(2, Card("7d")),
    Deal(3, Card("9s")),
]


def play(felt: Any) -> None:
    """A hand to the river, one fold before the flop, two mucks at the end."""
    felt.cycles(2)
    felt.deal(*HANDS)
    felt.put("2c 7d", None)
    felt.cycles(6)
    felt.put("2c 7d", MUCK)
    felt.cycles(12)
    for burn, street in (("3c", "4h 5h 6h"), ("3d", "Jc"), ("3s", "Qc")):
        felt.put(burn, BURN)
        felt.cycles(8)
        felt.put(street, BOARD)
        felt.cycles(12)
    for hand in ("Ah Kd", "Ts 9s"):
        felt.put(hand, MUCK)
        felt.cycles(15)


PLAYED = [
    *DEALT,
    Muck(2),
    Burn(Card("3c")),
    Street("flop", (Card("4h"), Card("5h"), Card("6h"))),
    Burn(Card("3d")),
    Street("turn", (Card("Jc"),)),
    Burn(Card("3s")),
    Street("river", (Card("Qc"),)),
    Muck(1),
    Muck(3),
]


def same(reported: list[Any]) -> list[Any]:
    """The cards of a flop in any order."""
    return [
        Street(one.street, tuple(sorted(one.cards))) if isinstance(one, Street) else one for one in reported
    ]


def test_a_clean_hand_gives_its_events_and_nothing_else(felt: Make) -> None:
    table = felt()
    play(table)
    assert same(table.reported) == PLAYED
    assert all(sensed.sure >= 0.9 and sensed.evidence for sensed in table.sensed)


@pytest.mark.parametrize("seed", range(12))
def test_misses_and_cross_reads_change_nothing(felt: Make, seed: int) -> None:
    table = felt(miss=0.08, cross=0.004, seed=seed)
    play(table)
    assert same(table.reported) == PLAYED


def test_evidence_names_readings_of_the_place(felt: Make) -> None:
    table = felt()
    table.put("Ah", seat_place(1))
    table.cycles(5)
    readings = {f"{one.device}/{one.epoch}/{one.seq}": one.reading for one, _ in table.calls}
    assert [sensed.event for sensed in table.sensed] == [Deal(1, Card("Ah"))]
    assert all(
        isinstance(readings[proof], Sweep) and readings[proof].antenna == 0
        for proof in table.sensed[0].evidence
    )


def test_cards_that_settle_in_the_wrong_order_are_reported_in_the_order_of_the_deal(felt: Make) -> None:
    table = felt()
    table.put("Ah", seat_place(1))
    table.cycles(5)
    table.put("2c Ts", None)
    table.put("Ts", seat_place(3))
    table.cycles(5)
    assert table.reported == DEALT[:1]
    table.put("2c", seat_place(2))
    table.cycles(3)
    assert table.reported == DEALT[:3]


def test_a_card_to_the_wrong_seat_is_reported_after_the_wait(felt: Make) -> None:
    table = felt()
    table.put("Ah", seat_place(1))
    table.cycles(5)
    table.put("Ts", seat_place(3))
    table.cycles(6)
    assert table.reported == DEALT[:1]
    table.cycles(10)
    assert table.reported == [DEALT[0], Deal(3, Card("Ts"))]


def test_a_card_that_passed_over_the_next_seat_is_taken_back(felt: Make) -> None:
    table = felt()
    table.put("Ah", seat_place(1))
    table.cycles(5)
    table.put("Ts", seat_place(2))
    table.cycles(2)
    assert table.reported == [DEALT[0], Deal(2, Card("Ts"))]
    table.put("2c", seat_place(2))
    table.put("Ts", seat_place(3))
    table.cycles(12)
    assert table.reported == [DEALT[0], Deal(2, Card("Ts")), Undo(2), DEALT[1], DEALT[2]]


def test_time_ends_the_wait_where_the_next_seat_is_never_visited(felt: Make) -> None:
    table = felt()
    table.put("Ah", seat_place(1))
    table.cycles(5)
    table.put("Ts", seat_place(3))
    table.cycles(6, but=(seat_place(2),))
    assert table.reported == DEALT[:1]
    table.pass_time(4.0)
    assert table.reported == [DEALT[0], Deal(3, Card("Ts"))]


def test_an_extra_card_in_the_deal_is_a_deal(felt: Make) -> None:
    table = felt()
    table.put("Ah", seat_place(1))
    table.cycles(5)
    table.put("Kd", seat_place(1))
    table.cycles(16)
    assert table.reported == [DEALT[0], Deal(1, Card("Kd"))]


def test_a_card_that_comes_with_the_flop_is_in_its_event(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("3c", BURN)
    table.cycles(8)
    table.put("4h 5h 6h 7h", BOARD)
    table.cycles(8)
    assert same(table.reported)[-1] == Street("flop", (Card("4h"), Card("5h"), Card("6h"), Card("7h")))


def test_looking_at_cards_shows_nothing(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    for _ in range(3):
        table.put("Ah Kd", None)
        table.cycles(40)
        table.put("Ah Kd", seat_place(1))
        table.cycles(5)
    assert table.reported == DEALT


def test_a_fold_is_reported_when_one_card_is_in_the_muck_and_the_other_is_gone(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("Ah Kd", None)
    table.cycles(4)
    table.put("Ah", MUCK)
    table.cycles(6)
    assert table.reported == [*DEALT, Muck(1)]
    table.put("Kd", MUCK)
    table.cycles(10)
    assert table.reported == [*DEALT, Muck(1)]


def test_one_card_in_the_muck_while_the_other_stays_is_seen(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("Ah", MUCK)
    table.cycles(40)
    assert table.reported == [*DEALT, Seen(Card("Ah"), MUCK)]


@pytest.mark.parametrize("visits", [6, 12, 18])
def test_a_second_card_that_follows_to_the_muck_in_time_makes_it_a_fold_and_nothing_else(
    felt: Make, visits: int
) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("Ah", MUCK)
    table.cycles(visits)
    table.put("Kd", MUCK)
    table.cycles(20)
    assert table.reported == [*DEALT, Muck(1)]


def test_a_muck_card_on_the_board_is_seen(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("2c 7d", MUCK)
    table.cycles(12)
    table.put("2c", BOARD)
    table.cycles(30)
    assert table.reported == [*DEALT, Muck(2), Seen(Card("2c"), BOARD)]


def test_a_card_at_a_seat_after_the_deal_is_seen(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("8c", seat_place(2))
    table.cycles(12)
    assert table.reported == [*DEALT, Seen(Card("8c"), seat_place(2))]


def test_an_inventory_that_was_cut_short_proves_no_absence(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("Ah", MUCK)
    for _ in range(8):
        table.give(Sweep(0, (), complete=False))
        table.visit(5, (next(tag for tag, place in table.lies.items() if place == MUCK),))
    assert Muck(1) not in table.reported


def test_nothing_is_reported_between_hands(felt: Make) -> None:
    table = felt()
    table.idle = True
    table.put("Ah Kd", seat_place(2))
    table.put("4h 5h 6h", BOARD)
    table.cycles(30)
    assert table.reported == []


def test_late_reports_of_the_hand_before_are_not_of_this_one(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("2c 7d", MUCK)
    table.cycles(12)
    muck = tuple(tag for tag, place in table.lies.items() if place == MUCK)
    table.sensor.begin_hand()
    reported = len(table.reported)
    table.visit(table.places.index(MUCK), muck, visits=9)
    table.lies.clear()
    table.cycles(5)
    assert table.reported[reported:] == []


def test_a_card_left_from_the_hand_before_is_found(felt: Make) -> None:
    table = felt()
    table.deal(*HANDS)
    table.put("4h 5h 6h", BOARD)
    table.cycles(8)
    table.sensor.begin_hand()
    table.lies = {tag: place for tag, place in table.lies.items() if place == BOARD}
    reported = len(table.reported)
    table.cycles(45)
    assert {type(event) for event in table.reported[reported:]} & {Seen, Street}


def test_a_card_between_two_places_for_long_is_a_doubt_once(felt: Make) -> None:
    table = felt()
    table.put("Ah", seat_place(1))
    table.cycles(5)
    tag = next(iter(table.lies))
    for number in range(200):
        table.visit(0, (tag,) if number % 2 else ())
        table.visit(1, () if number % 2 else (tag,))
    doubts = [event for event in table.reported if isinstance(event, Doubt)]
    assert [(doubt.card, sorted(doubt.odds)) for doubt in doubts] == [
        (Card("Ah"), [seat_place(1), seat_place(2)])
    ]
