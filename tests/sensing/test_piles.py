"""More than two cards on each other before a seat: missed more, and the table seems no noisier for it."""

from random import Random

import pytest

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import MUCK, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.rates import rates
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.table import Table

SEAT = seat_place(4)
CYCLE_NS = 100_000_000


class Laid:
    """A filter that knows which cards lie at a seat, visited ten times a second."""

    def __init__(self, *tags: str, open_cards: tuple[int, ...] = ()) -> None:
        self.cards = BayesFilter()
        self.expect = Expectation("betting", (), (4, 5), "preflop", open_cards=open_cards)
        self.now = 0
        self.begin(*tags)

    def begin(self, *tags: str) -> None:
        """A hand begins, and these lie at the seat."""
        self.cards.reset()
        self.visit()
        for tag in tags:
            self.cards.assume(tag, SEAT)

    def visit(self, *read: str) -> None:
        """The antenna of the seat reads these."""
        self.now += CYCLE_NS
        self.cards.locate(AntennaReport(SEAT, read, 1, self.now, self.now - CYCLE_NS), self.expect)


def played(number: int, hands: int = 8) -> BayesFilter:
    """After hands in which this number of cards lay still on each other, at typical noise."""
    tags = tuple(f"T{card}" for card in range(number))
    laid, truth = Laid(), Table(LEVELS["typical"], Random(2).randrange(1 << 32))
    for _ in range(hands):
        truth.put(tags, MUCK)
        truth.put(tags, SEAT)
        laid.begin(*tags)
        for _ in range(150):
            laid.visit(*(tag for tag in truth.visit(SEAT) if tag in tags))
    laid.cards.reset()
    return laid.cards


def expected(laid: Laid) -> float:
    """How likely a card that came to the seat was read in none of three visits."""
    return laid.cards.unread(SEAT, 3)


def test_a_card_among_many_is_missed_more() -> None:
    missed = [expected(Laid(*tags)) for tags in ("", "A", "AB", "ABC", "ABCD", "ABCDE")]
    assert missed[0] == missed[1] and missed[1:] == sorted(missed[1:]) and missed[1] < missed[2]


def test_cards_that_leave_make_the_pile_lower() -> None:
    laid = Laid(*"ABCDE")
    before = expected(laid)
    for tag in "CDE":
        laid.cards.assume(tag, MUCK)
    assert expected(laid) == expected(Laid(*"AB")) < before


def test_open_cards_lie_beside_each_other() -> None:
    assert expected(Laid(*"ABCDE", open_cards=(2, 3, 4))) == expected(Laid(*"AB"))


def test_it_does_not_matter_whether_the_others_came_before_or_after_a_card() -> None:
    gone = []
    for tags in ("ABCDEF", "BCDEFA"):
        laid = Laid(*tags)
        for _ in range(6):
            laid.visit(*tags)
        for _ in range(6):
            laid.visit(*"BCDEF")
        gone.append(laid.cards.gone("A"))
    assert gone[0] == pytest.approx(gone[1], rel=1e-6) and gone[0] > 1e-4


@pytest.mark.parametrize("number", [4, 6])
def test_a_table_of_many_cards_is_not_taken_for_a_noisier_one(number: int) -> None:
    pair, many = played(2), played(number)
    assert abs(many._gauge.level - pair._gauge.level) < 0.35
    shift = [cards._model.places[SEAT].shift for cards in (pair, many)]
    assert abs(shift[1] - shift[0]) < 0.5


def test_rates_of_two_cards_and_fewer_are_those_of_the_kind() -> None:
    for level in (0.0, 1.0, 2.0):
        piles = rates(level).piles
        assert {of(number) for of in (piles.gauge, piles.stay) for number in (0, 1, 2)} == {1.0}
        assert [piles.more(number) for number in (0, 1, 2)] == [0.0] * 3
        assert piles.more(40) == piles.more(9) > piles.more(3) > 0
