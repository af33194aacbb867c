"""Hands under a house's rulebook, which are ruled as the house changed it, and otherwise by its parent."""

import re
from pathlib import Path

import pytest
from hands.suite import HOUSES, path_of, scripts

from tablebridge.cli.check import check
from tablebridge.cli.scripts import load
from tablebridge.engine.script.runner import play
from tablebridge.model.events import Rules

SCRIPTS = [
    path
    for script in scripts()
    if script.startswith(HOUSES) and "\nrules " in (path := path_of(script)).read_text()
]


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_the_same_hand_is_ruled_otherwise_by_the_parent(script: Path, tmp_path: Path) -> None:
    path = tmp_path / script.name
    path.write_text(re.sub(r"rules \w+\.toml", "rules tda-2022", script.read_text()))
    assert check(path).failures


def test_a_finding_names_the_houses_book(tmp_path: Path) -> None:
    played = list(play(load(path_of(f"{HOUSES}/river"))))
    assert {finding.rulebook for one in played for finding in one.outcome.findings} == {"river"}
    rules = next(one.statement.event for one in played)
    assert isinstance(rules, Rules)
    assert rules.text.startswith('parent = "tda-2022"\ntitle = "River room, house rules"\nname = "river"\n')


def test_a_script_whose_rulebook_cannot_be_used_names_both_places(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('parent = "tda-2022"\n[choices]\nraise_cap = "four"\n')
    script = tmp_path / "hand.table"
    script.write_text("# one\nrules house.toml\n")
    assert check(script).error == (
        f"{script}:2: the rulebook cannot be used.\n"
        f'{tmp_path / "house.toml"}:3: choices.raise_cap: this is a whole number, 0 or more, not "four"'
    )
