"""The filter alone: what one report may change, what a hand leaves behind, where cards are when it ends."""

import pytest

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import MUCK, Place, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.card_filter import Move
from tablebridge.sensing.cards.rates import Rates, rates

VISIT_NS = 100_000_000
DEAL = Expectation("deal", (1, 2, 1, 2), (1, 2))
BETTING = Expectation("betting", (), (1, 2), holds={1: 2, 2: 2})
SEAT = seat_place(1)


class Cards:
    """The filter, and the time of its visits."""

    def __init__(self, known: Rates | None = None) -> None:
        self.filter = BayesFilter(known=known)
        self._number = 0

    def look(
        self, place: Place, *tags: str, visits: int = 1, complete: bool = True, expect: Expectation = BETTING
    ) -> tuple[Move, ...]:
        self._number += 1
        at_ns = self._number * VISIT_NS
        return self.filter.locate(
            AntennaReport(place, tags, visits, at_ns, at_ns - VISIT_NS, complete, str(self._number)), expect
        )


def dealt(known: Rates | None = None) -> Cards:
    """Two cards that lie well at a seat."""
    cards = Cards(known)
    for _ in range(20):
        cards.look(SEAT, "A", "B", expect=DEAL)
    for _ in range(30):
        cards.look(SEAT, "A", "B")
    assert cards.filter.place("A") == cards.filter.place("B") == SEAT
    return cards


@pytest.mark.parametrize("visits", [1, 12, 1000, 100_000])
def test_a_card_that_was_read_lies_there_however_many_visits_one_report_claims(visits: int) -> None:
    cards = Cards()
    assert [move.place for move in cards.look(SEAT, "A", visits=visits, expect=DEAL)] == [SEAT]
    odds = cards.filter.odds("A")
    assert odds[SEAT] > 0.99


@pytest.mark.parametrize("visits", [40, 1000, 100_000])
def test_one_report_proves_no_more_than_twelve_visits_do(visits: int) -> None:
    """A device may claim any number; what a single report says may be wrong as a whole."""
    many, twelve = dealt(), dealt()
    many.look(SEAT, visits=visits)
    twelve.look(SEAT, visits=12)
    assert many.filter.odds("A") == twelve.filter.odds("A")


def test_at_the_end_of_a_hand_cards_that_are_rather_gone_than_not_went_to_the_muck() -> None:
    cards = dealt()
    assert cards.filter.finish() == ()
    cards.look(SEAT)
    assert 0.5 < cards.filter.gone("A") < 0.95
    assert [(move.tag, move.place) for move in cards.filter.finish()] == [("A", MUCK), ("B", MUCK)]


def test_a_sweep_that_was_cut_short_does_not_prove_that_the_last_hand_was_cleared_away() -> None:
    cards = dealt()
    cards.filter.reset()
    cards.look(SEAT, complete=False, expect=DEAL)
    assert [move for _ in range(10) for move in cards.look(SEAT, "A", "B", expect=DEAL)] == []
    cards.look(SEAT, expect=DEAL)
    assert [move.tag for _ in range(10) for move in cards.look(SEAT, "A", expect=DEAL)] == ["A"]


def in_the_muck() -> Cards:
    """The cards of the seat were folded and are read well in the muck, at a table where few are."""
    cards = dealt(rates(2.0))
    for _ in range(20):
        cards.look(SEAT)
        cards.look(MUCK, "A", "B")
    assert cards.filter.place("A") == cards.filter.place("B") == MUCK
    return cards


def test_a_card_that_falls_silent_in_the_muck_while_another_seat_reads_it_has_left() -> None:
    """Without its silence in the muck it might be read across the table."""
    other = seat_place(6)
    silent, answering = in_the_muck(), in_the_muck()
    for _ in range(3):
        silent.look(MUCK, "B")
        silent.look(other, "A")
        answering.look(MUCK, "A", "B")
        answering.look(other, "A")
    assert silent.filter.gone("A") > 0.999
    assert answering.filter.gone("A") < 0.01


def test_a_card_that_is_silent_in_the_muck_after_others_came_to_lie_on_it_is_still_there() -> None:
    covered, alone = in_the_muck(), in_the_muck()
    seat = seat_place(2)
    for _ in range(20):
        covered.look(seat, "C", "D", expect=DEAL)
    for _ in range(30):
        covered.look(seat, "C", "D")
    while covered.filter.place("C") != MUCK or covered.filter.place("D") != MUCK:
        covered.look(seat)
        covered.look(MUCK, "A", "B", "C", "D")
    for _ in range(8):
        covered.look(MUCK, "C", "D")
        alone.look(MUCK, "B")
    assert covered.filter.gone("A") < alone.filter.gone("A") / 2


def test_a_card_that_was_put_back_into_the_muck_is_believed_to_lie_there_within_three_reads() -> None:
    cards = in_the_muck()
    for _ in range(100):
        cards.look(MUCK, "B")
    assert cards.filter.gone("A") > 0.9
    for _ in range(3):
        cards.look(MUCK, "A", "B")
    assert cards.filter.gone("A") < 0.05


def test_silence_in_the_muck_alone_shows_little_since_a_card_may_have_come_to_lie_on_it() -> None:
    cards = in_the_muck()
    for _ in range(12):
        cards.look(MUCK, "B")
    assert 0.05 < cards.filter.gone("A") < 0.4
