"""Where a card of the stub is likely to have gone before anything is read of it."""

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, BURN, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.prior import deal_odds
from tablebridge.sensing.dynamics import ASSUMED

BETTING = Expectation("betting", live=(1, 2), holds={1: 2, 2: 2}, board_due=3, burn_due=True)
SEAT = seat_place(2)


def test_a_place_that_lacks_a_card_is_likelier_than_one_that_does_not() -> None:
    cards = {1: 2, 2: 1}
    whole = deal_odds(ASSUMED.deal, BETTING, cards, 0.25)
    lacking = deal_odds(ASSUMED.deal, BETTING, cards, 0.25, frozenset({SEAT}))
    assert lacking[SEAT] > 100 * whole[SEAT]
    assert {place: odds for place, odds in lacking.items() if place != SEAT} == {
        place: odds for place, odds in whole.items() if place != SEAT
    }


def test_no_place_is_less_likely_for_lacking_a_card() -> None:
    street = Expectation("street", live=(1, 2), board_due=3)
    whole = deal_odds(ASSUMED.deal, street, {}, 0.25)
    assert deal_odds(ASSUMED.deal, street, {}, 0.25, frozenset({BOARD}))[BOARD] == whole[BOARD]


def test_a_burn_that_its_street_came_without_is_believed_when_its_card_answers_late() -> None:
    """The engine has the street, so that it expects no burn any more."""
    cards = BayesFilter()
    number = 0

    def visit(place: str, tags: tuple[str, ...], expect: Expectation) -> None:
        nonlocal number
        number += 1
        at_ns = number * 40_000_000
        cards.locate(AntennaReport(place, tags, 1, at_ns, at_ns - 120_000_000), expect)  # type: ignore[arg-type]

    due = Expectation("burn", live=(1, 2), board_due=1, burn_due=True)
    for _ in range(8):
        visit(BURN, (), due)
        visit(BOARD, ("A",), due)
    assert cards.place("A") == BOARD
    over = Expectation("betting", live=(1, 2))
    for beside in ((), ("B",)):  # it lies where the two fields meet
        visit(BURN, ("B",), over)
        visit(BOARD, beside, over)
    assert cards.place("B") == BURN
