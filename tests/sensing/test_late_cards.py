"""Cards of board and burns that are sure only after their street was reported, with what was done since."""

from msgspec.structs import replace

from tablebridge.model.cards import Card
from tablebridge.model.events import Action, Amend, Basis, Burn, Entry, Insert, Street, TableEvent
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, STUB
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tests.sensing.conftest import CARDS, tag_of

VISIT_NS = 100_000_000
PLACES = (BOARD, BURN, STUB)
FLOP = tuple(map(Card, ("4h", "5h", "6h")))
BURNS = Expectation("burn", (), (1, 2), "preflop", "flop", 3, burn_due=True)
STREET = Expectation("street", (), (1, 2), "preflop", "flop", 3)
PLAYED = Expectation("betting", (), (1, 2), "flop", "turn", 1, burn_due=True, board=FLOP, to_act=1)
OVER = Expectation("burn", (), (1, 2), "flop", "turn", 1, burn_due=True, board=FLOP)


class Table:
    """Board, burns and stub at a table where antennas read badly. `events`: what was reported."""

    def __init__(self) -> None:
        antennas = {("r", number): place for number, place in enumerate(PLACES)}
        self.sensor = Sensor(antennas, {}, DeckRegistry.of(CARDS), BayesFilter(known=rates(2.0)))
        self.sensor.begin_hand()
        self.events: list[TableEvent] = []
        self._number = self._entries = 0

    def visits(self, count: int, expect: Expectation, board: str = "", burns: str = "") -> None:
        """Each antenna is visited `count` times and reads these cards."""
        for _ in range(count):
            for antenna, cards in enumerate((board, burns, "2s 3s")):
                self._number += 1
                tags = tuple(tag_of(Card(card)) for card in cards.split())
                sweep = Stamped("r", "e", self._number, self._now, Sweep(antenna, tags))
                for sensed in self.sensor.update(sweep, expect):
                    self.events.append(sensed.event)
                    self._enter(sensed.event, sensed.basis)

    def act(self) -> None:
        """A player acts."""
        self._enter(Action("check", 1), "operator")

    def type_street(self) -> None:
        """Somebody types the flop."""
        self._enter(Street("flop", FLOP), "operator")

    def flop(self) -> int:
        """A burn and a flop are reported. Returns the entry of the flop."""
        self.visits(8, BURNS, burns="3c")
        self.visits(6, STREET, " ".join(FLOP), "3c")
        assert self.events[0] == Burn(Card("3c"))
        (flop,) = self.events[1:]
        assert isinstance(flop, Street) and sorted(flop.cards) == sorted(FLOP)
        self.events.clear()
        return self._entries

    @property
    def _now(self) -> Instant:
        return Instant(0, self._number * VISIT_NS // len(PLACES))

    def _enter(self, event: TableEvent, basis: Basis) -> None:
        self._entries += 1
        self.sensor.observe(Entry(self._entries, self._now, event, basis))


def burned(table: Table) -> list[TableEvent]:
    table.visits(12, PLAYED, "4h 5h 6h", "7c")
    return table.events


def test_a_further_burn_that_is_read_before_anybody_acts_is_of_the_street_that_lies_there() -> None:
    table = Table()
    flop = table.flop()
    assert burned(table) == [Insert(flop, Burn(Card("7c")))]


def test_so_it_is_if_somebody_acts_before_it_is_sure() -> None:
    table = Table()
    flop = table.flop()
    table.visits(1, PLAYED, "4h 5h 6h", "7c")
    assert table.events == []
    table.act()
    assert burned(table) == [Insert(flop, Burn(Card("7c")))]


def test_a_burn_that_is_read_after_an_act_is_that_of_the_next_street() -> None:
    table = Table()
    table.flop()
    table.act()
    assert burned(table) == [Burn(Card("7c"))]


def test_a_burn_that_is_read_long_after_the_street_is_that_of_the_next_one() -> None:
    table = Table()
    table.flop()
    table.visits(40, PLAYED, "4h 5h 6h")
    assert burned(table) == [Burn(Card("7c"))]


def test_a_burn_after_a_street_that_nobody_plays_is_that_of_the_next_one() -> None:
    """All players are all in."""
    table = Table()
    table.flop()
    table.visits(12, OVER, "4h 5h 6h", "7c")
    assert table.events == [Burn(Card("7c"))]


def test_the_burn_of_a_street_that_seemed_to_have_none_is_inserted_if_it_was_read_first() -> None:
    table = Table()
    table.visits(1, BURNS, burns="3c")
    table.visits(30, BURNS, " ".join(FLOP))
    (flop,) = table.events
    assert isinstance(flop, Street)
    table.act()
    table.visits(12, PLAYED, " ".join(FLOP), "3c")
    assert table.events[1:] == [Insert(1, Burn(Card("3c")))]


def test_after_that_burn_a_further_one_is_of_that_street_too() -> None:
    table = Table()
    table.visits(1, BURNS, burns="3c")
    table.visits(30, BURNS, " ".join(FLOP))
    table.visits(1, PLAYED, " ".join(FLOP), "3c 7c")
    table.visits(8, PLAYED, " ".join(FLOP), "3c")
    assert table.events[1:] == [Insert(1, Burn(Card("3c")))]
    table.visits(12, PLAYED, " ".join(FLOP), "7c")
    assert table.events[2:] == [Insert(1, Burn(Card("7c")))]


def test_a_burn_of_a_street_that_went_back_is_reported_as_it_comes() -> None:
    table = Table()
    table.flop()
    back = Expectation("betting", (), (1, 2), "preflop", "flop", 3, to_act=1)
    table.visits(12, back, "", "7c")
    assert table.events == [Burn(Card("7c"))]


def test_a_card_that_is_burned_after_a_street_without_a_burn_is_reported_as_it_comes() -> None:
    """The engine knows what to make of it."""
    table = Table()
    table.flop()
    table.visits(8, OVER, "4h 5h 6h 8h")
    table.visits(30, OVER, "4h 5h 6h 8h")
    (turn,) = table.events
    assert isinstance(turn, Street) and turn.street == "turn"
    board = (*FLOP, Card("8h"))
    after = Expectation("betting", (), (1, 2), "turn", "river", 1, burn_due=True, board=board, to_act=1)
    table.visits(12, after, "4h 5h 6h 8h", "7c")
    assert table.events[1:] == [Burn(Card("7c"))]


def test_so_it_is_after_a_street_that_was_typed() -> None:
    table = Table()
    table.visits(8, BURNS, burns="3c")
    table.type_street()
    table.visits(12, PLAYED, burns="3c 7c")
    assert table.events == [Burn(Card("3c")), Burn(Card("7c"))]


def fourth(table: Table) -> list[TableEvent]:
    table.visits(30, PLAYED, "4h 5h 6h 7h")
    return table.events


def test_a_fourth_card_that_is_sure_after_an_act_but_was_read_before_it_amends_the_flop() -> None:
    table = Table()
    flop = table.flop()
    table.visits(1, PLAYED, "4h 5h 6h 7h")
    assert table.events == []
    table.act()
    (event,) = fourth(table)
    assert isinstance(event, Amend) and event.entry == flop
    assert event.instead == Street("flop", (*event.instead.cards[:3], Card("7h")))  # type: ignore[union-attr]


def test_a_further_card_of_the_flop_does_not_wait_for_the_burn_of_the_turn() -> None:
    table = Table()
    table.flop()
    table.visits(1, PLAYED, "4h 5h 6h 7h")
    table.act()
    table.visits(8, PLAYED, "4h 5h 6h 7h")
    assert [type(event) for event in table.events] == [Amend]


def test_it_is_reported_as_somebody_acts() -> None:
    table = Table()
    table.flop()
    table.visits(4, PLAYED, "4h 5h 6h 7h")
    assert table.events == []
    (late,) = table.sensor.before(Action("check", 1), PLAYED)
    assert late.event == Street("flop", (Card("7h"),))


def test_a_card_after_a_street_that_went_back_is_not_reported_as_somebody_acts() -> None:
    table = Table()
    table.flop()
    back = Expectation("betting", (), (1, 2), "preflop", "flop", 3, to_act=1)
    table.visits(2, back, "7h")
    assert table.sensor.before(Action("check", 1), back) == ()


def test_so_does_a_fifth() -> None:
    table = Table()
    table.flop()
    table.visits(1, PLAYED, "4h 5h 6h 7h 8h")
    table.act()
    table.visits(20, PLAYED, "4h 5h 6h 7h")
    amended = replace(PLAYED, board=(*FLOP, Card("7h")))
    table.visits(20, amended, "4h 5h 6h 7h 8h")
    assert [len(event.instead.cards) for event in table.events if isinstance(event, Amend)] == [4, 5]


def test_the_third_card_of_a_flop_completes_it_after_an_act_too() -> None:
    table = Table()
    table.visits(8, BURNS, burns="3c")
    table.visits(20, STREET, "4h 5h", "3c")
    short = Expectation("betting", (), (1, 2), "flop", "turn", 1, burn_due=True, board=FLOP[:2], to_act=1)
    table.visits(1, short, "4h 5h 6h")
    table.act()
    table.visits(30, short, "4h 5h 6h")
    assert table.events[1:] == [Street("flop", FLOP[:2]), Street("flop", FLOP[2:])]


def test_a_card_that_is_read_after_an_act_is_the_next_street() -> None:
    table = Table()
    table.flop()
    table.act()
    assert fourth(table) == [Street("turn", (Card("7h"),))]
