"""Antennas that miss more or fewer cards than others of their kind: what is learnt of them, and which are
reported.
"""

from random import Random

import msgspec
import pytest

from benchmarks.methods import Ours
from benchmarks.tables import as_level
from tablebridge.model.learnt import Counted, PlaceCounts
from tablebridge.model.places import BOARD, MUCK, Place, seat_place
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.card_filter import Weakness
from tablebridge.sensing.cards.rates import place_rates, rates, weaknesses
from tablebridge.sensing.devices.antennas import AntennaNews
from tablebridge.sensing.dynamics import ASSUMED
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.polling import RoundRobin, poll
from tablebridge.sim.rig import new_deck

SEAT = seat_place(4)
SEATED = (4, 8, 9)
TYPICAL = 1.0


def counted(missed: float, stays: float = 40) -> PlaceCounts:
    """Stays of a hundred visits each, of which this share missed the card."""
    visits: Counted = 100 * stays
    return PlaceCounts(stays, visits, visits * (1 - missed))


def shift(missed: float, stays: float = 40, place: Place = SEAT) -> float:
    found = place_rates(TYPICAL, {place: counted(missed, stays)}, ASSUMED.place)
    return found[place].shift if found else 0.0


def test_a_place_that_is_read_like_its_kind_is_taken_to_be_like_it() -> None:
    assert abs(shift(0.204)) < 0.01 and abs(shift(0.479, place=MUCK)) < 0.01
    model = place_rates(TYPICAL, {SEAT: counted(0.204)}, ASSUMED.place)[SEAT]
    for mine, usual in zip(model.own, rates(TYPICAL).own["seat"], strict=True):
        assert mine == pytest.approx(usual, abs=0.003)
    for mine, usual in zip(model.held, rates(TYPICAL).own["held"], strict=True):
        assert mine == pytest.approx(usual, abs=0.003)


def test_the_more_stays_the_more_is_believed_and_a_bad_night_has_a_bound() -> None:
    assert shift(0.5, 2) == 0, "too few"
    few, some, many = (shift(0.5, stays) for stays in (3, 30, 300))
    assert 0 < few < some < many < 1.4
    assert shift(0.1) < -0.5
    assert shift(0.9999, 3000) == ASSUMED.place.most == -shift(0.0001, 3000)


def test_an_antenna_that_misses_more_than_at_the_harshest_level_is_a_weakness() -> None:
    bad = {SEAT: counted(0.7), BOARD: counted(0.5), seat_place(2): counted(0.45), MUCK: counted(0.7)}
    found = weaknesses(bad, ASSUMED.place)
    assert {place: weakness.grave for place, weakness in found.items()} == {SEAT: True, BOARD: True}
    assert weaknesses({SEAT: counted(0.7, 5)}, ASSUMED.place) == {}, "it may be bad luck yet"
    assert not weaknesses({SEAT: counted(0.58)}, ASSUMED.place)[SEAT].grave


def test_a_weakness_is_reported_once_until_it_is_gone() -> None:
    news = AntennaNews()
    grave, less = Weakness(SEAT, 0.7, grave=True), Weakness(SEAT, 0.5, grave=False)
    assert news.news("r", 3, SEAT, (less,)) is None
    state = news.news("r", 3, SEAT, (grave,))
    assert state is not None and (state.health, state.antenna) == ("degraded", 3)
    assert "misses a card that lies at seat 4 in 70% of its visits" in state.detail
    assert "raise its power" in state.detail
    assert news.news("r", 3, SEAT, (grave,)) is None and news.news("r", 3, SEAT, (less,)) is None
    well = news.news("r", 3, SEAT, ())
    assert well is not None and well.health == "ok"
    assert news.news("r", 3, SEAT, ()) is None


@pytest.mark.slow
def test_an_antenna_that_fails_is_found_while_hands_are_played() -> None:
    table = msgspec.structs.replace(as_level("typical"), weak={SEAT: 3.0})
    rng = Random(4)
    deck = new_deck(rng)
    ours = Ours(deck, SEATED)
    for _ in range(6):
        hand = random_hand(rng, SEATED, 9, (50, 100), dict.fromkeys(SEATED, 10_000))
        dealing = Dealing(table.noise, hand, deck, Random(rng.random()), weak=table.weak)
        for report in poll(dealing, table.noise, table.line, RoundRobin(), Random(rng.random())):
            ours.report(report)
        ours.begin_hand()
    cards = ours.sensor._cards
    assert isinstance(cards, BayesFilter)
    assert [place for place in table.near if any(one.grave for one in cards.troubles(place))] == [SEAT]
    assert cards._model.places[SEAT].shift > 0.8
