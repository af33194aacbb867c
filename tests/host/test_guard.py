"""A driver that does not return, or crashes: the process ends and says where, its device is held out."""

import subprocess
import sys
from pathlib import Path

import pytest

from tablebridge.host.guard import FIRST_S, FORGOTTEN_S, GROWTH, LONGEST_S, Guard

BLOCKS = """
import sys, time, ctypes, pathlib
from tablebridge.host.guard import Guard
guard = Guard(pathlib.Path(sys.argv[1]), patience_s=0.5)
guard.worked()
guard.serving("good")
guard.served()
guard.worked()
if sys.argv[2] != "loop":
    guard.serving("bad")
def driver():
    {how}
driver()
"""
HOW = {
    "python": "while True: pass",
    "sleep": "time.sleep(60)",
    "library": "ctypes.PyDLL(None).sleep(60)",
    "crash": "ctypes.string_at(0)",
    "loop": "time.sleep(60)",
    "killed": "import os; os.kill(os.getpid(), 9)",
}
NOW_S = 1_800_000_000.0


def ended(folder: Path, how: str) -> int:
    """How a process ends whose driver does this."""
    code = BLOCKS.format(how=HOW[how])
    return subprocess.run([sys.executable, "-c", code, str(folder), how], timeout=60).returncode


def guard_of(folder: Path, now_s: float = NOW_S) -> Guard:
    return Guard(folder, wall_s=lambda: now_s)


@pytest.mark.parametrize("how", ["python", "sleep", "library", "crash"])
def test_the_device_that_was_being_served_is_held_out_once(tmp_path: Path, how: str) -> None:
    assert ended(tmp_path, how) != 0
    guard = guard_of(tmp_path)
    assert set(guard.held_out) == {"bad"}
    held = guard.held_out["bad"]
    assert (held.times, held.until_s) == (1, NOW_S + FIRST_S)
    assert "in string_at" in held.position if how == "crash" else "in driver" in held.position
    guard.close()
    again = guard_of(tmp_path)
    assert again.held_out["bad"].times == 1, "a start after an end in order adds nothing"
    again.close()


@pytest.mark.parametrize("how", ["loop", "killed"])
def test_nobody_is_held_out_for_an_end_of_another_cause(tmp_path: Path, how: str) -> None:
    assert ended(tmp_path, how) != 0
    guard = guard_of(tmp_path)
    assert guard.held_out == {}
    guard.close()


def test_each_time_it_is_held_out_for_longer_and_after_an_hour_it_begins_again(tmp_path: Path) -> None:
    now_s, waits = NOW_S, []
    for _ in range(5):
        ended(tmp_path, "crash")
        guard = guard_of(tmp_path, now_s)
        waits.append(guard.held_out["bad"].until_s - now_s)
        guard.close()
        now_s += waits[-1]
    assert waits == [min(LONGEST_S, FIRST_S * GROWTH**times) for times in range(5)]
    ended(tmp_path, "crash")
    guard = guard_of(tmp_path, now_s + FORGOTTEN_S + 1)
    assert guard.held_out["bad"].times == 1
    guard.close()


def test_files_that_say_nothing_sensible_hold_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "held-out.json").write_bytes(b"{nonsense")
    (tmp_path / "serving").write_bytes(b"\xff" * 10)
    (tmp_path / "stuck").write_bytes(b"")
    guard = guard_of(tmp_path)
    assert guard.held_out == {}
    guard.close()
