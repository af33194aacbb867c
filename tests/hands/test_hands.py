"""Every table script holds, but for those in pending.txt, and stands where its reader looks for it."""

import re

import pytest
from hands.suite import HERE, HOUSES, further, path_of, pending, reason, scripts

from tablebridge.rulebooks import BOOKS

SCRIPTS = scripts()
PENDING = pending()
DEFAULT_BOOK = "tda-2022"
"""The rulebook of a table to which nobody gives one."""
SUBJECTS = re.findall(r"^\| `([a-z/-]+)` \|", (HERE / "README.md").read_text(), re.MULTILINE)
"""The subjects that the README lists."""


def case(script):
    why = PENDING.get(script)
    return pytest.param(
        script, id=script, marks=[] if why is None else [pytest.mark.xfail(reason=why, strict=True)]
    )


@pytest.mark.parametrize("script", [case(script) for script in SCRIPTS])
def test_script_holds(script):
    assert reason(script) == ""


def test_pending_names_scripts_there_are():
    assert set(PENDING) <= set(SCRIPTS)


def test_further_findings_are_of_scripts_there_are():
    assert set(further()) <= set(SCRIPTS)


def test_a_script_begins_with_the_rule_that_it_is_about():
    assert [script for script in SCRIPTS if not path_of(script).read_text().startswith("# ")] == []


def test_a_script_is_in_the_folder_of_the_rulebook_that_it_begins_with():
    wrong = {}
    for script in SCRIPTS:
        text = path_of(script).read_text()
        rules = re.search(r"^rules (\S+)", text, re.MULTILINE)
        book = rules[1] if rules else DEFAULT_BOOK
        folder = book if book in BOOKS and not re.search(r"^game \S+\.toml", text, re.MULTILINE) else HOUSES
        if script.split("/")[0] != folder:
            wrong[script] = f"its rulebook is {book}: move it to {folder}/"
    assert wrong == {}


def test_a_script_is_in_the_folder_of_a_subject_that_the_readme_lists():
    folders = {script.partition("/")[2].rpartition("/")[0] for script in SCRIPTS if HOUSES not in script}
    assert folders - set(SUBJECTS) == set(), (
        "add the subject to tests/hands/README.md, or use one that it has"
    )
    assert set(SUBJECTS) - folders == set(), "no script has these subjects: take them out of the README"


def test_table_scripts_stand_nowhere_else():
    elsewhere = [
        path
        for path in HERE.parent.rglob("*.table")
        if not path.is_relative_to(HERE) and path.parent.name != "golden"
    ]
    assert elsewhere == []
