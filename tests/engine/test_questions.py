"""What the floor is asked, and that every choice it is offered ends the waiting."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hands.suite import HOUSES, hands, path_of

from tablebridge.engine.expect import sentence
from tablebridge.engine.floor.questions import questions
from tablebridge.engine.script.reader import read
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import Alerts
from tablebridge.model.cards import DECK_52
from tablebridge.model.events import Entry, Undo
from tablebridge.model.instant import START
from tablebridge.model.views import Question

SCRIPTS = [path_of(script) for script in hands() if not script.startswith(HOUSES)]
FOUR_CARD_FLOP = """\
game nlhe 50/100
seats 1-3
button 3
stacks 10000
hand
dealt
call 3
call 1
check 2
burn
flop Ah Kd 2c 9s
"""


def table_of(*lines: str) -> Table:
    table = Table("1")
    for number, line in enumerate(lines, 1):
        table.apply(Entry(number, START, parse_line(line)))
    return table


def stops(path: Path) -> Iterator[tuple[Table, str]]:
    """The table after each statement of a script; the same table each time."""
    table = Table("1")
    for number, statement in enumerate(read(path.read_text(), path.name).statements, 1):
        table.apply(Entry(number, START, statement.event))
        yield table, f"{path.name}:{statement.number}"


@pytest.mark.parametrize("eighth", range(8))
def test_whenever_the_floor_must_rule_there_is_an_alert_and_every_choice_ends_the_waiting(
    eighth: int,
) -> None:
    asked = 0
    for path in SCRIPTS[eighth::8]:
        alerts, told = Alerts(), 0
        for table, where in stops(path):
            for finding in table.open_findings:
                alerts.raise_(finding, START)
            if sentence(table.hand) == "Stop: the floor must rule":
                assert (
                    {alert.id for alert in alerts.active()}
                    >= {finding.id for finding in table.asked}
                    != set()
                ), where
            if not table.asked or told == table.asked:
                continue
            told = table.asked
            for question in questions(table):
                asked += 1
                assert question.choices, where
                for choice in question.choices:
                    after = table.copy()
                    after.apply(Entry(10_000, START, parse_line(choice.line)))
                    assert not after.asked, f"{where}: {choice.line}"
                    assert sentence(after.hand) != "Stop: the floor must rule", f"{where}: {choice.line}"
                    assert choice.words and choice.consequence, where
    assert asked > 5


def lines_of(question: Question) -> list[str]:
    return [choice.line for choice in question.choices]


def test_a_four_card_flop_offers_each_of_its_cards_as_the_burn_with_what_follows() -> None:
    table = table_of(*FOUR_CARD_FLOP.splitlines())
    (question,) = questions(table)
    assert lines_of(question) == [
        "ruling burn Ah",
        "ruling burn Kd",
        "ruling burn 2c",
        "ruling burn 9s",
        "ruling play-on",
        "ruling misdeal",
    ]
    assert question.choices[1].words == "The king of diamonds is the burn"
    assert question.choices[1].consequence == "seat 1 to act: nothing to call"
    assert (
        question.choices[-1].consequence
        == "pot 300 → 0; all bets are back; deal the hand again from the same button"
    )
    assert questions(table_of(*FOUR_CARD_FLOP.splitlines(), "ruling burn Kd")) == ()


def test_what_somebody_only_notices_does_not_end_the_waiting() -> None:
    table = table_of(*FOUR_CARD_FLOP.splitlines(), "seen 7d floor", "ruling burn 3d")
    assert questions(table), "neither a card on the floor nor a ruling about a card that is not there"
    assert questions(table_of(*FOUR_CARD_FLOP.splitlines(), "check 1")) == (), "the table has gone on"


def test_a_misdeal_stands_or_is_overruled_and_is_asked_once() -> None:
    setup = ("game nlhe 50/100", "seats 1-3", "button 3", "stacks 10000", "hand", "deal 3 ??")
    table = table_of(*setup)
    (question,) = questions(table)
    assert lines_of(question) == ["ruling misdeal", "ruling play-on"]
    assert question.choices[1].consequence.startswith("pot 0 → 150; ")
    assert (
        table_of(*setup, "ruling misdeal").street == "void"
        and questions(table_of(*setup, "ruling misdeal")) == ()
    )
    assert table_of(*setup, "ruling play-on").street == "preflop"


def test_an_undercall_offers_the_full_call_and_the_fold() -> None:
    path = path_of("tda-2022/betting/undercalls/ruled-fold")
    offered = [lines_of(question) for table, _ in stops(path) for question in questions(table)]
    assert any(
        {f"ruling call {seat}", f"ruling fold {seat}"} <= set(lines)
        for lines in offered
        for seat in range(1, 11)
    )


HEADS_UP = (
    "game nlhe 500/1000",
    "seats 1-2",
    "button 2",
    "stacks 100000",
    "hand",
    "dealt",
    "call 2",
    "check 1",
)


def test_words_that_contradict_the_chips_offer_both_amounts_with_what_follows_as_data() -> None:
    table = table_of(
        *HEADS_UP, "burn", "flop 2c 7d Jh", 'say 1 "42000"', "chips-in 1 5000", "chips-in 2 5000"
    )
    (question,) = questions(table)
    assert lines_of(question)[:2] == ["ruling bet 1 5000", "ruling bet 1 42000"]
    chips, said = question.choices[:2]
    assert (chips.pot, chips.stacks, chips.to_act) == (12_000, {1: 94_000, 2: 94_000}, None)
    assert (said.pot, said.stacks, said.to_act) == (44_000, {1: 57_000}, 2)
    dead = next(choice for choice in question.choices if choice.line == "ruling dead 1")
    assert dead.out == (1,)


def test_a_token_is_a_call_or_all_in_and_chips_behind_are_a_part_or_not() -> None:
    (question,) = questions(table_of(*HEADS_UP[:6], "token 2 bounty"))
    assert lines_of(question)[:2] == ["ruling call 2", "ruling raise 2 100000"]
    (question,) = questions(table_of(*HEADS_UP[:6], "allin 2", "call 1", "behind 1 500"))
    assert lines_of(question)[:2] == ["ruling bet 1 100000", "ruling bet 1 100500"]


def test_the_outcome_names_what_the_floor_is_asked_and_a_ruling_can_be_taken_back() -> None:
    table = table_of(*HEADS_UP[:6])
    asked = table.apply(Entry(50, START, parse_line("token 2 bounty"))).asked
    assert asked == tuple(question.finding for question in questions(table)) != ()
    assert table.apply(Entry(51, START, parse_line("ruling raise 2 100000"))).asked == ()
    table.apply(Entry(52, START, Undo(51)))
    assert (lines_of(questions(table)[0])[0], table.to_act) == ("ruling call 2", 2)


def test_no_choice_names_a_hidden_face() -> None:
    """Each card that a choice names lies open, whatever was dealt."""
    named = 0
    for path in SCRIPTS[::5]:
        for table, where in stops(path):
            if table.asked and table.street != "void":
                for choice in (choice for question in questions(table) for choice in question.choices):
                    cards = [card for card in DECK_52 if f" {card}" in choice.line]
                    named += len(cards)
                    assert all(table.is_public(card) for card in cards), where
    assert named
