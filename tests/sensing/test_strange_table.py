"""What is taken of a table of which nothing is known yet: it may be as noisy as a table can be."""

from tablebridge.model.learnt import Learnt
from tablebridge.model.places import seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.rates import rates
from tests.sensing.test_card_filter import BETTING, DEAL, VISIT_NS

SEAT, OTHER = seat_place(1), seat_place(2)
VISITS = 13
"""As many passed a seat over, it seemed, at a table that was noisier than was thought."""


def watched(reads: str, cards: BayesFilter | None = None) -> BayesFilter:
    """A card lies at a seat and is read (`x`) or missed."""
    cards = cards or BayesFilter()
    for number, read in enumerate(reads, 1):
        at_ns = number * VISIT_NS
        expect = DEAL if number < 5 else BETTING
        tags = ("A",) if read == "x" else ()
        cards.locate(AntennaReport(OTHER, tags, 1, at_ns, at_ns - VISIT_NS, True, str(number)), expect)
    return cards


def test_a_card_of_a_strange_table_may_be_unread_for_long() -> None:
    known = BayesFilter(known=rates(2.0)).unread(SEAT, VISITS)
    assert known / 4 < BayesFilter().unread(SEAT, VISITS) < known


def test_a_table_that_reads_well_is_known_to_within_its_first_hand() -> None:
    assert watched("x" * 40).unread(SEAT, VISITS) < BayesFilter().unread(SEAT, VISITS) / 2


def test_a_table_that_reads_badly_is_known_to_within_its_first_hand() -> None:
    assert watched("xx.x." * 10).unread(SEAT, VISITS) > 1.5 * BayesFilter().unread(SEAT, VISITS)


def test_a_table_that_has_played_is_taken_as_it_was_learnt() -> None:
    cards = BayesFilter()
    cards.recall(Learnt(still=(2000.0, 100.0)))
    assert cards.unread(SEAT, VISITS) < BayesFilter().unread(SEAT, VISITS) / 5


def test_a_noisy_table_that_has_played_is_not_taken_for_the_noisiest() -> None:
    cards = BayesFilter()
    cards.recall(Learnt(still=(2000.0, 600.0)))
    assert cards.unread(SEAT, VISITS) < 0.8 * BayesFilter(known=rates(2.0)).unread(SEAT, VISITS)
