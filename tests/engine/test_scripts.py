"""Hands as table scripts: each of them says in its first line which rule it is about."""

from pathlib import Path

import pytest

from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play

FOLDER = Path(__file__).with_name("scripts")
SCRIPTS = sorted(FOLDER.rglob("*.table"))


@pytest.mark.parametrize("path", SCRIPTS, ids=[str(path.relative_to(FOLDER).with_suffix("")) for path in SCRIPTS])
def test_what_the_script_expects_holds(path: Path) -> None:
    verdicts = [verdict for played in play(read(path.read_text(), path.name)) for verdict in played.verdicts]
    assert verdicts
    assert [f"{path.name}:{verdict.expected}: {verdict.said}" for verdict in verdicts if verdict.said] == []
