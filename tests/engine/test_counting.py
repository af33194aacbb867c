"""Chips that are counted: nothing that is legal is a mismatch, and what is gone is found."""

from collections import Counter
from random import Random

import pytest
from engine.alphabet import legal
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.engine.chips.inventory import MOST_OPEN, Account, Movement, counts, worth
from tablebridge.engine.table import Table
from tablebridge.model import chip_events as chip
from tablebridge.model import events as ev
from tablebridge.model.findings import Counted
from tablebridge.model.instant import Instant

DENOMINATIONS = (5, 25, 100, 500)
chips = st.lists(st.sampled_from(DENOMINATIONS), min_size=1, max_size=6)
START = Instant(0, 0)


class Felt:
    """A tray and what is told of it. Each movement is done at once, or told first and done later."""

    def __init__(self, first: list[int]) -> None:
        self.tray = Counter(first)
        self.account = Account.opened(counts(first))
        self.waiting: list[dict[int, int]] = []

    def read(self) -> int:
        self.account = self.account.read(dict(+self.tray))
        return self.account.variance

    def tell(self, change: dict[int, int]) -> None:
        self.account = self.account.moved(Movement(change, 1))

    def do(self, change: dict[int, int]) -> None:
        for value, number in change.items():
            self.tray[value] += number

    def change(self, rng: Random) -> None:
        """One chip of the tray for smaller ones of the same value, or the other way round; not of chips laid
        out to go.
        """
        if any(number < 0 for change in self.waiting for number in change.values()):
            return
        for high, low in ((25, 5), (100, 25), (500, 100)):
            if self.tray[high] and rng.random() < 0.5:
                self.do({high: -1, low: high // low})
            elif self.tray[low] >= high // low and rng.random() < 0.5:
                self.do({high: 1, low: -high // low})


@given(chips, st.lists(chips, max_size=6), st.randoms(use_true_random=False))
def test_no_fill_credit_payment_or_change_is_a_mismatch(
    first: list[int], moves: list[list[int]], rng: Random
) -> None:
    felt = Felt(first)
    for number, moved in enumerate(moves, 1):
        sign = 1 if number % 2 or worth(counts(moved)) > worth(felt.tray) else -1
        change = {value: sign * count for value, count in counts(moved).items()}
        going = Counter(
            {value: sum(-min(other.get(value, 0), 0) for other in felt.waiting) for value in DENOMINATIONS}
        )
        if any(felt.tray[value] - going[value] + count < 0 for value, count in change.items()):
            change = dict.fromkeys(change, 1)
        felt.tell(change)
        if rng.random() < 0.5:
            felt.waiting.append(change)
        else:
            felt.do(change)
        if rng.random() < 0.4:
            felt.change(rng)
        assert felt.read() == 0
        while felt.waiting and rng.random() < 0.5:
            felt.do(felt.waiting.pop(rng.randrange(len(felt.waiting))))
            assert felt.read() == 0
    for change in felt.waiting:
        felt.do(change)
    assert felt.read() == 0
    assert felt.account.overdue(2).variance == 0
    assert felt.account.overdue(2).held == dict(+felt.tray)


@given(chips, st.integers(0, MOST_OPEN + 4), chips)
def test_what_is_gone_is_found_and_its_return_clears_it(
    first: list[int], fills: int, stolen: list[int]
) -> None:
    felt = Felt([*first, *stolen])
    for _ in range(fills):
        felt.tell({1000: 1})
        felt.do({1000: 1})
    assert felt.read() == 0
    gone = counts(stolen)
    felt.do({value: -count for value, count in gone.items()})
    assert felt.read() == -sum(stolen)
    assert {one.denomination: one.expected - one.found for one in felt.account.breakdown} == gone
    felt.change(Random(1))
    assert felt.read() == -sum(stolen)
    felt.do(gone)
    assert felt.read() == 0
    assert felt.account.breakdown == ()


@given(chips, chips, chips)
def test_a_variance_that_stands_is_not_found_again_by_a_fill(
    first: list[int], stolen: list[int], fill: list[int]
) -> None:
    felt = Felt([*first, *stolen])
    felt.do({value: -count for value, count in counts(stolen).items()})
    variance = felt.read()
    felt.tell(counts(fill))
    assert felt.account.variance in (variance, 0)
    felt.do(counts(fill))
    assert felt.read() in (variance, 0)


def test_a_movement_that_never_comes_is_missed_and_found_again_when_it_comes() -> None:
    felt = Felt([100])
    felt.tell({500: 1})
    assert felt.account.overdue(1).variance == 0
    felt.account = felt.account.overdue(2)
    assert felt.account.variance == -500
    assert felt.account.breakdown == (Counted(500, 1, 0),)
    felt.do({500: 1})
    assert felt.read() == 0


def play(rng: Random, steal: bool) -> list[str]:
    """A hand that is dealt and bet as it may be, the pot counted after each event. The findings of counts."""
    table, found, number = Table("t"), [], 0

    def tell(event: ev.TableEvent) -> None:
        nonlocal number
        number += 1
        outcome = table.apply(ev.Entry(number, START, event))
        found.extend(
            one.finding for one in outcome.findings if one.finding in ("pot-mismatch", "tray-mismatch")
        )

    for event in (
        ev.Game(rng.choice(("nlhe", "plo", "stud", "flhe")), (50, 100)),
        ev.Ante(rng.choice((0, 10))),
        ev.Seats((1, 2, 3, 4)),
        ev.Stacks(by_seat={1: 400, 2: 900, 3: 2500, 4: 2500}),
        ev.Button(4),
        ev.Hand(),
    ):
        tell(event)
    middle, street, swept = 0, table.street, set[int]()
    for _ in range(120):
        if table.hand is None or table.hand.over:
            break
        before = table.pot
        tell(legal(rng, table))
        if table.street != street:
            # The bets are swept before the next street is dealt.
            middle, street, swept = min(before, table.pot), table.street, set()
        swept |= {seat for seat in table.dead if rng.random() < 0.5}
        # In stud, what was swept is a bet no longer when the whole street lies there.
        early = sum(table.bet(seat) for seat in swept) if table.hand.deal.street_dealt else 0
        if not table.hand.over:
            gone = 30 if steal and middle > 30 and len(table.live) > 1 else 0
            tell(chip.PotChips((middle + early - gone,)))
    return found


@pytest.mark.parametrize("seed", range(0, 400, 100))
def test_no_pot_that_is_swept_as_it_should_be_is_a_mismatch(seed: int) -> None:
    assert [one for one in range(seed, seed + 100) if play(Random(one), steal=False)] == []


def test_chips_that_leave_the_pot_are_found() -> None:
    assert sum("pot-mismatch" in play(Random(seed), steal=True) for seed in range(20)) > 5
