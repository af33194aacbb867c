"""What comes to the board and the burns: together, in pieces, in flight, late."""

from collections.abc import Callable
from typing import Any

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Action, Burn, Seen, Street
from tablebridge.model.places import BOARD, BURN, MUCK, seat_place
from tests.sensing.test_hands import DEALT, HANDS

Make = Callable[..., Any]
FLOP = Street("flop", (Card("4h"), Card("5h"), Card("6h")))


def dealt(felt: Make) -> Any:
    """Before the flop, with nothing burned."""
    table = felt()
    table.cycles(2)
    table.deal(*HANDS)
    table.cycles(6)
    assert table.reported == DEALT
    table.sensed.clear()
    return table


def test_a_flop_that_is_read_in_pieces_is_one_event(felt: Make) -> None:
    table = dealt(felt)
    table.put("3c", BURN)
    table.cycles(6)
    table.put("4h 5h", BOARD)
    table.cycles(8)
    assert table.reported == [Burn(Card("3c"))]
    table.put("6h", BOARD)
    table.cycles(8)
    assert table.reported == [Burn(Card("3c")), FLOP]


def test_a_fourth_card_that_comes_two_visits_after_the_flop_is_in_its_event(felt: Make) -> None:
    """Antennas are visited twice a second, so each card of the flop was read there long enough by then."""
    table = dealt(felt)
    table.put("3c", BURN)
    table.cycles(6)
    for street in ("4h 5h 6h", "7h"):
        table.put(street, BOARD)
        for _ in range(2):
            table.cycles(1)
            table.pass_time(0.45)
    table.cycles(12)
    (_, flop) = table.reported
    assert isinstance(flop, Street) and sorted(flop.cards) == [*sorted(FLOP.cards), Card("7h")]


def test_a_flop_of_two_cards_is_reported_in_the_end_and_a_third_completes_it(felt: Make) -> None:
    table = dealt(felt)
    table.put("3c", BURN)
    table.cycles(6)
    table.put("4h 5h", BOARD)
    table.cycles(20)
    assert table.reported[1:] == [Street("flop", FLOP.cards[:2])]
    table.put("6h", BOARD)
    table.cycles(20)
    assert table.reported[2:] == [Street("flop", FLOP.cards[2:])]


def test_a_card_that_is_read_over_the_burns_on_its_way_is_not_burned(felt: Make) -> None:
    table = dealt(felt)
    table.put("3c 4h", BURN)
    table.cycles(3)
    table.put("4h 5h 6h", BOARD)
    table.cycles(30)
    assert table.reported == [Burn(Card("3c")), Street("flop", table.reported[1].cards)]
    assert sorted(table.reported[1].cards) == sorted(FLOP.cards)


def test_a_street_waits_for_its_burn_but_not_for_ever(felt: Make) -> None:
    table = dealt(felt)
    table.put("4h 5h 6h", BOARD)
    table.cycles(6)
    assert table.reported == []
    table.put("3c", BURN)
    table.cycles(6)
    assert table.reported == [Burn(Card("3c")), FLOP]
    table.put("7h", BOARD)
    table.cycles(40)
    assert table.reported[2:] == [Street("turn", (Card("7h"),))]


def test_who_acts_has_seen_the_street(felt: Make) -> None:
    table = dealt(felt)
    table.put("3c", BURN)
    table.cycles(6)
    table.put("4h 5h", BOARD)
    table.cycles(8)
    expect = table.follower.expectation()
    assert table.sensor.before(Burn(), expect) == ()
    (reported,) = table.sensor.before(Action("check", 1), expect)
    assert reported.event == Street("flop", (*FLOP.cards[:2], UNKNOWN)) and reported.evidence


def test_a_card_that_comes_back_from_the_muck_is_reported(felt: Make) -> None:
    table = dealt(felt)
    table.put("2c 7d", MUCK)
    table.cycles(20)
    table.put("3c", BURN)
    table.cycles(6)
    table.put("4h 5h 6h", BOARD)
    table.cycles(12)
    table.put("7d", seat_place(3))
    table.cycles(30)
    assert table.reported[-1] == Seen(Card("7d"), seat_place(3))
