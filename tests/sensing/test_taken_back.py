"""Cards of a premature street go back into the stub and may come again."""

from collections.abc import Callable

from tablebridge.model.cards import Card
from tablebridge.model.events import Street
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tests.sensing.conftest import CARDS, tag_of

FLOP = tuple(tag_of(Card(card)) for card in ("2c", "7d", "Kh"))


def board(sensor: Sensor, tags: tuple[str, ...], visits: range, expect: Expectation) -> list[object]:
    return [
        sensed.event
        for number in visits
        for sensed in sensor.update(
            Stamped("r", "e", number, Instant(0, number * 70_000_000), Sweep(0, tags)), expect
        )
    ]


def streets(recorded: Callable[[tuple[Card, ...]], tuple[Card, ...]]) -> list[Street]:
    """A flop comes, goes and comes again; `recorded`: what the engine has on the board in the meantime."""
    sensor = Sensor({("r", 0): BOARD, ("r", 1): seat_place(1)}, {}, DeckRegistry.of(CARDS))
    sensor.begin_hand()
    due = Expectation("betting", (), (1, 2), "preflop", "flop", 3)
    reported = board(sensor, FLOP, range(1, 12), due)
    lies = next(event.cards for event in reported if isinstance(event, Street))
    after = Expectation("betting", (), (1, 2), "preflop", "flop", 3, board=recorded(lies))
    reported += board(sensor, (), range(12, 60), after)
    reported += board(sensor, FLOP, range(60, 75), after)
    return [event for event in reported if isinstance(event, Street)]


def test_a_premature_flop_that_comes_again_is_reported_again() -> None:
    assert len(streets(lambda lies: ())) == 2


def test_a_board_that_was_not_read_for_a_while_is_not_reported_again() -> None:
    assert len(streets(lambda lies: lies)) == 1


def test_a_card_that_is_squared_up_while_its_street_waits_for_a_burn_has_not_gone_back() -> None:
    sensor = Sensor({("r", 0): BOARD, ("r", 1): BURN}, {}, DeckRegistry.of(CARDS))
    sensor.begin_hand()
    due = Expectation("burn", (), (1, 2), "flop", "turn", 1, burn_due=True)
    reported: list[object] = []
    for number in range(1, 41, 20):
        reported += board(sensor, FLOP[:1], range(number, number + 5), due)
        reported += board(sensor, (), range(number + 5, number + 20), due)
    assert reported == [Street("turn", (Card("2c"),))]
