"""What nobody should have to read: paths of somebody's machine, files that are too long."""

import re
from pathlib import Path

import pytest
from rig.documents import DOCS, files, name

TEXT = files(".md", ".py", ".toml", ".js", ".css", ".html", ".txt", ".table", ".conf", ".acl", ".sh", ".service", "Makefile")
SOURCE = files(".py", ".js", ".css", ".html")
LONGEST = 400
GENERATED = {DOCS / "comparison.md", DOCS / "findings.md", DOCS / "asyncapi.json"}
MACHINE = re.compile(r"/(?:work|root|home/[a-z]+)/|/tmp/[a-z]+/")


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    found = [f"{name(path)}:{number}: {line.strip()}" for path in TEXT
             for number, line in enumerate(path.read_text().splitlines(), 1) if MACHINE.search(line)]
    assert [line for line in found if not line.startswith(f"{name(Path(__file__))}:")] == []


def test_no_file_is_longer_than_one_subject_takes() -> None:
    lengths = {path: path.read_text().count("\n") for path in [*SOURCE, *files(".md", ".toml")] if path not in GENERATED}
    assert [f"{name(path)}: {length} lines" for path, length in lengths.items() if length > LONGEST] == []


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX"])
def test_nothing_is_left_for_later(word: str) -> None:
    found = [name(path) for path in SOURCE if re.search(rf"#.*\b{word}\b|//.*\b{word}\b", path.read_text())]
    assert found == []
