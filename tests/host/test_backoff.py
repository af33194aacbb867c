"""When a port is tried again."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.backoff import FIRST_S, LONGEST_S
from tablebridge.host.backoff import Backoff

PORT = (1, 2, 3)
S = 1_000_000_000


def wait_s(backoff: Backoff, now_ns: int, *, refused: bool = False, chance: float = 1.0) -> float:
    backoff.failed(now_ns, PORT, refused=refused, chance=chance)
    return (backoff.due_ns - now_ns) / 1e9


def test_a_new_device_is_due_at_once() -> None:
    assert Backoff().due_ns == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=200))
def test_waits_grow_to_the_cap_and_never_beyond(chances: list[float]) -> None:
    backoff = Backoff()
    waits = [wait_s(backoff, 7, chance=chance) for chance in chances]
    assert 0.8 * FIRST_S - 1e-6 <= waits[0] <= FIRST_S + 1e-6
    assert all(wait <= LONGEST_S + 1e-6 for wait in waits)
    assert all(later > earlier for earlier, later in itertools.pairwise(waits[:5]))
    assert all(wait >= 0.8 * LONGEST_S - 1e-6 for wait in waits[10:])


@pytest.mark.parametrize("refused", [False, True])
def test_hosts_that_fail_together_do_not_try_again_together(refused: bool) -> None:
    waits = [wait_s(Backoff(), 0, refused=refused, chance=chance) for chance in (0.0, 0.25, 0.5, 0.75, 1.0)]
    longest = LONGEST_S if refused else FIRST_S
    assert waits == pytest.approx([share * longest for share in (0.8, 0.85, 0.9, 0.95, 1.0)])


def test_only_a_device_that_works_makes_the_waits_short_again() -> None:
    backoff = Backoff()
    for _ in range(10):
        wait_s(backoff, 0)
    assert wait_s(backoff, 0) == LONGEST_S
    backoff.worked()
    assert wait_s(backoff, 0) == FIRST_S


def test_a_port_that_refuses_waits_longest_at_once() -> None:
    assert wait_s(Backoff(), 0, refused=True) == LONGEST_S


def test_a_port_that_appears_is_due_at_once() -> None:
    backoff = Backoff()
    backoff.failed(0, None, refused=True, chance=1.0)
    backoff.seen(S, None)
    assert backoff.due_ns > S
    backoff.seen(2 * S, PORT)
    assert backoff.due_ns == 2 * S


def test_a_port_that_changes_is_due_at_once_and_one_that_stays_is_not() -> None:
    backoff = Backoff()
    backoff.failed(0, PORT, refused=True, chance=1.0)
    backoff.seen(S, PORT)
    assert backoff.due_ns > S
    backoff.seen(2 * S, (1, 2, 4))
    assert backoff.due_ns == 2 * S


def test_a_port_that_goes_while_we_wait_changes_nothing() -> None:
    backoff = Backoff()
    due = wait_s(backoff, 0)
    backoff.seen(1, None)
    assert backoff.due_ns == due * 1e9
