"""Hands as table scripts: each of them says in its first line which rule it is about."""

from pathlib import Path

import pytest

from tablebridge.engine.script.expectations import told
from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play

FOLDER = Path(__file__).with_name("scripts")
SCRIPTS = sorted(FOLDER.rglob("*.table"))


@pytest.mark.parametrize(
    "path", SCRIPTS, ids=[str(path.relative_to(FOLDER).with_suffix("")) for path in SCRIPTS]
)
def test_what_the_script_expects_holds(path: Path) -> None:
    played = list(play(read(path.read_text(), path.name)))
    verdicts = [verdict for one in played for verdict in one.verdicts]
    assert verdicts
    assert [f"{path.name}:{verdict.expected}: {verdict.said}" for verdict in verdicts if verdict.said] == []
    false_alarms = [
        f"{path.name}:{one.statement.number}: {told(finding)}" for one in played for finding in one.unnamed
    ]
    assert false_alarms == [], "each finding above info is named by an expectation"
