"""What is sent at once and what may wait: whoever waits for a card, a press or a device waits for nothing."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.host.news import EVIDENCE, FORGOTTEN, MOST_ANTENNAS, MOST_TAGS, News
from tablebridge.model.readings import ButtonPress, DeviceStatus, Reading, ShufflerReport, Sweep, TrayReading

A, B = "E004010000000001", "E004010000000002"


@pytest.mark.parametrize(
    "reading", [ButtonPress(1), ShufflerReport("jam"), DeviceStatus("failed"), TrayReading((A,))]
)
def test_all_but_sweeps_is_news_each_time(reading: Reading) -> None:
    news = News()
    assert [news.take(reading) for _ in range(10)] == [True] * 10


def test_the_visits_on_which_sensing_decides_are_news() -> None:
    news = News()
    assert [news.take(Sweep(1, (A,))) for _ in range(10)] == [True] * EVIDENCE + [False] * (10 - EVIDENCE)
    assert news.take(Sweep(1, (A, B))) and news.take(Sweep(2, (A,))), "another tag, another antenna"


def test_a_tag_that_is_missed_now_and_then_is_none() -> None:
    news = News()
    for _ in range(EVIDENCE):
        news.take(Sweep(1, (A,)))
    assert not any(news.take(Sweep(1, tags)) for _ in range(50) for tags in ((), (A,), (), ()))


def test_that_a_tag_was_taken_away_is_news_once() -> None:
    news = News()
    for _ in range(EVIDENCE):
        news.take(Sweep(1, (A,)))
    missed = [news.take(Sweep(1, ())) for _ in range(FORGOTTEN)]
    assert [number for number, is_news in enumerate(missed, 1) if is_news] == [EVIDENCE]
    for _ in range(EVIDENCE):
        news.take(Sweep(1, (A,)))
    assert not news.take(Sweep(1, (), visits=EVIDENCE - 1))
    assert not news.take(Sweep(1, (), visits=EVIDENCE, complete=False)), "it proves no silence"
    assert news.take(Sweep(1, (), visits=7)), "visits that were summed"


def test_that_a_tag_which_hardly_lay_there_is_gone_is_no_news() -> None:
    news = News()
    assert news.take(Sweep(1, (A,)))
    assert not any(news.take(Sweep(1, ())) for _ in range(FORGOTTEN))


def test_of_a_thousand_noisy_visits_to_cards_that_lie_still_hardly_any_is_news() -> None:
    rng, news = Random(1), News()
    visits = [Sweep(1, tuple(tag for tag in (A, B) if rng.random() > 0.1)) for _ in range(1_000)]
    assert sum(map(news.take, visits)) <= EVIDENCE + 5
    assert len({visit.tags for visit in visits}) == 4, "each misses what the other saw"


def test_a_tag_that_was_away_is_new_again() -> None:
    news = News()
    for _ in range(EVIDENCE):
        news.take(Sweep(1, (A,)))
    news.take(Sweep(1, (), visits=FORGOTTEN - 1))
    assert not news.take(Sweep(1, (A,)))
    news.take(Sweep(1, (), FORGOTTEN, complete=False))
    assert not news.take(Sweep(1, (A,))), "a sweep that was cut short proves no absence"
    news.take(Sweep(1, (), visits=FORGOTTEN))
    assert news.take(Sweep(1, (A,)))


def test_a_tag_that_many_others_displaced_is_new_again_and_one_that_stays_is_not() -> None:
    news = News()
    for _ in range(EVIDENCE):
        news.take(Sweep(1, (A, B), complete=False))
    for number in range(MOST_TAGS - 1):
        news.take(Sweep(1, (A, f"{number:016X}"), complete=False))
    assert not news.take(Sweep(1, (A,), complete=False))
    assert news.take(Sweep(1, (B,), complete=False))


def test_an_antenna_that_many_others_displaced_is_new_again_and_one_that_reads_on_is_not() -> None:
    news = News()
    for _ in range(EVIDENCE):
        news.take(Sweep(0, (A,)))
        news.take(Sweep(1, (A,)))
    for number in range(2, MOST_ANTENNAS + 1):
        news.take(Sweep(0, (A,)))
        news.take(Sweep(number, (A,)))
    assert not news.take(Sweep(0, (A,)))
    assert news.take(Sweep(1, (A,)))


@given(st.lists(st.lists(st.sampled_from("ABCDE"), max_size=5, unique=True).map(tuple), max_size=60))
def test_the_first_sight_of_a_tag_is_always_news(sweeps: list[tuple[str, ...]]) -> None:
    news, seen = News(), set()
    for tags in sweeps:
        assert news.take(Sweep(1, tags)) or set(tags) <= seen
        seen |= set(tags)
