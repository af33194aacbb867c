"""The state folder is what the documents say: each file named once, with its writer and readers."""

import re

from rig.documents import DOCS

from tablebridge.settings.state import FILES, PARTS, register

COLUMNS = ("driver", "engine", "web", "notify", "room", "uplink")


def test_the_architecture_has_the_register_as_it_is() -> None:
    text = (DOCS / "architecture.md").read_text()
    assert register() in text, "python -m tablebridge.settings.state prints it"
    rows = [line for line in text.splitlines() if re.match(r"\| `state_dir/", line)]
    assert len(rows) == len(FILES), "and no row of it stands elsewhere"


def test_every_part_has_files_and_every_file_a_part() -> None:
    assert {file.part.name for file in FILES} == {part.name for part in PARTS}
    assert len({(file.part.name, file.name) for file in FILES}) == len(FILES)


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
        read = {"journal"} if writer == "uplink" else set()
        assert rows["cannot open"][column] == set(kept) - own - read
