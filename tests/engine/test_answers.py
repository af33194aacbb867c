"""What a table answers when it is asked, and the reasons of its findings: what no table script says."""

import pytest
from hands.suite import path_of

from tablebridge.cli.scripts import load
from tablebridge.engine.script.runner import play
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.views import public_view
from tablebridge.model import clock_events as timed
from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.disclosure import Access
from tablebridge.model.events import Entry
from tablebridge.model.instant import START, later
from tablebridge.model.sentences import sentence_of
from tests.engine.tables import Script, state

SETUP = (ev.Game("nlhe", (50, 100)), ev.Seats((1, 2)), ev.Button(2), ev.Stacks(10_000))


def checked_down(hand: ev.Hand) -> Script:
    """The two seats limp and check to the showdown."""
    script = Script(*SETUP, hand, ev.Dealt(), ev.Action("call", 2), ev.Action("check", 1))
    for street, cards in {"flop": "2c 7d Jh", "turn": "4s", "river": "9c"}.items():
        script.play(ev.Burn(), ev.Street(street, tuple(map(Card, cards.split()))))
        script.play(ev.Action("check", 1), ev.Action("check", 2))
    return script


def test_the_button_of_a_hand_under_way_is_that_of_the_hand() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Button(1))
    assert script.table.button == 2 == public_view(script.table, START).button
    script.play(ev.Action("fold", 2), ev.End(), ev.Hand())
    assert script.table.button == 1


def test_faces_of_an_earlier_hand_that_can_be_corrected_are_hidden_though_the_next_has_none() -> None:
    script = Script(*SETUP, ev.Hand())
    assert not script.table.hides
    script.play(ev.Deal(1, Card("Ah")), basis="rfid")
    assert script.table.hides
    script.play(ev.Ruling("misdeal"), ev.Hand())
    assert script.table.hides
    script.play(ev.End(), ev.Hand(), ev.End(), ev.Hand())
    assert not script.table.hides


@pytest.mark.parametrize(
    ("token", "delay_s", "said"),
    [("", None, ""), ("anna", None, "anna"), ("", 90.0, "90"), ("anna", 90.0, "anna")],
)
def test_whom_hole_cards_were_given_to_is_said_as_far_as_it_is_known(
    token: str, delay_s: float | None, said: str
) -> None:
    script = Script(*SETUP, Access("overlay", token=token, delay_s=delay_s))
    (found,) = script.findings()
    assert found.finding == "hole-card-access" and said in sentence_of(found)
    assert ("90" in sentence_of(found)) == (delay_s is not None)
    assert ("anna" in sentence_of(found)) == bool(token)


def test_a_countdown_is_found_once() -> None:
    script = Script(*SETUP, ev.House("clock", "15+5"), ev.Hand(), ev.Dealt(), ev.Clock(2))
    found = [
        [
            one.cause
            for one in script.table.apply(Entry(100 + second, later(START, second), timed.Tick())).findings
        ]
        for second in (14, 16, 17, 18)
    ]
    assert found == [[], ["countdown"], [], []]


def test_a_hand_that_ends_before_the_last_cards_says_so() -> None:
    script = Script(ev.Game("stud", (100, 200)), ev.Seats((1, 2)), ev.Stacks(100), ev.Ante(100))
    script.play(ev.Hand(), ev.Dealt(), ev.End())
    assert script.table.incomplete[0] == "Cards were still to come."


def test_who_is_dealt_in_without_a_post_has_nothing_to_do() -> None:
    lines = ("game nlhe 50/100", "seats 1-3", "button 2", "stacks 10000", "enters 4 5000 as new", "hand")
    (found,) = Script(*map(parse_line, lines)).findings()
    assert (found.finding, found.cause, found.seat, found.remedy) == ("entry", "dealt-in", 4, ())


def test_why_a_seat_has_the_odd_chip_is_said() -> None:
    played = play(load(path_of("raise-club/odd-chips/not-twice")))
    found = [one for step in played for one in step.outcome.findings if one.finding == "odd-chip"]
    assert [sentence_of(one) for one in found] == [
        "The odd chip of 25 goes to seat 3: it is the first winner left of the button.",
        "The odd chip of 25 goes to seat 4: the seat before it had one already.",
    ]


def test_payments_that_are_not_the_whole_pot_are_not_those_of_the_hand() -> None:
    script = checked_down(ev.Hand(paid=((100, {2: 100}),)))
    script.play(ev.Tabled(1, (Card("Ah"), Card("Ad"))), ev.Tabled(2, (Card("Ks"), Card("Kd"))), ev.End())
    assert (script.table.stack(1), script.table.stack(2)) == (10_100, 9_900)


def test_a_card_whose_tag_fell_silent_is_named_to_all_if_it_lies_open() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Deal(1, Card("Ah")), ev.Deal(2, Card("Ks"), exposed=True))
    silent = [
        script.play(ev.DeviceState("seat", "live", silent=Card(card))).findings[0] for card in ("Ah", "Ks")
    ]
    assert [one.public_cards for one in silent] == [(), ("Ks",)]


def test_a_copy_is_the_same_table_and_goes_its_own_way() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("call", 2))
    copy = script.table.copy()
    assert state(copy) == state(script.table) and copy.next_entry() == len(script.outcomes) + 1
    copy.apply(Entry(copy.next_entry(), START, ev.Action("check", 1)))
    assert copy.to_act is None and script.table.to_act == 1


def test_the_next_entry_has_a_number_that_none_has_yet() -> None:
    assert Script().table.next_entry() == 1


def test_nobody_is_waited_for_and_no_card_is_due_before_a_hand_and_after_its_deal() -> None:
    script = Script(*SETUP)
    waits = [public_view(script.table, START).dealing]
    for event in (ev.Hand(), ev.Deal(1, Card("??")), ev.Dealt()):
        script.play(event)
        waits.append(public_view(script.table, START).dealing)
    assert waits == [False, True, True, False]


def test_the_end_of_a_break_is_shown() -> None:
    script = Script(*SETUP, timed.LevelClock("set", 600), timed.Break(300))
    assert public_view(script.table, START).level.break_ends_wall_ns == later(START, 300).wall_ns


def test_a_hand_that_was_tabled_in_part_and_mucked_is_called_so() -> None:
    outcome = checked_down(ev.Hand()).play(ev.Tabled(1, (Card("Ah"),)), ev.Muck(1))
    assert [(one.finding, one.text) for one in outcome.findings] == [("dead-hand", "not-tabled")]


@pytest.mark.parametrize(
    ("lines", "ready"),
    [
        (("rules tda-2024", "break 300"), True),
        (("rules tda-2024", "level-clock 300"), False),
        (("rules tda-2024", "absent 1", "break 300"), False),
        (("rules tda-2022", "break 300"), False),
    ],
)
def test_a_deck_is_made_ready_at_the_end_of_a_break_where_two_players_sit(
    lines: tuple[str, ...], ready: bool
) -> None:
    script = Script(*SETUP, *map(parse_line, lines))
    assert public_view(script.table, START).level.decks_ready is ready
