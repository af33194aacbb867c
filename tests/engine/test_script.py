"""Whole scripts: times, what belongs to which line, expectations that hold and that do not, and scripts that
cannot be read.
"""

import re
from pathlib import Path

import pytest

from tablebridge.engine.script.expectations import FORMS
from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play
from tablebridge.engine.script.statements import STATEMENTS
from tablebridge.model import events as ev
from tablebridge.model.errors import ScriptError

SETUP = """rules tda-2022
game nlhe 50/100
seats 1-3
button 3
stacks 10000
hand
"""


def verdicts(lines):
    """What the engine said to each expectation, empty where it holds."""
    return [one.said for played in play(read(SETUP + lines, "t")) for one in played.verdicts]


def test_times_are_kept_and_a_second_passes_without_one():
    script = read("hand\n@12.5 fold 3\nfold 1\n@13.5 end", "t")
    assert [one.at_s for one in script.statements] == [0.0, 12.5, 13.5, 13.5]
    assert script.statements[1].event == ev.Action("fold", 3)


def test_expectations_belong_to_the_event_above():
    script = read("# head\nhand\n\n! quiet\n# between\n! to-act 3\nfold 3\n! pot 150", "t")
    assert [[one.number for one in statement.expected] for statement in script.statements] == [[4, 6], [8]]


def test_other_line_ends_and_a_byte_order_mark_do_no_harm():
    assert read("\ufeffhand\r\nfold 3\r\n", "t") == read("hand\nfold 3\n", "t")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hand\n\nfold 11", "x.table:3: expected a seat from 1 to 10"),
        ("@2 hand\n@1 fold 3", "x.table:2: expected a time of @2 or later"),
        ("@x hand", "x.table:1: expected a time in seconds such as @12.5"),
        ("@1", "x.table:1: expected a statement, found nothing"),
        ("! quiet", "x.table:1: expected a statement before the first expectation"),
        ("hand\n!", "x.table:2: expected an expectation after !"),
        ("hand\n! quite", "x.table:2: no expectation begins with 'quite'; did you mean quiet?"),
        ("hand\n! remedy cut", "x.table:2: expected an expectation of the finding above its remedy"),
        (
            "hand\n! misdeal\nfold 3\n! remedy cut",
            "x.table:4: expected an expectation of the finding above its remedy",
        ),
        (
            "hand\n! misdeal cause boxed",
            "x.table:2: expected a cause of misdeal (perhaps boxed-cards), found 'boxed'",
        ),
        ("hand\n! misdeal seat 3 seat 4", "x.table:2: expected the end of the line or one of"),
        ("hand\n! misdeal\n! remedy reshufle", "x.table:3: expected a remedy step (perhaps reshuffle)"),
        ("hand\n! ruled 3 call", "x.table:2: expected an amount"),
        ("hand\n! street fourth-street", "x.table:2: expected a street"),
        ("hand\n! quiet 3", "x.table:2: expected the end of the line"),
        ("hand\n! show-order first", "x.table:2: expected a seat from 1 to 10"),
        ("hand\nfold 3\x00", "x.table:2: expected plain text"),
    ],
)
def test_a_script_that_cannot_be_read_names_file_line_and_what_was_expected(text, told):
    with pytest.raises(ScriptError, match=re.escape(told)):
        read(text, "x.table")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("game omaha 50/100", "t:1: expected a game"),
        ("rules club-rules.toml", "t:1: no rulebook is called 'club-rules.toml'"),
    ],
)
def test_a_game_or_rulebook_there_is_not_makes_no_other_one_of_it(line, told):
    with pytest.raises(ScriptError, match=re.escape(told)):
        list(play(read(line, "t")))


HOLDING = """
dealt
! quiet
! street preflop
! to-act 3
! may 3 fold call raise
! may-not 3 check bet
! call 3 100
! min-raise 3 200
! max-raise 3 10000
! substantial-action no
! live 1 2 3
! pot 150
! face-down
raise 3 150
! underraise seat 3
! underraise rule 52-A
! ruled 3 raise 200
fold 1
! dead 1
! ruled 1 fold 50
fold 2
! returned 3 100
! to-act none
! live 3
end
! wins 3 250
! wins 2 0
! stack 3 10150
! street over
! next-button 1
"""


