"""What is measured with one card while the engine runs: one writer, between hands, on record."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from rig.wait import wait_for

from tablebridge.app.antenna_counts import handed_over, load_counts
from tablebridge.app.calibration import SAVE_HANDS
from tablebridge.journal.records import CalibrationRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.readings import Sweep
from tablebridge.settings.state import CALIBRATION_FILE

from .room import Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Room(tmp_path, "nats", ("engine",)) as room:
        yield room


def calibrated(room: Room) -> str:
    """The command with a card that lies on each place in turn; what it says beside its table."""
    readings = []
    for at in range(600):
        lies = 1 + at // 60 % 5
        for antenna in range(1, 6):
            sweep = Sweep(antenna, ("E0AA",) if antenna == lies else ())
            line = {"device": "board", "kind": "sweep", "at_ms": 50 * at, **msgspec.to_builtins(sweep)}
            readings.append(msgspec.json.encode(line).decode())
    words = ["calibrate", "--site", str(room.path), "--table", "one", "--readings", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", *words],
        input="\n".join(readings),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def records(room: Room) -> list[CalibrationRecord]:
    journal = Journal(room.folder / "journal" / "one.sqlite", "one", readonly=True)
    bodies = [body_of(record) for record in journal.records(kind="calibration")]
    journal.close()
    return [body for body in bodies if isinstance(body, CalibrationRecord)]


def test_a_measurement_waits_for_the_end_of_the_hand_and_outlives_what_the_engine_counts(room: Room) -> None:
    room.ask("one", "stacks 10000", "button 1", "hand", "dealt")
    assert "Kept: the engine of table one takes it between two hands" in calibrated(room)
    (waits,) = handed_over(room.folder, "one")
    measured = load_counts(waits)
    assert measured.total == 5
    room.ask("one", "fold 1")
    assert waits.exists() and records(room) == [], "nothing is taken in the middle of a hand"
    room.ask("one", "end")
    wait_for(lambda: not waits.exists(), "the engine has taken it")
    (record,) = records(room)
    assert record.name == waits.stem
    assert record.stays == {f"board/{antenna}": 1 for antenna in range(1, 6)}
    kept = CALIBRATION_FILE.path(room.folder, "one")
    assert load_counts(kept).stays == measured.stays
    before = kept.stat().st_mtime_ns
    for _ in range(SAVE_HANDS + 1):
        room.ask("one", "hand", "dealt", "end")
    wait_for(lambda: kept.stat().st_mtime_ns > before, "the engine has written what it counted itself")
    assert load_counts(kept).stays == measured.stays, "and nothing of what was measured is lost"
