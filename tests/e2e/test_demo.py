"""The demo and the simulator as a person starts them: all processes real, the hardware emulated."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tablebridge.model.errors import LinkError
from tablebridge.sim.session import Session

pytestmark = pytest.mark.slow

HAND = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [5000, 10000, 8000]
actions = ["d dh p1 AhKh", "d dh p2 ????", "d dh p3 7c2d", "p3 f", "p1 cbr 300", "p2 cc", "d db 2h9s4c",
  "p1 cbr 400", "p2 cbr 1200", "p1 cbr 4700", "p2 cc", "d db 9h", "d db Qh", "p1 sm AhKh", "p2 sm"]
"""
STUD = 'variant = "F7S"\nantes = [10, 10]\nbring_in = 20\nstarting_stacks = [500, 500]\nactions = []\n'


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablebridge", *arguments],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def left_over(folder: Path) -> list[str]:
    """What still runs or lies about of a site that was in `folder`."""
    running = [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
    return [line for line in running if str(folder) in line] + [str(path) for path in folder.iterdir()]


def test_an_irregular_hand_is_dealt_again_and_counted(tmp_path: Path) -> None:
    done = run(
        "demo",
        "--hands",
        "1",
        "--speed",
        "max",
        "--level",
        "clean",
        "--no-browser",
        "--irregular",
        "boxed-cards",
        "--seed",
        "2",
        folder=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "  Anna's phone: Table 1: hand, floor needed." in done.stdout, "her phone is the demo's"
    assert "misdeal, dealt again" in done.stdout and re.search(
        r"^ +1  misdeal boxed-cards$", done.stdout, re.MULTILINE
    )


def test_the_demo_goes_on_when_its_pages_die_and_keeps_their_log(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "demo", "--no-browser", "--hands", "1", "--speed", "max"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as demo:
        assert demo.stdout is not None
        for line in demo.stdout:
            if line.startswith("The overlay"):
                break
        (web,) = [child for child in psutil.Process(demo.pid).children() if "web" in child.cmdline()]
        web.kill()
        out, told = demo.communicate(timeout=200)
    assert demo.returncode == 0 and "1 hand in" in out, out + told
    found = re.search(
        r"The process web ended by itself 1 time and was started again; its log is (\S+)$", told, re.MULTILINE
    )
    assert found and "Pages: http" in Path(found[1]).read_text()
    assert left_over(tmp_path) == [str(Path(found[1]).parent)], "nothing but the logs stays"
    assert Path(found[1]).parent.stat().st_mode & 0o077 == 0


def test_a_demo_whose_pages_never_come_back_names_logs_that_are_there(tmp_path: Path) -> None:
    with (
        pytest.raises(LinkError, match="The logs are kept in") as raised,
        Session(tmp_path / "site", level="clean", speed=None, seed=1) as session,
    ):
        session.runner.children["web"].arguments[:] = ["no-such-command"]
        child = session.runner.processes["web"]
        os.kill(child, signal.SIGKILL)
        session.console.write("call 1")
    kept = Path(str(raised.value).rpartition(" in ")[2].rstrip("."))
    try:
        assert "No such command" in (kept / "web.log").read_text()
    finally:
        shutil.rmtree(kept)


@pytest.mark.parametrize("bets", ["console", "chips"])
def test_recorded_hands_come_out_as_they_went_in(tmp_path: Path, bets: str) -> None:
    state, out = tmp_path / "state", tmp_path / "out"
    for name, text in (
        ("a/1.phh", HAND),
        ("b/1.phh", HAND.replace("9s4c", "9d5c")),
        ("b/2.phh", STUD),
        ("b/3.phh", "no"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    state.mkdir()
    done = run(
        "simulate",
        "--phh",
        str(tmp_path / "a"),
        str(tmp_path / "b"),
        "--out",
        str(out),
        "--bets",
        bets,
        folder=state,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped 2.phh: seven card stud" in done.stdout and "skipped 3.phh: no PHH file" in done.stdout
    assert "identical 2 of 2" in done.stdout, done.stdout
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*.phh")) == ["a/1.phh", "b/1.phh"]
    assert left_over(state) == []


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = run(
        "simulate", "--phh", str(tmp_path / "none.phh"), "--out", str(tmp_path / "out"), folder=tmp_path
    )
    assert done.returncode == 2 and "there is no such file" in done.stderr
