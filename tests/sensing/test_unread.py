"""A card of the deal that no antenna reads: reported without its face if that is likelier than a dealer
who forgot it.
"""

from collections.abc import Callable
from typing import Any

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Amend, Deal, Doubt
from tablebridge.model.places import STUB, seat_place
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

from .conftest import CARDS

Make = Callable[..., Any]
FIRST = [Deal(1, Card("Ah")), Deal(2, Card("2c")), Deal(3, Card("Ts")), Deal(1, Card("Kd"))]
LAST = Deal(3, Card("9s"))


def table_at(felt: Make, level: float) -> Any:
    """A table whose noise is known."""
    table = felt()
    table.sensor = Sensor(table.antennas, {}, DeckRegistry.of(CARDS), BayesFilter(known=rates(level)))
    table.sensor.begin_hand()
    return table


def deal(table: Any, *cards: tuple[int, str]) -> None:
    for seat, card in cards:
        table.put(card, seat_place(seat))
        table.cycles(5)


def test_at_a_noisy_table_it_is_reported_with_a_doubt_and_gets_its_face_later(felt: Make) -> None:
    table = table_at(felt, 1.0)
    deal(table, (1, "Ah"), (2, "2c"), (3, "Ts"), (1, "Kd"))
    table.cycles(5)
    deal(table, (3, "9s"))
    table.cycles(12)
    unread, doubt = table.reported[4:6]
    assert table.reported == [*FIRST, Deal(2, UNKNOWN), doubt, LAST] and unread == Deal(2, UNKNOWN)
    assert (
        isinstance(doubt, Doubt)
        and set(doubt.odds) == {seat_place(2), STUB}
        and 0.9 <= doubt.odds[seat_place(2)] < 0.99
    )
    table.put("7d", seat_place(2))
    table.cycles(10)
    assert table.reported[7:] == [Amend(5, Deal(2, Card("7d"))), Doubt(UNKNOWN, {seat_place(2): 1.0})]


def test_at_a_good_table_the_dealer_forgot_it(felt: Make) -> None:
    table = table_at(felt, 0.0)
    deal(table, (1, "Ah"), (2, "2c"), (3, "Ts"), (1, "Kd"))
    table.cycles(5)
    deal(table, (3, "9s"))
    table.cycles(40)
    assert table.reported == [*FIRST, LAST]


def test_a_seat_that_is_passed_over_twice_was_passed_over(felt: Make) -> None:
    table = table_at(felt, 1.0)
    for seat, card in ((1, "Ah"), (3, "Ts"), (1, "Kd"), (3, "9s")):
        deal(table, (seat, card))
        table.cycles(12)
    assert table.reported == [FIRST[0], FIRST[2], FIRST[3], LAST]


def test_the_doubt_is_over_when_the_last_of_two_unread_cards_is_read(felt: Make) -> None:
    table = table_at(felt, 1.0)
    deal(table, (1, "Ah"), (2, "2c"), (3, "Ts"))
    table.cycles(20)
    deal(table, (3, "9s"))
    table.cycles(20)
    assert [event for event in table.reported if isinstance(event, Deal)] == [
        *FIRST[:3],
        Deal(1, UNKNOWN),
        Deal(2, UNKNOWN),
        LAST,
    ]
    reported = len(table.reported)
    table.put("Kd", seat_place(1))
    table.cycles(10)
    assert table.reported[reported:] == [Amend(4, FIRST[3])], "people have still to count seat 2"
    table.put("7d", seat_place(2))
    table.cycles(10)
    assert table.reported[reported + 1 :] == [
        Amend(6, Deal(2, Card("7d"))),
        Doubt(UNKNOWN, {seat_place(2): 1.0}),
    ]
