"""Lines in the wrong state, and rooms that contradict themselves: one sentence each, and nothing changes."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tablebridge.cli import cli
from tablebridge.model.events import Game
from tablebridge.model.house_events import PayTable
from tests.engine.tables import Script

HAND = """rules tda-2022
game nlhe 50/100
seats 1-4
button 4
stacks 5000
hand
dealt
"""
ROOM = """room nlhe 9
rules tda-2022
table A seats 1-6
table B seats 1-6
"""


def said(tmp_path: Path, script: str) -> str:
    path = tmp_path / "x.table"
    path.write_text(script, encoding="utf-8")
    result = CliRunner().invoke(cli, ["replay", str(path)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("call 7", "Seat 7 is not in the hand."),
        ("table 9 Ah Ad", "Seat 9 has no live hand."),
        ("expose 9 Ah", "Seat 9 has no live hand."),
        ("mixed 9", "Seat 9 has no live hand."),
        ("ask 1 2", "A hand is asked for at the showdown"),
        ("ask-pot 9", "Seat 9 is not in the hand."),
        ("pick-up 1", "Seat 1 has no open cards to pick up."),
        ("draw 1 2", "No draw is under way for this seat."),
        ("run-times 3", "One board is run again, when the betting is over"),
        ("race 25 100", "Chips are counted and changed between hands."),
        ("box 1 ante 10", "has no boxes"),
        ("ruling call 4", "Seat 4 is not to act"),
        ("ruling burn 9s", "The floor's burn card is not on the board."),
        ("penalty-over 2", "Seat 2 serves no penalty."),
        ("level 25/50", "The level 25/50 is below 50/100, which holds"),
    ],
)
def test_a_line_in_the_wrong_state_is_refused_with_a_sentence(
    tmp_path: Path, line: str, sentence: str
) -> None:
    told = said(tmp_path, f"{HAND}{line}\n! pot 150\n! to-act 3\n! live 1 2 3 4\n")
    assert f"ignored: {sentence}" in told or ("ignored: " in told and sentence in told)
    assert "does not hold" not in told


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ('sits A 7 5000 "Ann"\nsits B 7 5000 "Ann"', "Ann sits in seat 7 of table A already"),
        ("moves A 1 to B 2", "Seat 2 of table B is not empty."),
        ("moves A 9 to B 8", "Nobody sits in seat 9 of table A."),
        ("sits A 10 100", "there is no seat 10"),
        ("positions A 1 2 2", "The small and the big blind stand at two seats."),
        ("level 3\nlevel 2", "a level does not go back to 2"),
        ("busts C 1", "There is no table C; the tables are A, B."),
        ("table A seats 1-4", "Table A is there already."),
    ],
)
def test_a_room_that_contradicts_itself_is_refused_with_a_sentence(
    tmp_path: Path, lines: str, sentence: str
) -> None:
    assert sentence in said(tmp_path, f"{ROOM}{lines}\n").split("ignored: ", 1)[1]


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        ("flus=4", "perhaps flush"),
        ("flush=", "such as flush=3:2"),
        ("flush", "perhaps flush"),
        ("flush=4:0", "a number to divide by above 0"),
        ("flush=4 flush=5", "each hand once"),
    ],
)
def test_a_pay_table_with_a_hole_is_refused_with_its_line_and_the_nearest_word(
    tmp_path: Path, row: str, hint: str
) -> None:
    path = tmp_path / "x.table"
    path.write_text(f"game three-card 10/500\npaytable pair-plus {row}\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["replay", str(path)])
    assert "x.table:2: " in str(result.exception) and hint in str(result.exception)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (PayTable("pair-plus", {"pair": (1, 1), "flsh": (4, 1)}), "flsh=4:1; perhaps flush"),
        (PayTable("pair-plus", {"pair": (1, 1), "flush": (4, 0)}), "cannot be paid: flush=4:0."),
        (PayTable("trips", {"three": (3, 1)}), "No table pays the box trips of three card poker"),
    ],
)
def test_nothing_is_taken_of_a_pay_table_of_which_one_row_cannot_be_paid(
    event: PayTable, sentence: str
) -> None:
    script = Script(Game("three-card", (10, 500)))
    assert sentence in script.play(event).ignored
    assert script.table.setup.pay_tables == {}
