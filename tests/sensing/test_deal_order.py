"""A deal that began at another seat than the first, beside one whose first card is read late."""

from collections.abc import Callable
from typing import Any

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Action, Amend, Deal, Doubt, Undo
from tablebridge.model.instant import Instant
from tablebridge.model.places import seat_place
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

from .conftest import CARDS

Make = Callable[..., Any]
SEATS = (1, 2, 3, 4, 5)
FIRST = ("2c", "3c", "4c", "5c", "6c")
SECOND = ("2d", "3d", "4d", "5d", "6d")


def harsh(felt: Make) -> Any:
    """A table of five that reads badly, and knows it."""
    table = felt(5)
    table.sensor = Sensor(table.antennas, {}, DeckRegistry.of(CARDS), BayesFilter(known=rates(2.0)))
    table.sensor.begin_hand()
    return table


def deal(table: Any, cards: tuple[str, ...], seats: tuple[int, ...] = SEATS) -> None:
    """A card to each of the seats: `2c` is that of seat 1."""
    for seat in seats:
        table.put(cards[seat - 1], seat_place(seat))
        table.cycles(5)


def act(table: Any) -> None:
    """The first player is about to act."""
    table.tracker.before(Action("call", 3), Instant(0, table.now))


def deals(table: Any) -> list[Any]:
    return [event for event in table.reported if isinstance(event, Deal)]


def dealt(cards: tuple[str, ...], seats: tuple[int, ...] = SEATS) -> list[Deal]:
    return [Deal(seat, Card(cards[seat - 1])) for seat in seats]


def test_who_is_dealt_last_in_both_rounds_was_not_first(felt: Make) -> None:
    table = harsh(felt)
    for cards in (FIRST, SECOND):
        deal(table, cards, (2, 3, 4, 5, 1))
    table.cycles(5)
    assert deals(table)[0] == Deal(2, Card("3c"))


def test_a_first_card_that_no_antenna_reads_is_no_misdeal(felt: Make) -> None:
    table = harsh(felt)
    deal(table, FIRST, (2, 3, 4, 5))
    table.cycles(12)
    assert table.reported == []
    deal(table, SECOND)
    act(table)
    assert deals(table) == [
        Deal(1, Card("2d")),
        *dealt(FIRST, (2, 3, 4, 5)),
        Deal(1, UNKNOWN),
        *dealt(SECOND, (2, 3, 4, 5)),
    ]


def test_a_first_card_that_is_read_late_is_no_misdeal(felt: Make) -> None:
    table = harsh(felt)
    deal(table, FIRST, (2, 3, 4, 5))
    table.put("2c", seat_place(1))
    table.cycles(5)
    deal(table, SECOND)
    act(table)
    assert deals(table) == [*dealt(FIRST), *dealt(SECOND)]


def test_at_a_good_table_silence_alone_shows_that_the_first_seat_was_passed_over(felt: Make) -> None:
    table = felt(5)
    deal(table, FIRST, (2, 3, 4))
    assert deals(table) == dealt(FIRST, (2, 3, 4))


def test_the_last_card_may_show_it_when_somebody_has_acted(felt: Make) -> None:
    table = harsh(felt)
    deal(table, FIRST, (2, 3, 4, 5, 1))
    deal(table, SECOND, (2, 3, 4, 5))
    act(table)
    reported = len(table.reported)
    assert deals(table)[0] == Deal(1, Card("2c")) and Deal(1, UNKNOWN) in deals(table)
    table.put("2d", seat_place(1))
    table.cycles(5)
    later = [event for event in table.reported[reported:] if not isinstance(event, Doubt)]
    assert isinstance(later[0], Amend) and later[0].instead == Deal(1, Card("2d"))
    assert later[1:] == [Undo(1), Deal(1, Card("2c"))]
