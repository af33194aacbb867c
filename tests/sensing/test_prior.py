"""Where a card of the stub is likely to have gone before anything is read of it."""

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, BURN, STUB, Place, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.prior import deal_odds
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.dynamics import ASSUMED

BETTING = Expectation("betting", live=(1, 2), board_due=3, burn_due=True)


def test_a_live_seat_with_fewer_cards_than_others_is_likely_to_get_one() -> None:
    whole = deal_odds(ASSUMED.deal, BETTING, {1: 2, 2: 2, 3: 2}, 0.25)
    lacking = deal_odds(ASSUMED.deal, BETTING, {1: 2, 2: 1, 3: 0}, 0.25)
    assert lacking[seat_place(2)] > 100 * whole[seat_place(2)]
    assert lacking[seat_place(3)] == whole[seat_place(3)], "who has folded lacks nothing"
    assert lacking[seat_place(1)] == whole[seat_place(1)]


def test_a_place_without_an_antenna_explains_no_read() -> None:
    """Nothing would ever speak against it, however seldom the true antenna reads the card. In the first
    visits of a hand nobody knows which antennas there are.
    """
    places: tuple[Place, ...] = (seat_place(9), seat_place(8), BOARD, BURN, STUB)
    cards = BayesFilter(known=rates(2.0))
    due = Expectation("deal", (9, 8), (8, 9))
    for number in range(200):
        for place in places:
            at_ns = number * 340_000_000
            tags = ("A",) if place == seat_place(9) and number % 3 == 2 and number > 5 else ()
            cards.locate(AntennaReport(place, tags, 1, at_ns, at_ns - 340_000_000), due)
    assert seat_place(10) not in cards.odds("A")
    assert cards.place("A") == seat_place(9)
