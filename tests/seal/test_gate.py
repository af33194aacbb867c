"""The delay gate never lets a picture out early, nor, by choice, one of a hand that is under way."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tablebridge.model.overlay import OverlayView
from tablebridge.seal.gate import CAPACITY, EVERY_S, PAUSE_S, DelayGate

NOW = 10**12
SECOND = 10**9


def after(seconds: float) -> int:
    return NOW + round(seconds * SECOND)


def shown(gate: DelayGate, until_ns: int) -> list[tuple[int, OverlayView]]:
    """What leaves up to this time, if the gate is asked whenever it wants to be."""
    left = []
    while (at := gate.wake_ns) is not None and at <= until_ns:
        picture = gate.due(at)
        assert picture is not None, "the gate woke for nothing"
        left.append((at, picture))
    return left


def test_a_picture_leaves_after_the_delay_and_not_before() -> None:
    gate = DelayGate(30)
    gate.put(OverlayView("1", rev=1), NOW, None)
    assert gate.due(after(29.999)) is None
    picture = gate.due(after(30))
    assert picture is not None
    assert picture.rev == 1
    assert gate.due(after(60)) is None


def test_too_many_pictures_make_it_late_not_early() -> None:
    gate = DelayGate(30)
    for rev in range(CAPACITY + 10):
        gate.put(OverlayView("1", rev=rev), NOW, None)
    assert gate.due(after(29)) is None
    picture = gate.due(after(30))
    assert picture is not None
    assert picture.rev == CAPACITY + 9


def test_a_hand_longer_than_the_delay_leaves_when_it_is_over_and_at_its_true_pace() -> None:
    gate = DelayGate(30, until_over=True)
    for second in range(0, 100, 10):
        assert shown(gate, after(second)) == []
        gate.put(OverlayView("1", rev=second, hand=1), after(second), 1)
    gate.put(OverlayView("1", rev=100, hand=1), after(100), None)
    assert [(at, picture.rev) for at, picture in shown(gate, after(1000))] == [
        (after(100 + second), second) for second in range(0, 101, 10)
    ]


def test_without_that_policy_it_leaves_while_the_hand_is_under_way() -> None:
    gate = DelayGate(30)
    gate.put(OverlayView("1", hand=1), NOW, 1)
    assert gate.due(after(30)) is not None


def test_a_hand_that_goes_on_after_all_is_held_back_again() -> None:
    gate = DelayGate(10, until_over=True)
    for second, under_way in ((0, 1), (20, 1), (40, None), (50, 1), (90, 1), (100, None)):
        gate.put(OverlayView("1", rev=second, hand=1), after(second), under_way)
        left = [(at, picture.rev) for at, picture in shown(gate, after(second + 5))]
        assert left == ([(after(40), 0)] if second == 40 else [(after(100), 20)] if second == 100 else [])
    # The rest follows as it was played, but for the pause in which nothing was shown.
    assert [picture.rev for _, picture in shown(gate, after(1000))] == [40, 50, 90, 100]


def test_a_hand_that_no_picture_has_waited_for_holds_nothing_back() -> None:
    gate = DelayGate(10, until_over=True)
    gate.put(OverlayView("1", rev=1, hand=1), NOW, None)
    gate.put(OverlayView("1", rev=2, hand=2), after(9), 2)
    assert [picture.rev for _, picture in shown(gate, after(1000))] == [1]


def test_of_many_pictures_the_newest_that_is_due_leaves_four_times_per_second_at_most() -> None:
    gate = DelayGate(30)
    for rev in range(100):  # ten seconds of a dealing table, ten pictures per second
        gate.put(OverlayView("1", rev=rev, hand=1), after(rev / 10), 1)
    left = shown(gate, after(1000))
    assert len(left) == 41
    assert all(later - earlier >= EVERY_S * SECOND for (earlier, _), (later, _) in pairwise(left))
    for at, picture in left:
        assert picture.rev == min(99, (at - after(30)) // (SECOND // 10))


Hands = st.lists(
    st.tuples(st.floats(0, 20), st.lists(st.floats(0.01, 15), min_size=1, max_size=12)),
    min_size=1,
    max_size=12,
)


@given(Hands, st.floats(0, 40), st.booleans())
def test_what_leaves_is_old_enough_in_order_at_true_pace_and_nothing_stays(
    hands: list[tuple[float, list[float]]], delay: float, until_over: bool
) -> None:
    """Up to the time between two departures, by which each picture may be later."""
    gate, now = DelayGate(delay, until_over=until_over), NOW
    left: list[tuple[int, OverlayView]] = []
    committed: dict[int, int] = {}
    over: dict[int, int] = {}
    for hand, (pause, gaps) in enumerate(hands, 1):
        now += round(pause * SECOND)
        for step, gap in enumerate(gaps):
            left += shown(gate, now)
            committed[len(committed)] = now
            last = step == len(gaps) - 1
            gate.put(OverlayView("1", rev=len(committed) - 1, hand=hand), now, None if last else hand)
            if last:
                over[hand] = now
            now += round(gap * SECOND)
    left += shown(gate, now + 10**15)
    times = {picture.rev: at for at, picture in left}
    for at, picture in left:
        assert at - committed[picture.rev] >= round(delay * SECOND)
        assert not until_over or at >= over[picture.hand]
    assert sorted(times.values()) == [times[rev] for rev in sorted(times)]
    assert all(two - one >= EVERY_S * SECOND for one, two in pairwise(sorted(times.values())))
    # The last picture is seen, and those of a hand come as they came to be.
    hand_of = {picture.rev: picture.hand for _, picture in left}
    assert max(times) == max(committed)
    for one, two in pairwise(sorted(times)):
        if hand_of[one] == hand_of[two]:
            apart = times[two] - times[one] - (committed[two] - committed[one])
            assert abs(apart) <= EVERY_S * SECOND
    longest = max(sum(gaps) for _, gaps in hands)
    lag = max(at - committed[picture.rev] for at, picture in left) / SECOND - delay
    assert lag <= (longest + PAUSE_S if until_over else 0) + EVERY_S + 1e-6
