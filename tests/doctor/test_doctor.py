"""`tablebridge doctor` as a person calls it, against devices on pseudo-terminals."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rig.command import device, tablebridge
from rig.feig import Feig
from rig.pty import Pty

A, B = "E0040100ABCDEF01", "E0040100ABCDEF02"
Plug = Callable[..., Pty]
Write = Callable[..., Path]


def examined(site: Path, *arguments: str) -> tuple[int, list[dict[str, str]], dict[str, Any]]:
    """Exit status, checks and the whole report."""
    done = tablebridge("doctor", "--site", site, "--seconds", "1.5", "--json", *arguments)
    assert done.stdout, done.stderr
    report = json.loads(done.stdout)
    return done.returncode, report["checks"], report


def says(checks: list[dict[str, str]], about: str, level: str) -> str:
    return "\n".join(
        f"{one['says']} {one['do']}" for one in checks if (one["about"], one["level"]) == (about, level)
    )


def test_a_working_reader_is_measured_and_the_report_names_no_tag(
    plugged: Plug, site: Write, tmp_path: Path
) -> None:
    plugged(Feig(A, B), "left")
    file = site(device(tmp_path, "left"))
    decks = tmp_path / "state" / "decks"
    decks.mkdir(parents=True)
    (decks / "red.toml").write_text(f'[cards]\nAh = "{A}"\n')
    (decks / "red.toml").chmod(0o600)
    report = tmp_path / "report.json"
    _, checks, printed = examined(file, "--report", str(report))
    assert "FEIG ID ISC.MR101-A" in says(checks, "left", "ok")
    assert "tags read there: 2" in says(checks, "left", "ok")
    antenna = printed["devices"]["left"]["antennas"]["0"]
    assert antenna["visits"] > 5 and antenna["read_share"] == [1.0, 1.0]
    written = report.read_text()
    assert json.loads(written) == printed
    assert A not in written and B not in written and "Ah" not in written and A[-4:] not in written


def test_what_does_not_work_fails_and_the_rest_goes_on(plugged: Plug, site: Write, tmp_path: Path) -> None:
    plugged(Feig(A), "left")
    plugged(lambda data: b"", "mute")
    file = site(
        device(tmp_path, "left", antennas='{ 0 = "seat 1" }'),
        device(tmp_path, "mute"),
        device(tmp_path, "gone"),
        device(tmp_path, "typo", driver="feigg"),
    )
    status, checks, _ = examined(file)
    assert status == 2
    assert "tags read there: 1" in says(checks, "left", "ok")
    assert "tablebridge capture mute" in says(checks, "mute", "fail")
    assert "is not there" in says(checks, "gone", "fail")
    assert "did you mean feig?" in says(checks, "typo", "fail")


def test_a_port_that_is_held_names_the_program(plugged: Plug, site: Write, tmp_path: Path) -> None:
    pty = plugged(Feig(A), "left")
    hold = (
        "import fcntl, sys, time; f = open(sys.argv[1], 'r+b', 0); fcntl.flock(f, fcntl.LOCK_EX); "
        "print('held', flush=True); time.sleep(90)"
    )
    holder = subprocess.Popen([sys.executable, "-c", hold, str(pty.link)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        status, checks, _ = examined(site(device(tmp_path, "left")))
    finally:
        holder.kill()
        holder.communicate()
    assert status == 2
    assert f"process {holder.pid}" in says(checks, "left", "fail")


def test_a_driver_that_runs_is_left_alone(plugged: Plug, site: Write, tmp_path: Path) -> None:
    pty = plugged(Feig(A), "left")
    file = site(device(tmp_path, "left"))
    driver = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "drive", "left", "--site", str(file)], stderr=subprocess.DEVNULL
    )
    try:
        from rig.wait import wait_for

        wait_for(lambda: pty.sent > 100, "the driver asks its reader")
        _, checks, _ = examined(file)
        assert f"its driver runs (process {driver.pid})" in says(checks, "left", "ok")
        assert driver.poll() is None
    finally:
        driver.terminate()
        driver.wait(60)


def test_antennas_that_the_site_file_does_not_know_and_the_other_way_round(
    plugged: Plug, site: Write, tmp_path: Path
) -> None:
    plugged(Feig(A), "left")
    _, checks, _ = examined(site(device(tmp_path, "left", antennas='{ 1 = "seat 1" }')))
    told = says(checks, "left", "warn") + says(checks, "site", "fail")
    assert "antenna 1 (seat 1) was never visited; visited were 0" in told
    assert "antenna 0 reads tags and the site file gives it no place" in told


def test_two_devices_on_one_port_and_a_file_that_is_none_are_told_beside_the_machine(
    site: Write, tmp_path: Path
) -> None:
    status, checks, _ = examined(
        site(device(tmp_path, "left"), device(tmp_path, "left").replace('"left"', '"right"', 1))
    )
    assert status == 2 and "two devices are on port" in says(checks, "site", "fail")
    assert says(checks, "python", "ok")
    status, checks, _ = examined(tmp_path / "none.toml")
    assert status == 2 and "cannot be read" in says(checks, "site", "fail")


def test_one_port_under_two_names_is_told_and_opened_once(plugged: Plug, site: Write, tmp_path: Path) -> None:
    plugged(Feig(A), "left")
    (tmp_path / "right").symlink_to(tmp_path / "left")
    status, checks, _ = examined(site(device(tmp_path, "left"), device(tmp_path, "right")))
    assert status == 2 and "is the port of left under another name" in says(checks, "right", "fail")
    assert "tags read there: 1" in says(checks, "left", "ok")


def test_broken_plugins_and_taken_names_are_told_and_hurt_nothing(
    plugged: Plug, site: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real metadata of two small distributions: one takes a name of ours, the other cannot be imported."""
    plugged(Feig(A), "left")
    folder = tmp_path / "packages"
    for name, point in (("thief", "feig = thief:DRIVER"), ("broken", "wreck = no_such_module:DRIVER")):
        info = folder / f"{name}-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[tablebridge.drivers]\n{point}\n")
    (folder / "thief.py").write_text("from tablebridge_drivers.feig import DRIVER\n")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    _, checks, report = examined(
        site(
            device(tmp_path, "left"),
            device(tmp_path, "chosen", driver="tablebridge-poker:feig"),
            device(tmp_path, "wreck", driver="wreck"),
        )
    )
    assert "claimed by tablebridge-poker and thief" in says(checks, "drivers", "warn")
    assert "No module named 'no_such_module'" in says(checks, "drivers", "warn")
    assert 'choose one by driver = "tablebridge-poker:feig"' in says(checks, "left", "fail")
    assert "cannot be imported" in says(checks, "wreck", "fail")
    # The one whose driver is named in full is tried, and only its port is missing.
    assert "is not there" in says(checks, "chosen", "fail")
    assert report["status"] == 2


