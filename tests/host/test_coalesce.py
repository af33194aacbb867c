"""Repeated sweeps become one, and no evidence is lost on the way."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tablebridge.host.coalesce import AT_ONCE, EVERY_NS, Coalescer, Passed
from tablebridge.model.instant import Instant
from tablebridge.model.readings import ButtonPress, Reading, Sweep

A, B = "E004010000000001", "E004010000000002"


def at(ns: int) -> Instant:
    return Instant(ns, ns)


def take(coalescer: Coalescer, start: int, *readings: Reading) -> Passed:
    return [one for n, reading in enumerate(readings) for one in coalescer.take(at(start + n), reading)]


def test_the_first_four_go_at_once_and_the_rest_once_a_second() -> None:
    coalescer = Coalescer()
    sweep = Sweep(0, (A,))
    assert take(coalescer, 0, *[sweep] * 10) == [(at(n), sweep) for n in range(AT_ONCE)]
    assert coalescer.wake_ns == 4 + EVERY_NS
    assert coalescer.due(3 + EVERY_NS) == []
    assert coalescer.due(4 + EVERY_NS) == [(at(9), Sweep(0, (A,), visits=6))]
    assert coalescer.wake_ns is None
    assert take(coalescer, 2 * EVERY_NS, sweep) == []


def test_what_is_held_goes_before_the_change_on_any_antenna() -> None:
    coalescer = Coalescer()
    take(coalescer, 0, *[Sweep(0, (A,)), Sweep(1, ())] * 6)
    change = Sweep(1, (B,))
    assert take(coalescer, 100, change) == [
        (at(10), Sweep(0, (A,), visits=2)),
        (at(11), Sweep(1, (), visits=2)),
        (at(100), change),
    ]


def test_the_same_tags_in_another_order_are_the_same() -> None:
    coalescer = Coalescer()
    assert len(take(coalescer, 0, *[Sweep(0, (A, B)), Sweep(0, (B, A))] * 5)) == AT_ONCE


def test_other_missed_tags_are_a_change() -> None:
    coalescer = Coalescer()
    assert len(take(coalescer, 0, *[Sweep(0, (A,)), Sweep(0, (A,), missed=(B,))] * 5)) == 10


def test_incomplete_sweeps_and_other_readings_go_at_once_and_end_no_run() -> None:
    coalescer = Coalescer()
    sweep, cut, press = Sweep(0, (A,)), Sweep(0, (A,), complete=False), ButtonPress(1)
    passed = take(coalescer, 0, *[sweep] * 5, cut, sweep, press, sweep)
    assert [reading for _, reading in passed] == [*[sweep] * 4, sweep, cut, sweep, press]
    assert [reading for _, reading in coalescer.flush()] == [sweep]


def test_visits_that_a_driver_counted_itself_are_added_up() -> None:
    coalescer = Coalescer()
    take(coalescer, 0, *[Sweep(0, (A,), visits=3)] * 6)
    assert coalescer.flush() == [(at(5), Sweep(0, (A,), visits=6))]


def test_after_an_outage_sweeps_go_at_once_again() -> None:
    coalescer = Coalescer()
    take(coalescer, 0, *[Sweep(0, (A,))] * 6)
    assert coalescer.forget() == [(at(5), Sweep(0, (A,), visits=2))]
    assert len(take(coalescer, 10, *[Sweep(0, (A,))] * 6)) == AT_ONCE


sweeps = st.builds(
    Sweep,
    antenna=st.integers(0, 2),
    tags=st.sampled_from([(), (A,), (B,), (A, B), (B, A)]),
    visits=st.integers(1, 3),
    missed=st.sampled_from([(), (B,)]),
    complete=st.sampled_from([True, True, True, False]),
)
steps = st.lists(
    st.tuples(st.integers(0, EVERY_NS // 2), st.one_of(sweeps, st.just(ButtonPress(0)), st.none())),
    max_size=80,
)


def evidence(readings: list[Reading]) -> Counter[object]:
    """Visits by antenna and what they said."""
    total: Counter[object] = Counter()
    for one in readings:
        if isinstance(one, Sweep):
            total[one.antenna, frozenset(one.tags), frozenset(one.missed), one.complete] += one.visits
        else:
            total[one] += 1
    return total


@given(steps)
def test_evidence_is_conserved_and_no_change_is_overtaken(steps: list[tuple[int, Reading | None]]) -> None:
    coalescer, now, came, passed = Coalescer(), 1, [], []
    for after, reading in steps:
        now += after
        if reading is None:
            passed += coalescer.due(now)
        else:
            came.append(reading)
            passed += coalescer.take(at(now), reading)
    passed += coalescer.flush()
    assert evidence([reading for _, reading in passed]) == evidence(came)
    for antenna in range(3):
        assert _changes(came, antenna) == _changes([reading for _, reading in passed], antenna)
        times = [
            when.monotonic_ns for when, one in passed if isinstance(one, Sweep) and one.antenna == antenna
        ]
        assert times == sorted(times)


def _changes(readings: list[Reading], antenna: int) -> list[object]:
    said = [
        (frozenset(one.tags), frozenset(one.missed))
        for one in readings
        if isinstance(one, Sweep) and one.antenna == antenna and one.complete
    ]
    return [one for n, one in enumerate(said) if n == 0 or said[n - 1] != one]
