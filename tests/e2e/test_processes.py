"""The demo's processes live and die together: by themselves, by Ctrl-C, and when the one above them is
killed.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from rig.wait import wait_for

pytestmark = pytest.mark.slow

DEMO = [
    sys.executable,
    "-m",
    "tablebridge",
    "demo",
    "--no-browser",
    "--speed",
    "max",
    "--level",
    "clean",
    "--seed",
    "7",
]
ENDS_WITHIN_S = 60.0


def all_of(folder: Path) -> list[psutil.Process]:
    """Every process that works in a folder: its name stands in their arguments, or they hold a file in it."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if str(folder) in " ".join(process.cmdline()):
                found.append(process)
    return found


@contextmanager
def demo(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*DEMO, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A demo with hands being dealt and all its processes there."""
    with demo(tmp_path) as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("hand "):
            assert process.poll() is None
        yield process


def test_two_beside_each_other_end_by_themselves_with_a_summary_and_leave_nothing(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    with demo(folders[0], "--hands", "2") as one, demo(folders[1], "--hands", "1") as other:
        said = [process.communicate(timeout=300) for process in (one, other)]
    assert one.returncode == 0 and other.returncode == 0, said
    (out, _), (brief, _) = said
    for kind, page in (("Floor", "anna"), ("Operator", "console"), ("Broadcast", "overlay")):
        assert re.search(rf"^{kind} +.*http://127\.0\.0\.1:\d+/\w+/{page}\b", out, re.MULTILINE), out
    assert len(re.findall(r"^hand \d+  .*pot \d+.* wins \d+", out, re.MULTILINE)) == 2
    assert re.search(r"^2 hands in \d+ s; 0 readings lost$", out, re.MULTILINE)
    assert re.search(r"^1 hand in \d+ s; 0 readings lost$", brief, re.MULTILINE), brief
    assert all_of(tmp_path) == [] and [path for folder in folders for path in folder.iterdir()] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_mid_hand_ends_it_in_order(
    tmp_path: Path, started: subprocess.Popen[str], number: int
) -> None:
    assert len(all_of(tmp_path)) >= 4, "drivers, engine, pages and broker"
    if number == signal.SIGINT:
        # Ctrl-C is for all processes of the terminal's foreground.
        os.killpg(started.pid, number)
    else:
        started.send_signal(number)
    out, err = started.communicate(timeout=ENDS_WITHIN_S)
    assert started.returncode == 0 and "Traceback" not in err, err
    assert re.search(r"^\d+ hands? in \d+ s; 0 readings lost$", out, re.MULTILINE), out
    assert all_of(tmp_path) == [] and list(tmp_path.iterdir()) == []


def test_a_signal_while_it_starts_ends_it_in_order(tmp_path: Path) -> None:
    with demo(tmp_path) as process:
        wait_for(lambda: len(all_of(tmp_path)) > 3, "its processes start")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and "Traceback" not in err, err
    assert "0 hands in" in out
    assert all_of(tmp_path) == []


def test_nothing_outlives_it_when_it_is_killed(tmp_path: Path, started: subprocess.Popen[str]) -> None:
    children = psutil.Process(started.pid).children(recursive=True)
    assert len(children) >= 4
    started.kill()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert alive == [] and all_of(tmp_path) == []
