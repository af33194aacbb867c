"""Recorded hands of every game through the engine alone: our own hands, with the stacks that we reckoned by
hand.
"""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from tablebridge.cli.simulate import command
from tablebridge.export.phh import read_phh
from tablebridge.sim.phh_hands import fold

FOLDER = Path(__file__).parent / "recorded"
HANDS = sorted(FOLDER.glob("*.phh"))


@pytest.mark.parametrize("path", HANDS, ids=lambda path: path.stem)
def test_the_stacks_at_the_end_are_those_of_the_record(path: Path) -> None:
    record = read_phh(path)
    folded = fold(record)
    assert folded.differs(record) == ""
    assert folded.warnings == []


def test_other_stacks_at_the_end_are_told() -> None:
    record = read_phh(FOLDER / "razz-all-in.phh")
    other = msgspec.structs.replace(record, finishing_stacks=(1, 1194, 975))
    assert fold(record).differs(other) == "The stacks at the end are 0.0 1195.0 975.0 instead of 1 1194 975."


def test_a_hand_that_cannot_be_folded_says_why() -> None:
    record = read_phh(FOLDER / "triple-draw.phh")
    assert fold(msgspec.structs.replace(record, variant="XX")).refused == "The game XX is not played here."
    dead = msgspec.structs.replace(record, blinds_or_straddles=(50, 0, 0))
    assert fold(dead).refused == "Its small blind is dead, which only the hand before it could tell."
    assert "hundredths" in fold(msgspec.structs.replace(record, starting_stacks=(1 / 3, 5, 5))).refused


def test_the_command_counts_the_hands_by_game_and_needs_no_folder_to_write_to() -> None:
    told = CliRunner().invoke(command, ["--phh", str(FOLDER), "--engine"])
    assert told.exit_code == 0, told.output
    assert told.output.splitlines()[-1] == f"identical {len(HANDS)} of {len(HANDS)}"
    assert "F2L3D  td27    identical 1 of 1" in told.output
    unasked = CliRunner().invoke(command, ["--phh", str(FOLDER)])
    assert unasked.exit_code == 2 and "--out FOLDER" in unasked.output
