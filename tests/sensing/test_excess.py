"""A table whose antennas read too much of each other is doubted before that misleads, and no other table."""

from random import Random

import pytest

from benchmarks.methods import Ours
from benchmarks.scoring import EARLY_S
from benchmarks.tables import SINGLE, TableKind
from tablebridge.model.places import BURN, MUCK, STUB, Place, seat_place
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.card_filter import CrossTalk, Overwhelmed
from tablebridge.sensing.cards.excess import Excess
from tablebridge.sensing.devices.antennas import AntennaNews
from tablebridge.sensing.dynamics import ASSUMED
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.polling import RoundRobin, poll
from tablebridge.sim.rig import new_deck

SEAT, BESIDE = seat_place(4), seat_place(5)
OVERWHELMED = Overwhelmed(SEAT, BESIDE)


def excess(talk: dict[Place, CrossTalk] | None = None) -> Excess:
    return Excess(ASSUMED.excess, talk or {})


def test_cards_that_return_from_other_antennas_are_a_doubt_with_the_two_that_do_it_most() -> None:
    table = excess()
    for number in range(4):
        table.count_return(f"{number}", SEAT, BESIDE)
    assert table.found is None
    table.count_return("4", STUB, BURN)
    assert table.found == OVERWHELMED


def test_one_card_at_an_edge_counts_once_however_often_it_is_read_there() -> None:
    table = excess()
    for _ in range(100):
        table.count_return("A", SEAT, BESIDE)
    assert table.found is None


def test_as_many_returns_as_the_worst_table_has_that_the_filter_holds_are_no_doubt() -> None:
    table = excess()
    for _ in range(18):
        table.count_stay(SEAT)
    table.count_visits(900)
    for number in range(15):
        table.count_return(f"{number}", SEAT, BESIDE)
    assert table.found is None
    for number in range(15, 45):
        table.count_return(f"{number}", SEAT, BESIDE)
    assert table.found == OVERWHELMED


def test_cards_of_the_stub_have_no_edge() -> None:
    table = excess()
    for number in range(30):
        table.count_stay(STUB)
        if number < 5:
            table.count_return(f"{number}", STUB, BURN)
    assert table.found == Overwhelmed(STUB, BURN)


def test_a_table_that_is_known_to_read_too_much_is_doubted_as_the_hand_begins() -> None:
    talk = {
        place: CrossTalk(STUB, rate, grave=True)
        for place, rate in zip((SEAT, BESIDE, BURN, MUCK), (0.01, 0.02, 0.05, 0.01), strict=True)
    }
    assert excess(talk).found == Overwhelmed(STUB, BURN)
    del talk[MUCK]
    assert excess(talk).found is None


def test_a_table_that_is_overwhelmed_is_reported_once_with_the_cure() -> None:
    news = AntennaNews()
    state = news.news("r", 5, BESIDE, (OVERWHELMED,))
    assert state is not None and (state.health, state.antenna, state.places) == ("degraded", 5, (BESIDE,))
    assert "this one those that lie at seat 4 most; set the power of both to half" in state.detail
    assert news.news("r", 5, BESIDE, (OVERWHELMED,)) is None
    assert news.news("r", 6, SEAT, (Overwhelmed(BESIDE, SEAT),)) is None, "the table was reported"
    well = news.news("r", 5, BESIDE, ())
    assert well is not None and well.health == "ok"
    assert news.news("r", 6, SEAT, (Overwhelmed(BESIDE, SEAT),)) is not None


def first_doubt(table: TableKind, seed: str, hands: int = 1) -> tuple[float, float]:
    """When a new table is doubted, and when a card was first named before that where it does not lie;
    infinite if it was not. Seconds.
    """
    rng = Random(seed)
    deck = new_deck(rng)
    ours = Ours(deck, table.seated)
    cards = ours.sensor._cards
    assert isinstance(cards, BayesFilter)
    never = false = float("inf")
    for _ in range(hands):
        ours.begin_hand()
        hand = random_hand(rng, table.seated, 9, (50, 100), dict.fromkeys(table.seated, 10_000))
        dealing = Dealing(table.noise, hand, deck, Random(rng.random()), table.near, depth=table.depth)
        came = {(landing.tag, landing.place): landing.at_s for landing in dealing.landings}
        for report in poll(dealing, table.noise, table.line, RoundRobin(), Random(rng.random())):
            for tag, place in ours.report(report):
                if place != STUB and came.get((tag, place), never) > report.at_s + EARLY_S:
                    false = min(false, report.at_s)
            if any(isinstance(one, Overwhelmed) for place in table.near for one in cards.troubles(place)):
                return report.at_s, false
    return never, false


def test_tables_with_much_cross_reading_are_doubted_before_the_first_false_event() -> None:
    table = SINGLE["harsh, cross-reading 5 %"]
    found = [first_doubt(table, f"doubt {number}") for number in range(10)]
    assert sum(doubt < false for doubt, false in found) >= 9, found
    assert max(doubt for doubt, _ in found if doubt < 1e9) < 10


@pytest.mark.slow
@pytest.mark.parametrize("level", ["typical", "harsh"])
def test_tables_that_the_filter_holds_are_not_doubted(level: str) -> None:
    table = SINGLE[level]
    for number in range(2):
        doubt, _ = first_doubt(table, f"held {number}", hands=2)
        assert doubt == float("inf")
