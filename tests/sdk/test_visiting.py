"""Which antenna is visited next: the interesting ones more often, none of them never."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tablebridge.sdk.visiting import HOT, NEW, VISITS, Visiting

CYCLE_S = 0.02


def visits(visiting: Visiting, count: int, reads: dict[int, tuple[str, ...]], begin: int = 0) -> list[int]:
    chosen = []
    for number in range(begin, begin + count):
        antenna = visiting.choose(number * CYCLE_S)
        visiting.visited(antenna, reads.get(antenna, ()))
        chosen.append(antenna)
    return chosen


def test_where_nothing_happens_it_is_a_round() -> None:
    assert visits(Visiting((3, 1, 2)), 9, {}) == [3, 1, 2] * 3


def test_a_new_tag_is_looked_at_again_soon_and_not_for_long() -> None:
    visiting = Visiting(range(10))
    visits(visiting, 10 * (NEW + 2), {})
    found = visits(visiting, 40, {4: ("E0",)}, 10 * (NEW + 2))
    first = found.index(4)
    assert found[first : first + 12].count(4) >= 3
    later = visits(visiting, 100, {4: ("E0",)}, 10 * (NEW + 2) + 40)
    assert 9 <= later.count(4) <= 11


def test_a_tag_that_is_read_once_only_is_let_go() -> None:
    visiting = Visiting(range(10))
    visits(visiting, 100, {})
    visits(visiting, 10, {4: ("E0",)}, 100)
    visits(visiting, 10 * VISITS, {}, 110)
    assert visits(visiting, 100, {}, 110 + 10 * VISITS).count(4) in range(9, 12)


def test_hints_share_the_visits_out() -> None:
    visiting = Visiting(range(5))
    visiting.say({2: 4.0, 9: 4.0})
    counted = Counter(visits(visiting, 400, {}))
    assert 180 <= counted[2] <= 220
    visiting.say({})
    assert Counter(visits(visiting, 100, {}, 400))[2] in range(15, 26)


@given(
    st.lists(st.dictionaries(st.integers(0, 7), st.sampled_from([1.0, 2.0, HOT])), max_size=20),
    st.dictionaries(st.integers(0, 7), st.sets(st.sampled_from("ABC")).map(lambda tags: tuple(sorted(tags)))),
)
def test_no_antenna_is_starved(hints: list[dict[int, float]], reads: dict[int, tuple[str, ...]]) -> None:
    visiting = Visiting(range(8))
    chosen = []
    for number, hint in enumerate(hints or [{}]):
        visiting.say(hint)
        chosen += visits(visiting, 40, reads, 40 * number)
    for antenna in range(8):
        at = [number for number, one in enumerate(chosen) if one == antenna]
        gaps = [later - before for before, later in zip([0, *at], [*at, len(chosen)], strict=True)]
        assert max(gaps) <= HOT * 8 + 8
