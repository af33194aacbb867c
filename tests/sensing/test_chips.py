"""Chips at bet spots, in the pot and in the tray: every chip once, however badly it is read."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.model.chip_events import ForeignChip, PotChips, Tray
from tablebridge.model.decks import Deck, Inventory
from tablebridge.model.events import ChipsBack, ChipsIn, Entry, ForeignTag, TableEvent
from tablebridge.model.expectation import NOTHING, Expectation
from tablebridge.model.instant import START, Instant, later
from tablebridge.model.places import POT, TRAY, Place, bet_place
from tablebridge.model.readings import Reading, Stamped, Sweep, TrayReading
from tablebridge.sensing.dynamics import ASSUMED
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry


def expected_after(*lines: str) -> Expectation:
    """What the engine expects after these lines."""
    table = Table("table")
    for number, line in enumerate(lines, 1):
        table.apply(Entry(number, START, parse_line(line)))
    return table.expectation()


CHIPS = {
    f"E0040200000000{number:02X}": value for number, value in enumerate([1000] * 10 + [100] * 30 + [25] * 20)
}
SPOTS = [bet_place(1), bet_place(2), bet_place(5), POT, TRAY]
STRANGER = "E0049900000000FF"
HAND = ("rules tda-2022", "game nlhe 50/100", "seats 1 2 3", "button 3", "stacks 10000", "hand", "dealt")
WAITS = expected_after(*HAND)
ACTS = expected_after(*HAND, "call 3")
ON_THE_FLOP = expected_after(*HAND, "call 3", "call 1", "check 2", "burn", "flop 2c 3d 4h")


class Felt:
    """Chips lie at places, each read at its rate, ten visits a second at every antenna. `edge`: another place
    that reads it.
    """

    def __init__(self, seed: int = 0, chips: dict[str, int] | None = None) -> None:
        self.sensor = Sensor(
            {("r", number): place for number, place in enumerate(SPOTS)},
            {},
            DeckRegistry(Inventory((), CHIPS if chips is None else chips)),
        )
        self.rate: dict[str, float] = {}
        self.lies: dict[str, Place] = {}
        self.edge: dict[str, tuple[Place, float]] = {}
        self.reported: list[TableEvent] = []
        self._rng = Random(seed)
        self._number = 0
        self._s = 0.0

    def put(self, tags: Sequence[str], place: Place, rate: float = 1.0) -> None:
        for tag in tags:
            self.lies[tag], self.rate[tag] = place, rate

    def lift(self, tags: Sequence[str]) -> None:
        for tag in tags:
            del self.lies[tag]

    def give(self, reading: Reading, expect: Expectation) -> None:
        self._number += 1
        stamped = Stamped("r", "e", self._number, later(START, self._s), reading)
        self.reported += [sensed.event for sensed in self.sensor.update(stamped, expect)]

    def visits(self, count: int, expect: Expectation = ACTS) -> list[TableEvent]:
        before = len(self.reported)
        for _ in range(count):
            self._s += 0.1
            for number, place in enumerate(SPOTS):
                read = [
                    tag
                    for tag, at in self.lies.items()
                    if at == place and self._rng.random() < self.rate[tag]
                ]
                read += [
                    tag for tag, (at, rate) in self.edge.items() if at == place and self._rng.random() < rate
                ]
                self.give(Sweep(number, tuple(read)), expect)
        return self.reported[before:]


def tags(value: int, count: int, first: int = 0) -> list[str]:
    return [tag for tag, worth in CHIPS.items() if worth == value][first : first + count]


def of(reported: Sequence[TableEvent], kind: type[ChipsIn | ChipsBack]) -> list[ChipsIn | ChipsBack]:
    return [event for event in reported if isinstance(event, kind)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rate", [1.0, 0.8, 0.5])
def test_a_stack_that_is_read_badly_is_one_motion(rate: float, seed: int) -> None:
    felt = Felt(seed)
    felt.put([*tags(1000, 2), *tags(100, 8), *tags(25, 6)], bet_place(1), rate)
    assert felt.visits(300) == [ChipsIn(1, (1000,) * 2 + (100,) * 8 + (25,) * 6)]


@pytest.mark.parametrize("seed", range(10))
def test_chips_at_the_edge_of_the_field_come_once_and_never_twice(seed: int) -> None:
    felt = Felt(seed)
    felt.put(tags(100, 6), bet_place(1), 0.9)
    felt.put(tags(25, 3), bet_place(1), 0.12)
    reported = of(felt.visits(600), ChipsIn)
    assert Counter(chip for event in reported for chip in event.chips) == {100: 6, 25: 3}
    assert of(felt.reported, ChipsBack) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_chip_that_the_neighbour_reads_too_is_of_the_spot_that_reads_it_best(seed: int) -> None:
    felt = Felt(seed)
    chips = tags(100, 4)
    felt.put(chips, bet_place(1), 0.8)
    felt.edge = dict.fromkeys(chips, (bet_place(2), 0.3))
    felt.visits(300)
    assert sum(len(event.chips) for event in of(felt.reported, ChipsIn) if event.seat == 1) == 4
    assert [event for event in of(felt.reported, ChipsIn) if event.seat == 2] == []


def test_a_chip_that_goes_over_to_the_neighbour_is_reported_there_after_it_left() -> None:
    felt = Felt()
    felt.put(tags(100, 1), bet_place(1))
    felt.visits(30)
    felt.put(tags(100, 1), bet_place(2))
    assert felt.visits(60, WAITS) == [ChipsIn(2, (100,))]


def test_chips_are_pulled_back_while_their_seat_has_to_act_and_swept_otherwise() -> None:
    felt = Felt()
    felt.put(tags(100, 3), bet_place(1))
    felt.put(tags(25, 2), bet_place(1))
    felt.visits(30)
    felt.lift(tags(25, 2))
    assert felt.visits(40) == [ChipsBack(1, (25, 25))]
    felt.lift(tags(100, 1))
    assert felt.visits(40, WAITS) == []
    felt.lift(tags(100, 2, 1))
    assert felt.visits(40, ON_THE_FLOP) == []


def test_the_turn_of_these_tests_is_the_turn_of_the_engine() -> None:
    assert (WAITS.to_act, ACTS.to_act, ON_THE_FLOP.to_act) == (3, 1, 1)
    assert {one.phase for one in (WAITS, ACTS, ON_THE_FLOP)} == {"betting"}


def test_chips_that_come_again_on_the_next_street_are_reported_again() -> None:
    felt = Felt()
    felt.put(tags(100, 3), bet_place(1))
    felt.visits(30)
    felt.lift(tags(100, 3))
    felt.visits(40, Expectation("burn", street="preflop"))
    felt.put(tags(100, 3), bet_place(1))
    assert felt.visits(30, ON_THE_FLOP) == [ChipsIn(1, (100,) * 3)]


def test_the_pot_and_the_tray_are_reported_when_they_have_stood_for_a_while() -> None:
    felt = Felt()
    felt.put(tags(100, 4), POT, 0.7)
    felt.put(tags(25, 9), TRAY, 0.7)
    assert sorted(map(str, felt.visits(100))) == sorted(map(str, [PotChips((100,) * 4), Tray((25,) * 9)]))
    for number in range(3):
        felt.lift(tags(25, 1, number))
        assert felt.visits(20) == []
    assert felt.visits(80) == [Tray((25,) * 6)]
    felt.lift(tags(100, 4))
    assert felt.visits(120) == [PotChips(())]


def test_a_tray_that_reports_by_itself_is_reported_when_it_has_stood() -> None:
    felt = Felt()
    felt.give(TrayReading(tuple(tags(100, 2)), {25: 3}), NOTHING)
    assert felt.reported == [] and felt.sensor.wake_ns is not None
    wake = Instant(0, felt.sensor.wake_ns)
    assert [sensed.event for sensed in felt.sensor.due(wake, NOTHING)] == [Tray((100, 100, 25, 25, 25))]
    assert felt.sensor.wake_ns is None
    felt.give(TrayReading(tuple(tags(100, 2)[::-1]), {25: 3}), NOTHING)
    assert felt.sensor.wake_ns is None


def test_a_tag_of_no_inventory_is_a_foreign_chip_once_a_hand_at_each_place_for_chips() -> None:
    for place in (bet_place(1), POT, TRAY):
        felt = Felt()
        felt.put([STRANGER], place)
        assert felt.visits(20) == [ForeignChip(place)]
        felt.sensor.begin_hand()
        assert felt.visits(20) == [ForeignChip(place)]
    felt = Felt()
    felt.give(TrayReading((STRANGER, *tags(100, 1))), NOTHING)
    assert felt.reported == [ForeignChip(TRAY)]


def test_without_enrolled_chips_nothing_is_said_of_chips() -> None:
    felt = Felt(chips={})
    felt.put([STRANGER], bet_place(1))
    felt.give(TrayReading((STRANGER,)), NOTHING)
    assert felt.visits(20) == [ForeignTag(bet_place(1))]


def test_a_card_of_another_deck_at_a_bet_spot_is_no_chip() -> None:
    decks = (Deck("red", {}), Deck("blue", {STRANGER: "Ah"}))  # type: ignore[dict-item]
    one = Sensor({("r", 0): bet_place(1)}, {}, DeckRegistry(Inventory(decks, CHIPS, "red")))
    reported = [
        sensed.event
        for number in range(9)
        for sensed in one.update(
            Stamped("r", "e", number, later(START, number / 10), Sweep(0, (STRANGER,))), ACTS
        )
    ]
    assert reported == [ForeignTag(bet_place(1), "blue")]


def test_a_rack_that_nobody_enrolled_is_reported_by_some_of_its_chips() -> None:
    felt = Felt()
    felt.give(TrayReading(tuple(f"E0049900000000{number:02X}" for number in range(200))), NOTHING)
    assert 1 <= len(felt.reported) <= 10


def test_one_identity_at_two_places_that_are_no_neighbours_is_a_copy() -> None:
    felt = Felt()
    chip = tags(1000, 1)
    felt.put(chip, bet_place(1))
    felt.edge = {chip[0]: (bet_place(5), 0.9)}
    felt.visits(130)
    assert [event.cause for event in felt.reported if isinstance(event, ForeignChip)] == ["two-places"]
    felt = Felt()
    felt.give(TrayReading(tuple(chip)), NOTHING)
    felt.put(chip, bet_place(1))
    assert ForeignChip(bet_place(1), "two-places") in felt.visits(130)
    felt = Felt()
    felt.put(chip, bet_place(1))
    felt.edge = {chip[0]: (bet_place(2), 0.6)}
    assert not any(isinstance(event, ForeignChip) for event in felt.visits(200))


def test_a_single_answer_is_no_chip() -> None:
    felt = Felt()
    felt.give(Sweep(0, tuple(tags(1000, 1))), ACTS)
    assert felt.visits(60) == [] and ASSUMED.chips.reads > 1
