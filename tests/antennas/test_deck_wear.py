"""Tags that answer more and more rarely, and those that fall silent on the board."""

import random

import pytest

from tablebridge.antennas.wear import SILENT, ReadCount, Tally, health
from tablebridge.model.cards import Card
from tablebridge.model.expectation import Expectation

FLOP = ("Ah", "Kd", "7s")
BETTING = Expectation("betting", board=tuple(map(Card, FLOP)))


def always(tag: str) -> bool:
    return True


def test_a_stay_is_reads_by_visits_after_the_first_read() -> None:
    count = ReadCount()
    for number in range(41):
        assert (
            count.count_board(0, [tag for tag in FLOP if tag != "Ah" or number % 4 == 0], 1, always, BETTING)
            == []
        )
    count.begin_hand()
    tags = count.take_counts().tags
    assert (tags["Ah"].stays, tags["Ah"].rates) == (1, 10 / 40)
    assert tags["Kd"] == tags["7s"] == Tally(1, 1.0, 1.0)
    assert count.take_counts().tags == {}


def test_what_may_be_a_hand_above_the_board_or_the_end_of_the_hand_counts_nothing() -> None:
    count = ReadCount()
    count.count_board(0, FLOP, 1, always, BETTING)
    count.count_board(0, FLOP, 20, always, BETTING)
    assert count.count_board(0, FLOP[:1], 200, always, BETTING) == []
    count.count_board(0, FLOP[:2], 30, always, Expectation("showdown", board=BETTING.board))
    count.count_board(0, FLOP[:2], 30, always, Expectation())
    count.begin_hand()
    assert count.take_counts().tags == {tag: Tally(1, 1.0, 1.0) for tag in FLOP}


def test_another_antenna_of_the_board_misses_nothing() -> None:
    count = ReadCount()
    for _ in range(30):
        count.count_board(0, FLOP, 1, always, BETTING)
        assert count.count_board(1, FLOP[:2], 1, always, BETTING) == []
    count.begin_hand()
    assert count.take_counts().tags["7s"] == Tally(1, 1.0, 1.0)


def test_a_tag_that_falls_silent_is_reported_once() -> None:
    count = ReadCount()
    reported = [
        tag
        for number in range(3 * SILENT)
        for tag in count.count_board(0, FLOP if number < 5 else FLOP[1:], 1, always, BETTING)
    ]
    assert reported == ["Ah"]


def test_hands_and_shuffles_are_of_the_deck_that_was_dealt() -> None:
    count = ReadCount()
    for deck in ("red", "", "red", "blue"):
        count.shuffled()
        if deck:
            count.dealt(deck)
        count.begin_hand()
    counted = count.take_counts()
    assert (counted.hands, counted.shuffles) == ({"red": 2, "blue": 1}, {"red": 2, "blue": 1})


def nights(rng: random.Random, stays: int, worn: float = 1.0) -> dict[str, Tally]:
    """52 tags, so many stays of 60 visits each; how a card lies decides for a stay. Tag 0 has lost some of
    its reads.
    """
    tallies = {}
    for tag in range(52):
        tallies[str(tag)] = Tally()
        for _ in range(stays):
            chance = rng.betavariate(8, 1) * (worn if tag == 0 else 1)
            rate = sum(rng.random() < chance for _ in range(60)) / 60
            tallies[str(tag)] += Tally(1, rate, rate * rate)
    return tallies


@pytest.mark.parametrize("seed", range(4))
def test_a_worn_tag_is_weak_and_the_others_are_not(seed: int) -> None:
    weak = [one.tag for one in health(nights(random.Random(seed), 20, worn=0.6)) if one.weak]
    assert weak == ["0"]


def test_a_sound_deck_has_no_weak_tags_and_few_stays_say_nothing() -> None:
    found = [one for seed in range(6) for one in health(nights(random.Random(seed), 20)) if one.weak]
    assert found == []
    assert not any(one.weak for one in health(nights(random.Random(1), 5, worn=0.1)))
    assert [one.rate for one in health({"0": Tally(), "1": Tally()})] == [None, None]
