"""What was measured with one card is where sensing starts from, and no more than that."""

import math
from random import Random

import pytest

from benchmarks.calibration import first_hands, measured
from tablebridge.antennas.dwell import DwellCounts
from tablebridge.model.learnt import LoneCard, PlaceCounts, faded, lone_card
from tablebridge.model.places import STUB, seat_place
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.rates import Gauge, place_rates
from tablebridge.sensing.dynamics import ASSUMED
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import PLACES

SEAT, OTHER = seat_place(4), seat_place(5)
TYPICAL = 1.0
USUAL = math.log(0.08 / 0.92)
"""The logit of the misses of a card that lies alone, at level typical."""
MISSED_KEPT = ASSUMED.place.measured_kept


def shift(lone: LoneCard, counted: PlaceCounts | None = None) -> float:
    counts = {} if counted is None else {SEAT: counted}
    found = place_rates(TYPICAL, counts, ASSUMED.place, {SEAT: lone})
    return found[SEAT].shift


def filter_that_measured(places: dict[str, LoneCard]) -> BayesFilter:
    cards = BayesFilter()
    cards.measured(places)  # type: ignore[arg-type]
    cards.reset()
    return cards


def test_a_measured_card_has_the_logit_of_its_misses_and_few_visits_are_noise() -> None:
    once, often = lone_card({(50, 40): 1}), lone_card({(50, 40): 4})
    assert once.logit == often.logit == pytest.approx(math.log(10.5 / 40.5), abs=1e-4)
    assert once.stays == 1 and often.stays == 4 and often.noise == pytest.approx(once.noise / 4, rel=1e-3)
    assert lone_card({(5, 4): 1}).noise > 3 * once.noise
    counts = DwellCounts(stays={"r/0": {"50 40": 4}, "r/1": {}})
    assert counts.lone_cards() == {"r/0": often}


@pytest.mark.parametrize(
    "stays", [{"9 x": 1}, {"9": 1}, {"5 9": 1}, {"-5 -9": 1}, {"5 5": 0}, {"9" * 400 + " 9": 1}]
)
def test_what_are_no_counts_is_refused(stays: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        DwellCounts(stays={"r/0": stays}).lone_cards()


def test_the_more_often_the_card_was_laid_the_more_is_believed_up_to_a_bound() -> None:
    assert shift(LoneCard(3, USUAL, 0.1)) == pytest.approx(0, abs=1e-9)
    once, three, ten, hundred = (shift(LoneCard(stays, USUAL + 2, 0.1)) for stays in (1, 3, 10, 100))
    assert 0 < once < three < ten < hundred
    most = 2 * 6 / (6 + (1.1 / ASSUMED.place.spread) ** 2)
    assert shift(LoneCard(1000, USUAL + 2, 0.0)) == pytest.approx(most), "no more than six stays"
    assert shift(LoneCard(3, USUAL - 2, 0.1)) == pytest.approx(-three)
    assert shift(LoneCard(3, USUAL + 2, 4.0)) < three, "too few visits to believe it"
    assert shift(LoneCard(1e6, 20, 0)) <= ASSUMED.place.most
    assert place_rates(TYPICAL, {}, ASSUMED.place, {STUB: LoneCard(3, 2.0, 0.1)}) == {}


def test_a_dozen_hands_take_a_wrong_measurement_back() -> None:
    """Three stays a hand at a place that is as its kind, though its card was missed 2 logits more."""
    wrong = {SEAT: LoneCard(100, USUAL + 2, 0.0)}
    shifts = []
    for hand in range(13):
        stays = 3.0 * hand
        as_its_kind = PlaceCounts(stays, 100 * stays, 100 * stays * (1 - 0.204))
        shifts.append(shift(wrong[SEAT], as_its_kind))
        wrong = faded(wrong, MISSED_KEPT)
    assert shifts[0] > 0.8 and shifts == sorted(shifts, reverse=True)
    assert shifts[12] < 0.1


def test_a_table_of_which_nothing_is_known_begins_at_the_level_that_was_measured() -> None:
    levels = []
    for missed in (0.001, 0.02, 0.08, 0.2, 0.9):
        gauge = Gauge()
        gauge.begin_level([LoneCard(1, math.log(missed / (1 - missed)), 0.0)])
        levels.append(gauge.level)
        assert gauge.counts[0] == Gauge().counts[0], "it weighs no more than what is assumed"
    assert levels == pytest.approx([0, 0, 1, 2, 2], abs=1e-6)


def test_what_was_measured_is_known_from_the_next_hand_on_and_fades() -> None:
    cards = BayesFilter()
    cards.reset()
    cards.measured({SEAT: LoneCard(3, 1.0, 0.1), OTHER: LoneCard(3, -2.0, 0.1)})
    assert not cards.learnt.measured, "not in the middle of a hand"
    cards.reset()
    assert set(cards.learnt.measured) == {SEAT, OTHER} and cards._model.places[SEAT].shift > 0
    cards.measured({SEAT: LoneCard(4, 1.0, 0.1)})
    cards.reset()
    seat, other = cards.learnt.measured[SEAT], cards.learnt.measured[OTHER]
    assert (seat.stays, seat.weight) == (4, 1.0) and other.weight == pytest.approx(MISSED_KEPT)
    for _ in range(20):
        cards.reset()
    assert cards.learnt.measured == {}


def test_the_level_of_a_table_that_has_learnt_is_not_set_by_a_measurement() -> None:
    assert filter_that_measured({SEAT: LoneCard(3, 0.0, 0.1)})._gauge.level == pytest.approx(2, abs=1e-3)
    cards = BayesFilter()
    cards._gauge.count(10, 1)
    before = cards._gauge.level
    cards.measured({SEAT: LoneCard(3, 0.0, 0.1)})
    cards.reset()
    assert cards._gauge.level == pytest.approx(before, abs=1e-3)


def test_a_filter_that_recalls_a_hand_knows_what_was_measured_before_it() -> None:
    first = filter_that_measured({SEAT: LoneCard(3, 1.0, 0.1)})
    again = BayesFilter()
    again.reset()
    again.recall(first.learnt)
    assert again._model.places == first._model.places and again._gauge.counts == first._gauge.counts
    for cards in (first, again):
        cards.reset()
    assert first.learnt == again.learnt != BayesFilter().learnt


def test_an_antenna_that_is_not_of_this_table_is_passed_over() -> None:
    sensor = Sensor({("r", 0): SEAT, ("r", 1): STUB}, {}, DeckRegistry.of({}))
    sensor.measured({"r/0": LoneCard(3, 1.0, 0.1), "x/0": LoneCard(3, 1.0, 0.1)})
    sensor.begin_hand()
    assert set(sensor.learnt.cards.measured) == {SEAT}


def test_the_benchmark_measures_each_antenna_with_one_card() -> None:
    weak = {SEAT: 3.0}
    found = measured(LEVELS["typical"], weak, Random(1))
    assert set(found) == {f"table/{number}" for number in range(len(PLACES))}
    assert all(lone.stays <= 3 for lone in found.values())
    seats = [found[f"table/{number}"].logit for number in range(9)]
    assert max(seats) == found[f"table/{PLACES.index(SEAT)}"].logit > USUAL + 1.5


@pytest.mark.slow
def test_the_benchmark_counts_errors_by_what_was_measured() -> None:
    errors = first_hands("clean", 1, 1, lambda text: None)
    assert errors == {"nothing": [0], "with one card": [0], "wrongly": [0]}
