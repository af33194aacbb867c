"""The state folder is what the documents say: each part named once, with its writer."""

import re

import pytest
from rig.documents import DOCS

from tablebridge.settings.state import PARTS, Part

COLUMNS = ("driver", "engine", "web")


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_part_stands_in_the_architecture_as_in_the_code(part: Part) -> None:
    listed = re.findall(
        rf"^state_dir/{part.name}/ +(.+)$", (DOCS / "architecture.md").read_text(), re.MULTILINE
    )
    assert listed == [part.holds]


def test_the_architecture_names_no_part_that_is_not_there() -> None:
    listed = re.findall(r"^state_dir/([^/ ]+)", (DOCS / "architecture.md").read_text(), re.MULTILINE)
    assert listed == [part.name for part in PARTS]


def test_deployment_says_who_may_write_and_who_cannot_open_what() -> None:
    text = (DOCS / "deployment.md").read_text()
    rows = {
        key: [set(cell.strip().split(", ")) for cell in row.split("|")]
        for key in ("may write", "cannot open")
        for row in re.findall(rf"^\| {key} \|(.*)\|$", text, re.MULTILINE)
    }
    kept = {part.name: part.writer for part in PARTS if part.writer in COLUMNS}
    for column, writer in enumerate(COLUMNS):
        own = {name for name, who in kept.items() if who == writer}
        assert rows["may write"][column] == own
        assert rows["cannot open"][column] == set(kept) - own
