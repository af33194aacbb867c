"""Live, stale, lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.host.liveness import Liveness

S = 1_000_000_000


def test_nothing_is_known_at_the_start() -> None:
    liveness = Liveness(2.0, 100 * S)
    assert liveness.state is None
    assert not liveness.tick(101 * S)
    assert liveness.wake_ns == 102 * S


def test_silence_makes_stale_then_lost_and_each_is_told_once() -> None:
    liveness = Liveness(2.0, 0)
    assert liveness.alive(S)
    assert not liveness.alive(2 * S)
    assert not liveness.tick(4 * S - 1)
    assert liveness.tick(4 * S) and liveness.state == "stale"
    assert not liveness.tick(5 * S)
    assert liveness.wake_ns == 8 * S
    assert liveness.tick(8 * S) and liveness.state == "lost"
    assert not liveness.tick(9 * S)
    assert liveness.wake_ns is None
    assert liveness.silence_s(9 * S) == 7.0
    assert liveness.alive(10 * S) and liveness.state == "live"


def test_a_link_that_fails_is_stale_at_once_and_lost_by_time_alone() -> None:
    liveness = Liveness(2.0, 0)
    liveness.alive(0)
    assert liveness.broke() and liveness.state == "stale"
    assert not liveness.broke()
    assert liveness.tick(6 * S) and liveness.state == "lost"
    assert not liveness.broke() and liveness.state == "lost"


def test_a_device_that_never_spoke_is_told_too() -> None:
    assert Liveness(2.0, 0).broke()
    liveness = Liveness(2.0, 0)
    assert liveness.tick(2 * S) and liveness.state == "stale"


@given(st.lists(st.tuples(st.sampled_from(["alive", "broke", "tick"]), st.integers(0, 9 * S)), max_size=60))
def test_a_change_is_told_if_and_only_if_there_is_one(steps: list[tuple[str, int]]) -> None:
    liveness, now = Liveness(1.0, 0), 0
    for what, after in steps:
        now += after
        before = liveness.state
        told = (
            liveness.alive(now)
            if what == "alive"
            else liveness.broke()
            if what == "broke"
            else liveness.tick(now)
        )
        assert told == (liveness.state != before)
        if what == "tick" and liveness.silence_s(now) >= 3:
            assert liveness.state == "lost"
        if liveness.wake_ns is not None and what == "tick":
            assert liveness.wake_ns > now


@pytest.mark.parametrize("slept_s", [3, 300])
def test_a_long_sleep_goes_to_lost_without_a_stop_at_stale(slept_s: int) -> None:
    liveness = Liveness(1.0, 0)
    liveness.alive(0)
    assert liveness.tick(slept_s * S) and liveness.state == "lost"