def test_without_a_site_file_the_machine_is_examined() -> None:
    done = tablebridge("doctor")
    assert done.returncode in (0, 1, 2) and "python: Python" in done.stdout and "clock:" in done.stdout


def test_on_a_terminal_antennas_are_shown_live_without_whole_tags(
    plugged: Plug, site: Write, tmp_path: Path
) -> None:
    """A real terminal: its other end is read until the command ends."""
    plugged(Feig(A), "left")
    file = site(device(tmp_path, "left"))
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "doctor", "--site", str(file), "--seconds", "2"],
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=os.environ | {"COLUMNS": "160", "TERM": "xterm"},
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:
        pass  # how the end of a terminal is told
    finally:
        _, errors = process.communicate(timeout=60)
        os.close(ours)
    assert b"Traceback" not in errors
    text = shown.decode(errors="replace")
    assert f"…{A[-4:]}" in text and "seat 1" in text and "live" in text
    assert A not in text


def test_the_lock_of_another_program_is_seen_without_a_byte_being_written(
    plugged: Plug, tmp_path: Path
) -> None:
    from tablebridge.doctor.ports import locked

    pty = plugged(Feig(), "left")
    assert not locked(pty.link)
    with pty.link.open("r+b", 0) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert locked(pty.link)
    assert pty.heard == 0
