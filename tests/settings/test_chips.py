"""Chips are enrolled by the rack, once each, and shown by denomination."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablebridge.cli import cli
from tablebridge.journal.store import Journal
from tablebridge.model.chip_events import Tray
from tablebridge.model.events import Entry
from tablebridge.model.instant import START
from tablebridge.model.readings import Sweep
from tablebridge.sensing.enrolment.chip_enrolment import ChipEnrolment, EnrolledChip

TAGS = [f"E0040200000000{number:02X}" for number in range(6)]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.toml"
    path.write_text(f'state_dir = "{tmp_path}"\n[[table]]\nname = "one"\nchips = [25, 100]\n')
    return path


def run(*typed: str, given: str = "", status: int = 0) -> str:
    done = CliRunner().invoke(cli, ["chips", *typed], input=given)
    assert done.exit_code == status, done.output
    return done.stdout


def sweeps(*tags: str) -> str:
    return "".join(json.dumps({"kind": "sweep", "antenna": 1, "tags": tags}) + "\n" for _ in range(3))


def test_a_rack_is_enrolled_and_shown(site: Path) -> None:
    assert "4 chips of 100 are new" in run(
        "enrol", "100", "--site", str(site), "--readings", "-", given=sweeps(*TAGS[:4])
    )
    assert "2 chips of 25 are new" in run(
        "enrol", "25", "--site", str(site), "--readings", "-", given=sweeps(*TAGS)
    )
    assert json.loads(run("show", "--site", str(site), "--json")) == {
        "chips": {"25": 2, "100": 4},
        "total": 450,
    }
    assert json.loads(run("check", "--site", str(site), "--json"))["ok"]
    assert (site.parent / "chips" / "chips.toml").stat().st_mode & 0o777 == 0o600
    run("enrol", "500", "--site", str(site), "--readings", "-", given=sweeps("E0040200000000FF"))
    assert json.loads(run("check", "--site", str(site), "--json", status=1)) == {
        "ok": False,
        "at_no_table": [500],
        "not_enrolled": [],
    }


def test_a_tag_that_is_a_card_or_was_read_once_is_no_chip() -> None:
    rack = ChipEnrolment(100, {TAGS[0]: 25}, [TAGS[1]])
    assert rack.enrol_chips(Sweep(1, tuple(TAGS[:3]), 2)) == []
    assert rack.enrol_chips(Sweep(1, tuple(TAGS[:3]))) == [
        EnrolledChip("known", 25),
        EnrolledChip("card"),
        EnrolledChip("enrolled", 100),
    ]
    assert rack.enrol_chips(Sweep(1, tuple(TAGS[:4]))) == []
    assert rack.chips == {TAGS[0]: 25, TAGS[2]: 100}


def test_the_tray_of_a_record_is_shown_with_what_is_not_explained(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite"
    journal = Journal(path, "one")
    with journal.transaction():
        for number, chips in enumerate(((100,) * 5, (100,) * 3), 1):
            journal.record("entry", Entry(number, START, Tray(chips)))
    journal.close()
    assert json.loads(run("tray", str(path), "--json")) == {
        "table": "one",
        "tray": {"chips": {"100": 3}, "total": 300, "variance": -200},
        "wrong": [{"denomination": 100, "expected": 5, "found": 3}],
    }
    assert "expected 5, found 3" in run("tray", str(path))
