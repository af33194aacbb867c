"""`tablebridge check` and `tablebridge replay` as a person and as a program use them."""

import json
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tablebridge.cli import cli

SCRIPT = """rules tda-2022
game nlhe 50/100
seats 1-3
button 3
stacks 10000
hand
dealt
raise 3 150
! underraise seat 3
! to-act 2
fold 1
fold 2
end
! wins 3 250
"""


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "hand.table"
    path.write_text(SCRIPT.replace("! to-act 2", "! to-act 1"), encoding="utf-8")
    return path


@pytest.fixture
def failing(tmp_path):
    path = tmp_path / "wrong.table"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.fixture
def unreadable(tmp_path):
    path = tmp_path / "bad.table"
    path.write_text("hand\ndeel 1 ??\n", encoding="utf-8")
    return path


def test_all_hold(script):
    result = run("check", script)
    assert (result.exit_code, result.stdout) == (0, "3 passed, 0 failed\n")


def test_one_fails(script, failing):
    result = run("check", script, failing)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{failing}:10: expected ! to-act 2, the engine says: to-act 1",
        "5 passed, 1 failed",
    ]


def test_a_folder_stands_for_its_scripts_and_one_that_cannot_be_read_does_not_stop_the_others(
    failing, unreadable, tmp_path
):
    result = run("check", tmp_path)
    assert result.exit_code == 2
    assert f"{unreadable}:2: no statement begins with 'deel'; did you mean deal?" in result.stderr
    assert result.stdout.splitlines()[-1] == "2 passed, 1 failed"


@pytest.mark.parametrize("name", ["none.table", "latin.table", "folder"])
def test_what_is_no_script_is_told_in_a_sentence(tmp_path, name):
    (tmp_path / "latin.table").write_bytes(b'say 1 "\xff"')
    (tmp_path / "folder").mkdir()
    result = run("check", tmp_path / name)
    assert result.exit_code == 2
    assert name in result.stderr
    assert result.stdout == "0 passed, 0 failed\n"


def test_machines_read_json(failing, unreadable):
    result = run("check", "--json", failing, unreadable)
    told = json.loads(result.stdout)
    assert result.exit_code == 2
    assert (told["passed"], told["failed"], told["unreadable"]) == (2, 1, 1)
    assert told["scripts"][0]["failures"] == [{"line": 10, "expected": "! to-act 2", "said": "to-act 1"}]
    assert "did you mean deal?" in told["scripts"][1]["error"]


def test_machines_read_junit(failing, unreadable, tmp_path):
    report = tmp_path / "report.xml"
    run("check", "--junit", report, failing, unreadable)
    first, second = ElementTree.parse(report).getroot()
    assert (first.get("tests"), first.get("failures"), first.get("errors")) == ("3", "1", "0")
    assert [case.get("name") for case in first if case.find("failure") is not None] == ["line 10: ! to-act 2"]
    assert second.get("errors") == "1"


def test_a_report_that_cannot_be_written_is_told(script, tmp_path):
    result = run("check", "--junit", tmp_path / "none" / "report.xml", script)
    assert "the report cannot be written" in str(result.exception)


def test_replay_prints_findings_in_place(failing):
    result = run("replay", failing)
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    at = lines.index("8  raise 3 150")
    assert lines[at + 1 : at + 3] == ["seat 3: raise 200", "notice: underraise (tda-2022 52-A)"]
    assert "does not hold: ! to-act 2; the engine says: to-act 1" in lines
    assert lines[-1] == "seat 3 wins 250"
    assert "\x1b" not in result.stdout


def test_replay_for_machines(failing):
    lines = json.loads(run("replay", "--json", failing).stdout)["lines"]
    raised = next(line for line in lines if line["text"] == "raise 3 150")
    assert raised["findings"][0]["finding"] == "underraise"
    assert raised["ruled"] == [{"seat": 3, "action": "raise", "amount": 200}]
    assert lines[-1]["wins"] == {"3": 250}


def test_replay_of_a_script_that_cannot_be_read(unreadable):
    assert "did you mean deal?" in str(run("replay", unreadable).exception)


@pytest.mark.parametrize("command", ["check", "replay"])
def test_help_gives_an_example(command):
    assert f"Example: tablebridge {command}" in run(command, "--help").stdout
