"""Undo, amendment and the floor's ruling to play on."""

from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.places import Place
from tests.engine.tables import Script, state, words

SETUP = (ev.Game("nlhe", (50, 100)), ev.Seats((1, 2, 3)), ev.Button(3), ev.Stacks(10_000))


def test_an_undo_takes_the_action_back_and_can_be_undone() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("raise", 3, 300))
    script.play(ev.Undo(7))
    assert script.table.to_act == 3 and script.table.pot == 150
    script.play(ev.Undo(8))
    assert script.table.to_act == 1 and script.table.pot == 450


def test_an_undo_says_only_what_was_not_said_before() -> None:
    script = Script(
        *SETUP, ev.Hand(), ev.Dealt(), ev.Action("call", 3), ev.Action("call", 1), ev.Action("check", 2)
    )
    script.play(ev.Burn(), ev.Street("flop", (Card("2c"), Card("7d"), Card("Jh"))))
    outcome = script.play(ev.Undo(9))
    assert words(outcome.findings) == [("premature-street", "flop", None)]
    assert outcome.findings[0].id == "11.0"


def test_an_amended_amount_changes_what_follows() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("raise", 3, 300), ev.Action("call", 1))
    script.play(ev.Amend(7, ev.Action("raise", 3, 400)))
    assert script.table.bet(1) == 400 and script.table.to_call(2) == 300


def test_the_end_of_the_last_hand_can_be_corrected_while_the_next_is_under_way() -> None:
    script = Script(
        *SETUP, ev.Hand(), ev.Dealt(), ev.Action("fold", 3), ev.Action("fold", 1), ev.End(), ev.Hand()
    )
    assert script.table.button == 1 and script.table.stack(3) + script.table.bet(3) == 10_000
    script.play(ev.Amend(7, ev.Action("raise", 3, 300)))
    # Seat 1 folded, seat 2 has not acted: the first hand is closed as incomplete, the second stands.
    assert script.table.hand_number == 2 and script.table.stack(2) + script.table.bet(2) == 10_000


def test_what_lies_too_far_back_stays_as_it_is() -> None:
    script = Script(*SETUP)
    for _ in range(3):
        script.play(ev.Hand(), ev.Dealt(), ev.Muck(script.table.to_act or 0), ev.End())
    before = state(script.table)
    outcome = script.play(ev.Undo(5))
    assert outcome.ignored.startswith("The entry to correct") and state(script.table) == before


def test_a_hand_begun_by_mistake_gives_the_old_one_back() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("raise", 3, 300), ev.Hand())
    assert words(script.findings())[-1][0] == "hand-incomplete"
    script.play(ev.Undo(8))
    assert script.table.hand_number == 1 and script.table.to_act == 1 and script.table.pot == 450


def test_the_floor_overrules_a_misdeal_and_the_hand_goes_on_with_all_that_came_after() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Deal(1, Card("??")), ev.Deal(2, Card("7c"), exposed=True))
    assert script.table.street == "void" and script.table.pot == 0
    for seat in (3, 1, 2, 3):
        script.play(ev.Deal(seat, Card("??")))
    script.play(ev.Ruling("play-on"))
    assert script.table.street == "preflop" and script.table.pot == 150 and script.table.to_act == 3
    script.play(ev.Action("raise", 3, 300))
    assert script.table.to_call(1) == 250


def test_beginning_an_untouched_hand_again_changes_nothing() -> None:
    script = Script(*SETUP, ev.Hand())
    before = state(script.table)
    script.play(ev.Hand())
    assert state(script.table) == before
    script.play(ev.Stacks(500), ev.Hand())
    assert script.table.hand_number == 1 and script.table.stack(1) == 450


def test_a_void_hand_is_dealt_again_with_its_own_stakes_and_seats() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Level((100, 200)), ev.Deal(2, Card("??")))
    assert script.table.street == "void" and script.table.next_button == 3
    script.play(ev.Hand())
    assert script.table.pot == 150 and script.table.button == 3
    script.play(ev.Dealt(), ev.Action("fold", 3), ev.Action("fold", 1), ev.End(), ev.Hand())
    assert script.table.pot == 300 and script.table.button == 1


