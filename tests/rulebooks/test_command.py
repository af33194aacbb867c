"""`tablebridge rulebook` as a person calls it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tablebridge.cli.rulebook import command
from tablebridge.model.errors import ConfigError
from tablebridge.rulebooks import BOOKS

HOUSE = (
    'parent = "tda-2022"\ntitle = "River room"\n[choices]\nraise_cap = 4\n[misdeals]\nexposed-in-cut = true\n'
    '[rules]\n"misdeal exposed-in-cut" = "H-3"\n[clauses]\nH-3 = {text = "A card that shows in the cut is '
    'a misdeal."}\n'
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, env={"COLUMNS": "160"}, catch_exceptions=False)


def answer(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE)
    return path


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_is_shown_with_all_its_clauses_and_how_far_the_engine_goes(name: str) -> None:
    told, book = answer("show", name), BOOKS[name]
    assert [clause["number"] for clause in told["clauses"]] == [clause.number for clause in book.clauses]
    assert told["rules"][
        "misdeal boxed-cards" if "misdeal boxed-cards" in told["rules"] else "misdeal exposed-in-cut"
    ]
    text = run("show", name).stdout
    assert all(clause.number in text for clause in book.clauses)
    idle = [clause.number for clause in book.clauses if clause.how == "nothing"]
    last = " ".join(text.rpartition("Of ")[2].split())
    assert f"it does nothing about {len(idle)}{': ' * bool(idle)}{', '.join(idle)}" in last


def test_a_finding_is_shown_with_rule_and_steps(house: Path) -> None:
    (case,) = answer("show", "tda-2022", "--finding", "misdeal boxed-cards")["cases"]
    assert (case["rule"], case["how"]) == ("35-A(1)", "rules")
    assert case["remedy"] == ["return-bets", "reshuffle", "redeal-same-button"]
    expected = (
        "misdeal exposed-in-cut (warning): house H-3\n    A card that shows in the cut is a misdeal.\n"
        "    - return-bets:"
    )
    assert expected in run("show", str(house), "--finding", "misdeal").stdout


def test_a_finding_without_a_cause_shows_those_that_the_book_knows() -> None:
    causes = {case["cause"] for case in answer("show", "fspr", "--finding", "misdeal")["cases"]}
    assert causes == BOOKS["fspr"].misdeals
    (case,) = answer("show", "fspr", "--finding", "misdeal boxed-cards")["cases"]
    assert (case["rule"], case["remedy"]) == (None, ["call-floor"]), "not on its list: the floor's"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("misdael", "There is no finding 'misdael'; did you mean misdeal?"),
        ("misdeal boxed", "The finding misdeal has no cause 'boxed'; did you mean boxed-cards?"),
        ("pot-mismatch x", "The finding pot-mismatch has no cause 'x'; it has none"),
    ],
)
def test_a_finding_that_there_is_not_is_a_sentence(words: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        run("show", "fspr", "--finding", words)
    assert str(refused.value) == said


def test_the_difference_of_two_books_is_what_the_one_changed(house: Path) -> None:
    told = answer("diff", "tda-2022", str(house))
    assert (told["first"], told["second"]) == ("tda-2022", "house")
    assert [
        (each["section"], each["key"], each["first"], each["second"]) for each in told["differences"]
    ] == [
        ("choices", "raise_cap", "as many as the house says", "4"),
        ("misdeals", "exposed-in-cut", "no", "yes"),
        ("rules", "misdeal exposed-in-cut", "", "H-3"),
        ("clauses", "H-3", "", "A card that shows in the cut is a misdeal."),
    ]
    text = run("diff", "tda-2022", str(house)).stdout
    assert "Raises of a limit round after the bet  as many as the house says  4" in text


def test_a_book_differs_from_itself_in_nothing() -> None:
    assert run("diff", "fspr", "fspr").stdout == "fspr and fspr say the same.\n"
    assert answer("diff", "fspr", "fspr")["differences"] == []


def test_files_that_are_right_are_told(house: Path) -> None:
    done = run("check", str(house))
    assert (done.exit_code, done.stdout) == (0, f"{house}: ok: River room, 4 changes of tda-2022\n")


def test_a_fault_is_a_line_and_the_status_says_how_bad_it_is(house: Path) -> None:
    wrong, broken = house.with_name("wrong.toml"), house.with_name("broken.toml")
    wrong.write_text('parent = "tda-2022"\n[choices]\nraise_capp = 4\n')
    broken.write_text("[choices\n")
    done = run("check", str(house), str(wrong))
    assert done.exit_code == 1
    assert done.stderr == f"{wrong}:3: choices.raise_capp: there is no such choice; did you mean raise_cap?\n"
    assert "ok: River room" in done.stdout
    assert run("check", str(broken), str(wrong)).exit_code == 2
    assert run("check", str(house.with_name("none.toml"))).exit_code == 2
    told = json.loads(run("check", str(house), str(wrong), "--json").stdout)
    assert [(one["ok"], one["name"], len(one["errors"])) for one in told] == [
        (True, "house", 0),
        (False, None, 1),
    ]


def test_a_rulebook_that_there_is_not_is_one_sentence_and_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", "rulebook", "diff", "fspr", "tda"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("tablebridge: There is no rulebook 'tda'; rulebooks are tda-2024,")
