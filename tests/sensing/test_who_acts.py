"""Who acts has seen the deal: what is held is reported, what was not read is there all the same."""

from collections.abc import Callable
from typing import Any

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Action, Amend, Deal, Doubt
from tablebridge.model.instant import Instant
from tablebridge.model.places import STUB, seat_place
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

from .conftest import CARDS

Make = Callable[..., Any]
FIRST = ((1, "Ah"), (2, "2c"), (3, "Ts"))
SECOND = ((1, "Kd"), (2, "7d"), (3, "9s"))


def table_of(felt: Make, *cards: tuple[int, str], level: float = 2.0, seats: int = 3) -> Any:
    """These cards were dealt at a table of this noise, the last of them some time ago."""
    table = felt(seats)
    table.sensor = Sensor(table.antennas, {}, DeckRegistry.of(CARDS), BayesFilter(known=rates(level)))
    table.sensor.begin_hand()
    for seat, card in cards:
        table.put(card, seat_place(seat))
        table.cycles(5)
    table.cycles(5)
    return table


def act(table: Any) -> list[Any]:
    """The first player is about to act: what is reported before it."""
    before = len(table.reported)
    table.tracker.before(Action("call", 3), Instant(0, table.now))
    return list(table.reported[before:])


def deals(*cards: tuple[int, str]) -> list[Deal]:
    return [Deal(seat, Card(card)) for seat, card in cards]


def test_cards_behind_one_that_is_not_read_are_reported_in_order(felt: Make) -> None:
    table = table_of(felt, *FIRST, SECOND[0], SECOND[2])
    assert table.reported == deals(*FIRST, SECOND[0])
    assert act(table) == [Deal(2, UNKNOWN), *deals(SECOND[2])]


def test_the_last_card_is_there_though_nothing_lies_behind_it(felt: Make) -> None:
    table = table_of(felt, *FIRST, *SECOND[:2])
    assert act(table) == [Deal(3, UNKNOWN)]


def test_a_face_that_comes_soon_leaves_no_doubt(felt: Make) -> None:
    table = table_of(felt, *FIRST, *SECOND[:2])
    act(table)
    table.put("9s", seat_place(3))
    table.cycles(6)
    named, *doubts = table.reported[6:]
    assert named == Amend(6, Deal(3, Card("9s"))) and doubts == [Doubt(UNKNOWN, {seat_place(3): 1.0})]


def test_a_card_that_stays_silent_is_a_doubt(felt: Make) -> None:
    table = table_of(felt, *FIRST, *SECOND[:2])
    act(table)
    table.cycles(7)
    assert table.reported[6:] == []
    table.cycles(2)
    (doubt,) = table.reported[6:]
    assert isinstance(doubt, Doubt) and set(doubt.odds) == {seat_place(3), STUB}


def test_two_cards_of_a_seat_that_were_not_read_get_their_faces(felt: Make) -> None:
    table = table_of(felt, *FIRST[:2], *SECOND[:2])
    unread = act(table)
    assert unread == [Deal(3, UNKNOWN), Deal(3, UNKNOWN)]
    for entry, card in ((5, "Ts"), (6, "9s")):
        table.put(card, seat_place(3))
        table.cycles(6)
        assert Amend(entry, Deal(3, Card(card))) in table.reported


def test_a_seat_that_was_passed_over_gets_no_card(felt: Make) -> None:
    table = table_of(felt, FIRST[0], FIRST[2], SECOND[0], level=1.0)
    table.cycles(40)
    assert act(table) == [Deal(3, UNKNOWN)]


def test_where_no_card_was_read_nothing_is_made_up(felt: Make) -> None:
    assert act(table_of(felt)) == []


def test_a_card_too_many_beside_a_face_that_lacks_is_a_doubt(felt: Make) -> None:
    table = table_of(felt, *FIRST, *SECOND[:2], (2, "5h"))
    table.cycles(6)
    assert act(table) == [Deal(3, UNKNOWN)]
    table.cycles(45)
    doubts = [event for event in table.reported if isinstance(event, Doubt) and event.card == Card("5h")]
    assert doubts == [Doubt(Card("5h"), {seat_place(2): 0.5, seat_place(3): 0.5})]
    assert Deal(2, Card("5h")) not in table.reported


def test_a_card_too_many_is_reported_when_those_beside_it_are_known(felt: Make) -> None:
    table = table_of(felt, *FIRST, *SECOND[:2], (2, "5h"))
    table.cycles(6)
    act(table)
    table.put("9s", seat_place(3))
    table.cycles(45)
    assert Deal(2, Card("5h")) in table.reported


def test_a_card_too_many_that_comes_to_the_seat_that_lacks_one_is_its_card(felt: Make) -> None:
    table = table_of(felt, *FIRST, *SECOND[:2], (2, "5h"))
    act(table)
    table.put("5h", seat_place(3))
    table.cycles(30)
    assert Amend(6, Deal(3, Card("5h"))) in table.reported
    assert Deal(2, Card("5h")) not in table.reported


def test_a_deal_that_cannot_begin_waits_for_a_while_and_wakes_nobody_twice(felt: Make) -> None:
    """The first seat's antenna is silent, and nobody types what players do."""
    table = felt(3)
    for seat, card in (*FIRST[1:], *SECOND[1:]):
        table.put(card, seat_place(seat))
        table.cycles(5, but=(seat_place(1),))
    assert table.reported == []
    woken = 0
    while (wake := table.sensor.wake_ns) is not None and woken < 10:
        assert wake > table.now
        table.pass_time((wake - table.now) / 1e9 + 0.01)
        woken += 1
    assert woken == 2
    assert table.reported[:3] == [Deal(1, UNKNOWN), *deals(*FIRST[1:])]
    assert Deal(1, UNKNOWN) in table.reported[3:]
