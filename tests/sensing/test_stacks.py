"""The stack of a seat is counted between hands, with an error that holds."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from tablebridge.engine.script.statements import parse_line
from tablebridge.model.chip_events import StackChips
from tablebridge.model.decks import Inventory
from tablebridge.model.events import TableEvent
from tablebridge.model.expectation import NOTHING, Expectation
from tablebridge.model.instant import START, later
from tablebridge.model.places import Place, bet_place, stack_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.chips.unread_chips import unread_chance, unread_worth
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.table import Table, touching
from tablebridge.sim.virtual import CYCLE_S

VALUES = [25] * 12 + [100] * 16 + [500] * 8 + [1000] * 6
CHIPS = {f"E0040300{seat:04X}{number:04X}": value for seat in (1, 2) for number, value in enumerate(VALUES)}
PLACES = [stack_place(1), stack_place(2), bet_place(1)]
NEAR = touching([(PLACES[0], PLACES[1]), (PLACES[0], PLACES[2]), (PLACES[1], PLACES[2])])
BETTING = Expectation(phase="betting", to_act=1, street="flop")


def chips_of(seat: int, values: Sequence[int] = VALUES) -> list[str]:
    """The tags of the seat's chips."""
    return [tag for tag in CHIPS if int(tag[8:12], 16) == seat][: len(values)]


def worth(tags: Sequence[str]) -> int:
    return sum(CHIPS[tag] for tag in tags)


class Felt:
    """Two stacks and a bet spot, read at a level of noise."""

    def __init__(self, level: str = "clean", seed: int = 0) -> None:
        self.table = Table(LEVELS[level], seed, near=NEAR)
        self.sensor = Sensor(
            {("r", number): place for number, place in enumerate(PLACES)},
            {},
            DeckRegistry(Inventory((), CHIPS)),
        )
        self._cycle_s = CYCLE_S[level]
        self._now_s = 0.0
        self._number = 0

    def put(self, tags: Sequence[str], place: Place) -> None:
        self.table.put(tags, place)

    def passes(self, seconds: float, expect: Expectation = NOTHING) -> list[TableEvent]:
        """What is reported while this time passes."""
        reported: list[TableEvent] = []
        until_s = self._now_s + seconds
        while self._now_s < until_s:
            self._now_s += self._cycle_s
            for number, place in enumerate(PLACES):
                self._number += 1
                sweep = Sweep(number, tuple(self.table.visit(place)))
                stamped = Stamped("r", "e", self._number, later(START, self._now_s), sweep)
                reported += [sensed.event for sensed in self.sensor.update(stamped, expect)]
        return reported


def counts(reported: Sequence[TableEvent], seat: int = 1) -> list[StackChips]:
    return [event for event in reported if isinstance(event, StackChips) and event.seat == seat]


def test_a_stack_that_is_read_well_is_counted_once_between_hands() -> None:
    felt = Felt()
    felt.put(chips_of(1), PLACES[0])
    assert counts(felt.passes(20, BETTING)) == []
    (count,) = counts(felt.passes(20))
    assert count.chips == tuple(sorted(VALUES, reverse=True))
    assert count.less == 0 and 1000 <= count.more < 2000
    felt.sensor.begin_hand()
    assert counts(felt.passes(20, BETTING)) == []
    assert counts(felt.passes(20)) == [count]


def test_chips_that_leave_the_stack_are_counted_no_more() -> None:
    felt = Felt()
    felt.put(chips_of(1), PLACES[0])
    felt.passes(10)
    felt.table.take(chips_of(1)[:12])
    (count,) = counts(felt.passes(20))
    assert sum(count.chips) == worth(chips_of(1)) - 12 * 25


