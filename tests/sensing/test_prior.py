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


def test_a_seat_that_the_deal_has_passed_still_lacks_its_card() -> None:
    """The deal goes on behind it: only the last two seats are still due."""
    due = Expectation("deal", (3, 4), (1, 2, 3, 4), holds={1: 2, 2: 1, 3: 1, 4: 1})
    likely = deal_odds(ASSUMED.deal, due, {1: 2, 2: 1, 3: 1, 4: 1}, 0.25)
    assert likely[seat_place(2)] > 100 * likely[seat_place(1)]
    assert likely[seat_place(3)] > likely[seat_place(2)], "a seat that is due is likelier"


def test_a_burn_that_was_not_read_is_still_awaited_when_its_street_lies() -> None:
    lies = Expectation("betting", live=(1, 2), board_due=1)
    burned = deal_odds(ASSUMED.deal, lies, {1: 2, 2: 2}, 0.25)
    lacks = deal_odds(ASSUMED.deal, lies, {1: 2, 2: 2}, 0.25, burn_lacks=True)
    assert lacks[BURN] > 10 * burned[BURN]
    assert {**lacks, BURN: 0.0} == {**burned, BURN: 0.0}


def test_a_card_that_is_read_at_the_burns_after_its_street_is_the_burn() -> None:
    """It was seldom read before; nothing but the burns reads it, and no burn is due any more."""
    places: tuple[Place, ...] = (BOARD, BURN, STUB)
    street = Expectation("burn", live=(1, 2), next_street="river", board_due=1, burn_due=True)
    over = Expectation("showdown", live=(1, 2), street="river")
    named = {}
    for late in (False, True):
        cards, found = BayesFilter(known=rates(2.0)), None
        for number in range(60):
            at_ns = number * 340_000_000
            for place in places:
                tags: tuple[str, ...] = ("C",) if place == STUB else ()
                if place == BOARD and number > 5 and late:
                    tags = ("R",)
                elif place == BURN and number > 12 and number % 4 == 0:
                    tags = ("A",)
                expect = over if number > 12 else street
                for move in cards.locate(AntennaReport(place, tags, 1, at_ns, at_ns - 340_000_000), expect):
                    if move.tag == "A":
                        found = number
        named[late] = found or 1000
    assert named[True] < named[False], "a street without a burn says that one lies there"


def test_a_card_that_is_read_thrice_in_flight_over_another_seat_has_not_come_there() -> None:
    """Few tags make fast rounds: a flight of 0.15 s is read several times over."""
    due = Expectation("deal", (3, 4, 3, 4), (3, 4))
    places: tuple[Place, ...] = (seat_place(3), seat_place(4), STUB)
    cards = BayesFilter(known=rates(0.0))
    named = []
    for number in range(30):
        at_ns = 3_000_000_000 + number * 36_000_000
        for place in places:
            flies, lies = place == seat_place(4) and number < 4, place == seat_place(3) and number > 4
            tags = ("A",) if flies or lies else ()
            named += cards.locate(AntennaReport(place, tags, 1, at_ns, at_ns - 36_000_000), due)
    assert [move.place for move in named] == [seat_place(3)]
