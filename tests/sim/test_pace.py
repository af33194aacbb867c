"""People at the emulated table move no faster than the readers work."""

from random import Random

import pytest

from tablebridge.sim import pace
from tablebridge.sim.pace import Pace, Stopped
from tablebridge.sim.rig import Rig


class Readers:
    """Readers that work a little whenever somebody looks."""

    def __init__(self, each_s: float) -> None:
        self.worked_s = 0.0
        self._each_s = each_s

    def __call__(self) -> float:
        self.worked_s += self._each_s
        return self.worked_s


def test_a_wait_lasts_until_the_readers_have_worked_as_long() -> None:
    readers = Readers(0.002)
    Pace(1.0, Random(1), worked=readers).pause(0.05)
    assert readers.worked_s >= 0.05


def test_readers_that_work_more_make_no_wait_shorter() -> None:
    readers = Readers(100.0)
    passed_s = Pace(1.0, Random(1), worked=readers).stopwatch()
    assert passed_s() < 100.0


def test_for_readers_that_do_not_work_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "STALL_S", 0.1)
    Pace(1.0, Random(1), worked=lambda: 0.0).pause(0.01)


def test_a_wait_for_readers_can_be_ended() -> None:
    looks = iter([False] * 5)
    with pytest.raises(Stopped):
        Pace(1.0, Random(1), lambda: next(looks, True), lambda: 0.0).pause(1.0)


def test_readers_that_work_as_in_life_are_ahead_of_the_clock(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rig = Rig(tmp_path_factory.mktemp("rig"), "mild", 1.0, 1)
    for _ in range(round(60 / 0.15)):
        for reader in rig.readers.values():
            reader.visits += 1
    assert rig.worked_s() == pytest.approx(120)
