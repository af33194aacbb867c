"""A card that is read at two places: where it lies, and next door."""

from random import Random

import pytest

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, MUCK, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter

BAD, GOOD = "E004010000000001", "E004010000000002"
PLACES = (seat_place(4), seat_place(3), BOARD, MUCK)
DEALT = 60
DEAL = Expectation("deal", (4, 3, 4, 3), (3, 4))
BETTING = Expectation("betting", (), (3, 4), holds={4: 2})


@pytest.mark.parametrize("seed", range(10))
def test_a_card_that_is_read_as_often_next_door_has_not_left(seed: int) -> None:
    """It lies badly at the edge of its field, is looked at now and then, and both ways to lie explain nearly
    the same.
    """
    rng, cards = Random(seed), BayesFilter()
    moves = []
    for number in range(1, 3000):
        place = PLACES[number % len(PLACES)]
        lifted = number > DEALT and number % 400 < 40
        bad = 0.9 if number < DEALT else 0.0 if lifted else 0.3
        rates = {PLACES[0]: (bad, 0.03 if lifted else 0.9), PLACES[1]: (0.2 if number > DEALT else 0.0, 0.0)}
        tags = tuple(
            tag
            for tag, rate in zip((BAD, GOOD), rates.get(place, (0.0, 0.0)), strict=True)
            if rng.random() < rate
        )
        report = AntennaReport(place, tags, 1, number * 38_000_000, (number - 4) * 38_000_000)
        moves += cards.locate(report, DEAL if number < DEALT else BETTING)
    assert [(move.tag, move.place) for move in moves if move.tag == BAD] == [(BAD, PLACES[0])]
