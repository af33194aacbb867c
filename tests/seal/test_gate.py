"""The delay gate never lets a picture out early."""

from hypothesis import given
from hypothesis import strategies as st

from tablebridge.model.instant import Instant, later
from tablebridge.model.views import TableView
from tablebridge.seal.gate import CAPACITY, DelayGate

NOW = Instant(10**18, 10**12, "boot")


def test_a_picture_leaves_after_the_delay_and_not_before() -> None:
    gate = DelayGate(30)
    gate.put(TableView("1", rev=1), NOW, NOW)
    assert gate.due(later(NOW, 29.999)) is None
    picture = gate.due(later(NOW, 30))
    assert picture is not None
    assert picture.rev == 1
    assert gate.due(later(NOW, 60)) is None


def test_a_picture_of_another_boot_waits_the_whole_delay_from_now() -> None:
    gate = DelayGate(30)
    gate.put(TableView("1"), Instant(0, 0, "before"), NOW)
    assert gate.due(later(NOW, 29)) is None
    assert gate.due(later(NOW, 30)) is not None


@given(st.lists(st.floats(0, 1), max_size=50), st.floats(0.1, 20))
def test_what_leaves_is_always_old_enough(steps: list[float], delay: float) -> None:
    gate, now, taken = DelayGate(delay), NOW, {}
    for rev, step in enumerate(steps):
        now = later(now, step)
        gate.put(TableView("1", rev=rev), now, now)
        taken[rev] = now.monotonic_ns
        picture = gate.due(now)
        if picture is not None:
            assert now.monotonic_ns - taken[picture.rev] >= round(delay * 1e9)


def test_too_many_pictures_make_it_late_not_early() -> None:
    gate = DelayGate(30)
    for rev in range(CAPACITY + 10):
        gate.put(TableView("1", rev=rev), NOW, NOW)
    assert gate.due(later(NOW, 29)) is None
    picture = gate.due(later(NOW, 30))
    assert picture is not None
    assert picture.rev == CAPACITY + 9