def test_a_hand_that_cannot_begin_leaves_the_last_one_to_be_corrected() -> None:
    script = Script(
        *SETUP,
        ev.Hand(),
        ev.Dealt(),
        ev.Action("fold", 3),
        ev.Action("fold", 1),
        ev.End(),
        ev.Stacks(everyone=0),
    )
    for _ in range(4):
        script.play(ev.Hand())
    assert script.table.street == "over" and script.table.won(2) == 150
    script.play(ev.Undo(8))
    assert script.table.street == "over" and script.table.incomplete


def test_what_was_said_of_the_end_of_a_hand_is_not_of_the_next_one() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("raise", 3, 300))
    assert words(script.play(ev.Hand()).findings) == [("hand-incomplete", None, None)]
    assert script.table.open_findings == ()


def test_the_beginning_of_the_oldest_hand_kept_is_the_end_of_one_that_is_gone() -> None:
    script = Script(*SETUP)
    for _ in range(4):
        script.play(ev.Hand(), ev.Dealt(), ev.Action("raise", script.table.to_act or 0, 300))
    before = state(script.table)
    oldest = 1 + len(SETUP) + 3 * 2
    assert (
        script.play(ev.Undo(oldest)).ignored.startswith("The entry to correct")
        and state(script.table) == before
    )
    assert not script.play(ev.Undo(oldest + 3)).ignored


def test_an_entry_can_be_amended_to_the_ruling_to_play_on() -> None:
    script = Script(
        *SETUP, ev.Hand(), ev.Deal(1, Card("??")), ev.Deal(2, Card("7c"), exposed=True), ev.Clock(3)
    )
    assert script.table.street == "void"
    script.play(ev.Amend(8, ev.Ruling("play-on")))
    assert script.table.street == "preflop" and script.table.pot == 150
    script.play(ev.Undo(9))
    assert script.table.street == "void"


def test_an_event_that_was_left_out_is_inserted_before_another() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("call", 3), ev.Action("check", 2))
    assert words(script.findings())[-1][0] == "out-of-turn"
    script.play(ev.Insert(8, ev.Action("fold", 1), "did not hear it"))
    assert script.table.live == (2, 3) and script.table.open_findings == ()
    assert script.table.expectation().phase == "burn"


def test_what_was_inserted_is_changed_and_taken_back_by_its_own_number() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("call", 3), ev.Action("check", 2))
    before = state(script.table)
    script.play(ev.Insert(8, ev.Action("call", 1)), ev.Amend(9, ev.Action("raise", 1, 400)))
    assert script.table.bet(1) == 400
    script.play(ev.Insert(9, ev.Seen(Card("2c"), Place("floor"))))
    script.play(ev.Undo(9))
    assert script.table.bet(1) == 50
    script.play(ev.Undo(11))
    assert state(script.table) == before


def test_several_insertions_before_one_entry_stand_in_the_order_in_which_they_were_made() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("check", 2))
    script.play(ev.Insert(7, ev.Action("call", 3)), ev.Insert(7, ev.Action("call", 1)))
    assert script.table.open_findings == () and script.table.expectation().phase == "burn"


def test_the_beginning_of_a_hand_cannot_be_inserted() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("call", 3))
    before = state(script.table)
    assert script.play(ev.Insert(7, ev.Hand())).ignored
    assert state(script.table) == before


def test_whoever_corrects_a_correction_of_an_ended_hand_corrects_that_hand() -> None:
    script = Script(
        *SETUP,
        ev.Hand(),
        ev.Dealt(),
        ev.Action("fold", 3),
        ev.Action("fold", 1),
        ev.End(),
        ev.Insert(8, ev.Dealt()),
    )
    assert script.table.ended_after(10) and not script.table.ended_after(11)


def test_a_doubt_stands_until_it_is_settled_and_an_open_doubt_makes_the_hand_incomplete() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("fold", 3))
    script.play(ev.InDoubt(3, 2))
    assert script.table.in_doubt and words(script.findings())[-1][0] == "sensing-doubt"
    script.play(ev.InDoubt(3, over=True))
    assert not script.table.in_doubt
    script.play(ev.InDoubt(3, 2), ev.InDoubt(), ev.Action("fold", 1), ev.End())
    assert script.table.incomplete == ("What is recorded of seats 3 was in doubt and not settled.",)
    assert script.table.won(2) == 150, "the pot is paid all the same"


def test_the_doubt_of_a_fold_goes_with_the_fold() -> None:
    script = Script(*SETUP, ev.Hand(), ev.Dealt(), ev.Action("fold", 3), ev.InDoubt(3, 2))
    script.play(ev.Undo(7))
    assert not script.table.in_doubt
