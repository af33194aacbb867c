"""How often antennas read cards that lie elsewhere: what is learned, from what, and what teaches nothing."""

from random import Random

import pytest

from tablebridge.model.learnt import learnt
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.dynamics import ASSUMED

SEAT, BESIDE, FAR = seat_place(4), seat_place(5), seat_place(8)
LEVEL = rates(1.0)


class Antennas:
    """Cards that lie where they lie, visited in rounds of their own antenna and one other."""

    def __init__(self) -> None:
        self.cross = CrossReads(ASSUMED.cross, LEVEL)
        self._rng = Random(5)

    def lay(
        self,
        home: Place,
        other: Place,
        rounds: int,
        *,
        crossed: float,
        hit: float = 0.9,
        cards: int = 2,
        sure: float = 1.0,
    ) -> None:
        """Cards are read at home with one probability and at the other place with another."""
        for _ in range(rounds):
            for place, chance in ((home, hit), (other, crossed)):
                self.cross.count_visits(place, 1)
                for number in range(cards):
                    if self._rng.random() < chance:
                        self.cross.count_read(f"{home} {number}", place, home, lambda tag: sure)

    def next_hand(self) -> None:
        """The next hand begins: what was counted weighs less."""
        known = learnt((1.0, 1.0), self.cross.counts, ASSUMED.cross.kept)
        self.cross.begin_hand(LEVEL, known.places)

    def read(self, place: Place, home: Place, times: int) -> None:
        """One card that was last sure to lie at home is read at a place in each of some visits."""
        for _ in range(times):
            self.cross.count_visits(place, 1)
            self.cross.count_read("A", place, home, lambda tag: 1.0)


@pytest.mark.parametrize(
    ("home", "other"), [(STUB, BURN), (STUB, SEAT), (SEAT, BESIDE), (SEAT, FAR), (BOARD, MUCK)]
)
@pytest.mark.parametrize("crossed", [0.003, 0.01, 0.05])
def test_the_rate_of_a_pair_is_learned_whether_its_fields_were_assumed_to_touch_or_not(
    home: Place, other: Place, crossed: float
) -> None:
    antennas = Antennas()
    antennas.lay(home, other, 1500, crossed=crossed, cards=4)
    assert crossed / 2 < antennas.cross.far[home][other] < 2 * crossed
    assert home in antennas.cross.read_by[other]
    strange = antennas.cross.far[home][seat_place(1)]
    assert strange < 2 * LEVEL.far, "the other pairs are as quiet as they were"


def test_in_silence_nothing_is_believed_to_be_louder_than_the_level_of_noise_says() -> None:
    antennas = Antennas()
    antennas.lay(STUB, SEAT, 300, crossed=0.0, cards=5)
    assert antennas.cross.far[STUB][SEAT] < 1.5 * LEVEL.ghost
    assert antennas.cross.far[STUB][BURN] < 1.5 * LEVEL.far


def test_a_card_that_went_elsewhere_teaches_nothing_about_cross_reads() -> None:
    antennas = Antennas()
    antennas.read(SEAT, SEAT, 200)
    before = antennas.cross.far[SEAT][BESIDE]
    antennas.read(BESIDE, SEAT, 200)
    antennas.read(BESIDE, BESIDE, 200)
    assert antennas.cross.far[SEAT][BESIDE] <= before


def test_what_is_read_of_a_card_of_which_nobody_is_sure_counts_nothing() -> None:
    antennas = Antennas()
    antennas.lay(SEAT, BESIDE, 500, crossed=0.05, sure=0.9)
    assert antennas.cross.far[SEAT][BESIDE] < 2 * LEVEL.far


def test_a_card_that_is_read_more_often_elsewhere_counts_nothing() -> None:
    antennas = Antennas()
    antennas.lay(SEAT, FAR, 500, crossed=0.9, hit=0.3)
    assert antennas.cross.far[SEAT][FAR] < 2 * LEVEL.ghost and antennas.cross.edge[SEAT][FAR] < 1e-4


def test_a_copy_of_a_card_of_the_stub_teaches_nothing_about_its_antenna() -> None:
    antennas = Antennas()
    antennas.lay(STUB, SEAT, 500, crossed=0.9, hit=0.95, cards=1)
    assert antennas.cross.far[STUB][SEAT] < 2 * LEVEL.ghost


def test_a_gap_that_is_no_chance_counts_nothing() -> None:
    """The card was lifted, and passed over another antenna."""
    antennas = Antennas()
    for _ in range(20):
        antennas.read(SEAT, SEAT, 40)
        antennas.cross.count_visits(SEAT, 30)
        antennas.read(FAR, SEAT, 1)
    assert antennas.cross.far[SEAT][FAR] < 2 * LEVEL.ghost


def test_a_card_at_an_edge_is_an_edge_and_no_rate_of_all_cards() -> None:
    antennas = Antennas()
    antennas.lay(SEAT, FAR, 400, crossed=0.0, cards=1)
    for _ in range(10):
        antennas.read(SEAT, SEAT, 6)
        antennas.read(FAR, SEAT, 2)
    antennas.read(SEAT, SEAT, 3)
    assert antennas.cross.edge[SEAT][FAR] > 0.01
    assert antennas.cross.far[SEAT][FAR] < 1e-3


def test_no_rate_is_higher_than_its_bound() -> None:
    antennas = Antennas()
    antennas.lay(STUB, BURN, 500, crossed=0.4)
    assert antennas.cross.far[STUB][BURN] == ASSUMED.cross.most_far


def test_a_pair_that_has_become_quiet_is_quiet_again_after_some_hands() -> None:
    antennas = Antennas()
    antennas.lay(STUB, BURN, 300, crossed=0.05)
    loud = antennas.cross.far[STUB][BURN]
    for _ in range(60):
        antennas.next_hand()
        antennas.lay(STUB, BURN, 300, crossed=0.0)
    assert antennas.cross.far[STUB][BURN] < loud / 50


def test_a_table_with_some_loud_pairs_is_sooner_believed_to_have_another() -> None:
    fresh, loud = Antennas(), Antennas()
    for seat in range(1, 9):
        loud.lay(STUB, seat_place(seat), 300, crossed=0.02)
    loud.next_hand()
    assert loud.cross.far[MUCK][BOARD] > 5 * fresh.cross.far[MUCK][BOARD]