def test_a_chip_that_two_stacks_read_alike_is_an_error_of_both() -> None:
    felt = Felt()
    tags = chips_of(1)
    felt.put(tags, PLACES[0])
    felt.put(chips_of(2), PLACES[1])
    felt.table.clone(tags[-1], PLACES[1])
    reported = felt.passes(20)
    first, second = counts(reported, 1)[-1], counts(reported, 2)[-1]
    assert CHIPS[tags[-1]] == 1000
    assert first.less + second.less >= 1000
    assert sum(first.chips) - first.less <= worth(tags) - 1000


def test_no_count_before_enough_visits_and_none_of_an_antenna_that_reads_nothing() -> None:
    felt = Felt()
    felt.put(chips_of(1), PLACES[0])
    assert felt.passes(1) == []
    assert counts(felt.passes(60), 2) == []


def test_the_same_readings_after_the_hand_began_give_the_same_count() -> None:
    """What was read in the hand before does not matter."""
    counted = []
    for of_before in ([], chips_of(2)):
        before, felt = Felt("mild", 4), Felt("mild", 3)
        before.put(of_before, PLACES[0])
        before.passes(10)
        felt.sensor = before.sensor
        felt.sensor.begin_hand()
        felt.put(chips_of(1), PLACES[0])
        counted.append(counts(felt.passes(20)))
    assert counted[0] == counted[1] != []


class Measured(NamedTuple):
    """Stacks that were counted, of which so many are worth less or more than their count allows; the median
    of what a count allows less and more than was read, and how many stacks were not counted.
    """

    counted: int
    outside: int
    less: int
    more: int
    uncounted: int


def measure(level: str, seeds: int) -> Measured:
    """Stacks of 42 chips worth 11,900, counted after two minutes of a hand in which nobody touched them."""
    found: list[StackChips] = []
    stacks = 2 * seeds
    for seed in range(seeds):
        felt = Felt(level, seed)
        for seat in (1, 2):
            felt.put(chips_of(seat), PLACES[seat - 1])
        felt.passes(120, BETTING)
        reported = felt.passes(20)
        found += [counts(reported, seat)[-1] for seat in (1, 2) if counts(reported, seat)]
    value = worth(chips_of(1))
    return Measured(
        len(found),
        sum(not sum(one.chips) - one.less <= value <= sum(one.chips) + one.more for one in found),
        sorted(one.less for one in found)[len(found) // 2] if found else 0,
        sorted(one.more for one in found)[len(found) // 2] if found else 0,
        stacks - len(found),
    )


@pytest.mark.parametrize(("level", "least", "more"), [("mild", 6, 1200), ("typical", 4, 3000)])
def test_the_error_of_a_count_holds(level: str, least: int, more: int) -> None:
    """The figures of docs/chips.md, of fewer stacks: `python tests/sensing/test_stacks.py` measures them."""
    measured = measure(level, 3)
    assert measured.outside == 0
    assert measured.counted >= least
    assert measured.more <= more


def test_the_chance_of_unread_chips_follows_from_how_often_the_others_answer() -> None:
    well = unread_chance([40] * 20, 40, 2, 0.003)
    badly = unread_chance([2, 3, 2, 5, 8, 4, 2, 3, 6, 2], 40, 2, 0.003)
    assert 0.003 <= well < 0.006
    assert 0.05 < badly < 0.8
    assert unread_chance([], 40, 2, 0.003) == 1.0
    assert unread_worth({1000: 10}, well, 1e-3) == 2000
    assert unread_worth({1000: 10, 25: 10}, badly, 1e-3) > 2000
    assert unread_worth({500_000: 800, 1: 800}, 0.3, 1e-3) >= 150 * 500_000


def test_a_line_of_table_script_says_a_count() -> None:
    assert parse_line("stack-chips 3 2x100+25 less 25 more 100") == StackChips(3, (100, 100, 25), 25, 100)
    assert parse_line("stack-chips 3 0x100") == StackChips(3, ())


if __name__ == "__main__":
    for noise in ("mild", "typical", "harsh"):
        print(noise, measure(noise, 25))
