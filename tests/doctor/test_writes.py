"""The write budget: whose writes count, and what they leave of a card."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tablebridge.doctor.writes import Budget, budget, judge_budget

TICKS = os.sysconf("SC_CLK_TCK")
UPTIME_S = 100_000.0


def process(proc: Path, pid: int, line: str, written: int, age_s: float = 10_000.0, parent: int = 1) -> None:
    """A process as proc(5) shows it; its name holds what may be in a name."""
    folder = proc / str(pid)
    folder.mkdir()
    (folder / "cmdline").write_bytes("\0".join([*line.split(), ""]).encode())
    started = int((UPTIME_S - age_s) * TICKS)
    fields = ["S", str(parent), *["0"] * 17, str(started), "0", "0"]
    (folder / "stat").write_text(f"{pid} (a) b ({pid}) {' '.join(fields)}\n")
    (folder / "io").write_text(f"rchar: 1\nwchar: 2\nwrite_bytes: {written}\ncancelled_write_bytes: 0\n")


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    (tmp_path / "uptime").write_text(f"{UPTIME_S} 1.0\n")
    (tmp_path / "self").mkdir()
    return tmp_path


def test_the_processes_of_tablebridge_and_their_children_count_and_no_other(proc: Path) -> None:
    process(proc, 10, "/opt/tablebridge/bin/python /opt/tablebridge/bin/tablebridge engine", 100_000_000)
    process(proc, 11, "python3.11 -I -m tablebridge drive board", 10_000_000, age_s=1000.0)
    process(proc, 12, "nanomq start", 50_000_000, parent=10)
    process(proc, 13, "/usr/bin/tablebridge web", 0)
    process(proc, 14, "vim /etc/tablebridge", 10**12)
    process(proc, 15, "/usr/bin/python3 -m http.server tablebridge", 10**12)
    process(proc, 16, "", 10**12)
    found = budget(proc)
    assert (found.processes, found.hidden, found.seconds) == (4, 0, pytest.approx(10_000))
    assert found.bytes_per_s == pytest.approx(10_000 + 10_000 + 5_000)


def test_a_real_process_is_found(tmp_path: Path) -> None:
    script = tmp_path / "tablebridge"
    script.write_text("import sys; print('up', flush=True); sys.stdin.read()")
    before = budget()
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None and running.stdout.readline() == "up\n"
        folder = tmp_path / "proc"
        folder.mkdir()
        (folder / "uptime").write_text(Path("/proc/uptime").read_text())
        (folder / str(running.pid)).symlink_to(f"/proc/{running.pid}")
        found = budget(folder)
        running.communicate()
    assert found.processes + found.hidden == 1 and found.seconds < 60
    assert before.bytes_per_s >= 0


def test_what_is_written_is_told_with_the_years_that_a_card_lasts() -> None:
    dealing = Budget(17, 0, 60_000.0, 40_000.0)
    check = judge_budget(dealing, None)
    assert check.level == "ok" and "60.0 kB/s, 5.2 GB per day (11 hours measured)" in check.says
    assert "a card of 30 TBW lasts 16 years" in check.says and "--endurance" in check.says
    assert "a card of 64 TBW lasts 34 years." in judge_budget(dealing, 64).says


@pytest.mark.parametrize(("seconds", "level"), [(40_000.0, "warn"), (120.0, "ok")])
def test_a_card_that_dies_soon_is_a_warning_if_it_was_measured_for_long_enough(
    seconds: float, level: str
) -> None:
    check = judge_budget(Budget(18, 0, 2_431_000.0, seconds), None)
    assert check.level == level and "lasts 0.4 years" in check.says


def test_what_cannot_be_seen_and_what_is_not_written_is_said() -> None:
    assert "only root sees what 3 processes write" in judge_budget(Budget(2, 3, 5.0, 9.0), None).says
    assert "no process of tablebridge runs" in judge_budget(Budget(), 30).says
    assert "more than 100 years" in judge_budget(Budget(1, 0, 1.0, 1e5), None).says