def test_expectations_hold_where_the_engine_says_so():
    assert set(verdicts(HOLDING)) == {""}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("dealt\n! street flop", "street preflop"),
        ("dealt\n! to-act 1", "to-act 3"),
        ("dealt\n! to-act none", "to-act 3"),
        ("dealt\n! may 3 check", "may 3 fold call raise"),
        ("dealt\n! may 3 fold check", "may 3 fold call raise"),
        ("dealt\n! may-not 3 check raise", "may 3 fold call raise"),
        ("dealt\n! call 3 50", "call 3 100"),
        ("dealt\n! min-raise 3 150", "min-raise 3 200"),
        ("dealt\n! max-raise 3 9999", "max-raise 3 10000"),
        ("dealt\n! substantial-action yes", "substantial-action no"),
        ("dealt\n! live 1 4", "live 1 2 3"),
        ("dealt\n! dead 1", "dead none"),
        ("dealt\n! pot 100", "pot 150"),
        ("dealt\n! face-up", "face-down"),
        ("end\n! next-button 2", "next-button 1"),
        ("dealt\n! board Kh", "board none"),
        ("dealt\n! misdeal", "no finding"),
        ("dealt\n! misdeal\n! remedy cut", "no finding"),
        ("raise 3 150\n! quiet", ""),
        ("raise 3 150\n! underraise seat 1", "underraise seat 3 rule 52-A"),
        ("raise 3 150\n! underraise cause none", None),
        ("raise 3 150\n! ruled 3 raise 150", "ruled 3 raise 200"),
        ("raise 3 200\n! returned 3 1", "nothing returned"),
        ("raise 3 200\nfold 1\nfold 2\n! returned 3 200", "returned 3 100"),
        ("end\n! stack 2 5", "stack 2 10000"),
        ("dealt\n! wins 2 5", "wins 2 0"),
    ],
)
def test_an_expectation_that_does_not_hold_tells_what_the_engine_said(lines, said):
    if said is None:
        with pytest.raises(ScriptError):
            verdicts(lines)
    else:
        assert verdicts(lines)[-1] == said


MISDEAL = "deal 1 Ah\ndeal 2 7c boxed\n! boxed-card seat 2 card 7c\ndeal 3 ??\ndeal 1 2d boxed\n"


@pytest.mark.parametrize(
    ("remedy", "holds"),
    [
        ("return-bets reshuffle redeal-same-button", True),
        ("return-bets redeal-same-button", True),
        ("reshuffle return-bets", False),
        ("return-bets return-bets", False),
        ("burn-one", False),
    ],
)
def test_the_steps_of_a_remedy_stand_in_their_order(remedy, holds):
    said = verdicts(MISDEAL + f"! misdeal cause boxed-cards rule 35-A(1)\n! remedy {remedy}")
    assert said[:2] == ["", ""]
    assert (said[2] == "") is holds
    assert holds or said[2].startswith("remedy return-bets")


def test_quiet_fails_at_a_warning_and_not_at_a_notice():
    said = verdicts("deal 1 Ah\ndeal 2 7c boxed\n! quiet\ndeal 3 ??\ndeal 1 2d boxed\n! quiet")
    assert said[0] == ""
    assert said[1].startswith("misdeal")


def test_the_flop_may_be_named_in_any_order_and_the_turn_may_not():
    lines = (
        "call 3\ncall 1\ncheck 2\nburn\nflop 2c 7d Jh\n! board Jh 2c 7d\n"
        "check 1\ncheck 2\ncheck 3\nburn\nturn Ks\n"
    )
    assert set(verdicts("dealt\n" + lines + "! board 7d Jh 2c Ks")) == {""}
    assert verdicts("dealt\n" + lines + "! board Ks 7d Jh 2c")[-1] == "board 2c 7d Jh Ks"


def test_show_order_with_seats_asks_for_the_order():
    lines = "dealt\nallin 3\nallin 1\nfold 2\n! show-order 1 3\n! show-order 3 1"
    assert verdicts(lines) == ["", "show-order 1 3"]
    assert verdicts("dealt\n! show-order rule 17-A") == ["no finding"]


DOCUMENT = (Path(__file__).parents[2] / "docs" / "table-script.md").read_text(encoding="utf-8")


def test_the_documented_example_holds():
    example = DOCUMENT.split("```")[1]
    said = [one.said for played in play(read(example, "docs")) for one in played.verdicts]
    assert said == [""] * 3


@pytest.mark.parametrize("word", [*STATEMENTS, *(f"! {form}" for form in FORMS), "! remedy"])
def test_every_word_is_documented(word):
    assert f"`{word}" in DOCUMENT
