"""Facts from sensing beside those from the console: told twice they count once, told late they fill in."""

from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.places import BOARD, MUCK, STUB, seat_place
from tests.engine.tables import Script, words

SETUP = (ev.Game("nlhe", (50, 100)), ev.Seats((1, 2, 3)), ev.Button(3), ev.Stacks(10_000), ev.Hand())
FLOP = ev.Street("flop", (Card("2c"), Card("7d"), Card("Jh")))


def _to_the_flop() -> Script:
    script = Script(*SETUP, ev.Dealt(), ev.Action("call", 3), ev.Action("call", 1), ev.Action("check", 2))
    script.play(ev.Burn(Card("3s")), FLOP, basis="rfid")
    return script


def test_the_same_street_from_two_sources_counts_once() -> None:
    script = _to_the_flop()
    outcome = script.play(ev.Street("flop", (Card("Jh"), Card("2c"), Card("7d"))), basis="operator")
    assert outcome.findings == () and script.table.board == ("2c", "7d", "Jh") and script.table.to_act == 1


def test_the_same_burn_from_two_sources_counts_once_and_one_source_burns_twice() -> None:
    script = _to_the_flop()
    for seat in (1, 2, 3):
        script.play(ev.Action("check", seat))
    script.play(ev.Burn(), basis="operator")
    assert script.play(ev.Burn(Card("9h")), basis="rfid").findings == ()
    assert words(script.play(ev.Burn(Card("9s")), basis="rfid").findings) == [("burn-extra", None, None)]


def test_a_board_read_card_by_card_is_completed() -> None:
    script = Script(
        *SETUP, ev.Dealt(), ev.Action("call", 3), ev.Action("call", 1), ev.Action("check", 2), ev.Burn()
    )
    short = script.play(ev.Street("flop", (Card("2c"), Card("7d"))), basis="rfid")
    assert words(short.findings) == [("flop-count", "too-few", None)]
    assert script.play(ev.Street("flop", (Card("Jh"),)), basis="rfid").findings == ()
    assert script.table.board == ("2c", "7d", "Jh")


def test_two_boards_are_read_as_one_in_as_many_parts_as_the_antenna_tells() -> None:
    cards = tuple(map(Card, ("2c", "7d", "Jh", "3c", "8d", "Qh")))
    for parts in ((6,), (3, 3), (4, 2), (3, 1, 2), (5, 1), (3, 2, 1)):
        script = Script(
            ev.Game("nlhe-2b", (50, 100)),
            *SETUP[1:],
            ev.Dealt(),
            ev.Action("call", 3),
            ev.Action("call", 1),
            ev.Action("check", 2),
        )
        assert script.table.expectation().burn_due
        script.play(ev.Burn(), basis="rfid")
        at = 0
        for part in parts:
            assert script.table.to_act is None
            expected = script.table.expectation()
            assert (expected.phase, expected.next_street, expected.burn_due) == ("street", "flop", False)
            assert set(expected.board) == set(cards[:at])
            assert script.play(ev.Street("flop", cards[at : at + part]), basis="rfid").findings == ()
            at += part
        assert (script.table.first_board, script.table.board, script.table.to_act) == (
            cards[:3],
            cards[3:],
            1,
        )
        assert script.table.expectation().next_street == "turn"


def test_a_late_scan_names_a_card_that_was_dealt_unseen() -> None:
    script = Script(*SETUP, ev.Dealt(), ev.Action("call", 3))
    assert script.play(ev.Deal(1, Card("Ah")), basis="rfid").findings == ()
    assert script.play(ev.Deal(1, Card("Kd")), basis="rfid").findings == ()
    assert script.table.cards_of(1) == ("Ah", "Kd")
    assert script.play(ev.Deal(1, Card("Ah")), basis="rfid").findings == ()
    assert script.table.cards_of(1) == ("Ah", "Kd")


def test_a_scan_names_the_card_that_the_console_dealt_before_the_deal_is_over() -> None:
    script = Script(*SETUP)
    script.play(ev.Deal(1, Card("??")), basis="operator")
    script.play(ev.Deal(1, Card("Ah")), basis="rfid")
    assert script.table.cards_of(1) == ("Ah",)
    assert script.table.expectation().next_seats == (2, 3, 1, 2, 3)


def test_a_mucked_hand_is_a_fold_and_a_folded_hand_is_mucked_without_a_word() -> None:
    script = Script(*SETUP, ev.Dealt())
    outcome = script.play(ev.Muck(3), basis="rfid")
    assert outcome.ruled[0].action == "fold" and script.table.live == (1, 2)
    assert script.play(ev.Action("fold", 3), basis="operator").findings == ()
    script.play(ev.Action("fold", 1), basis="operator")
    assert script.play(ev.Muck(1), basis="rfid").findings == ()
    script.play(ev.End())
    assert script.play(ev.Muck(2), basis="rfid").findings == () and script.table.won(2) == 150


def test_a_muck_out_of_turn_is_a_fold_out_of_turn() -> None:
    script = Script(*SETUP, ev.Dealt())
    outcome = script.play(ev.Muck(1), basis="rfid")
    assert words(outcome.findings) == [("out-of-turn", "binding", 1)] and script.table.to_act == 3


def test_a_card_that_moved_to_another_seat_lies_there_and_is_told() -> None:
    script = Script(*SETUP)
    script.play(ev.Deal(1, Card("Ah")), ev.Deal(2, Card("Kd")), basis="rfid")
    outcome = script.play(ev.Deal(3, Card("Kd")), basis="rfid")
    assert words(outcome.findings) == [("card-out-of-place", None, None)]
    assert script.table.cards_of(2) == () and script.table.cards_of(3) == ("Kd",)


def test_a_seen_card_is_told_once_and_only_where_nothing_put_it() -> None:
    script = Script(*SETUP, ev.Deal(1, Card("Ah")))
    assert script.play(ev.Seen(Card("Ah"), seat_place(1)), basis="rfid").findings == ()
    first = script.play(ev.Seen(Card("5s"), STUB), basis="rfid")
    assert words(first.findings) == [("card-out-of-place", None, None)]
    assert script.play(ev.Seen(Card("5s"), STUB), basis="rfid").findings == ()


def test_a_dead_antenna_hides_cards_and_is_no_misdeal() -> None:
    script = Script(*SETUP[:-1], ev.DeviceState("left", "lost", (seat_place(2),)), ev.Hand())
    script.play(
        ev.Deal(1, Card("Ah")),
        ev.Deal(3, Card("2d")),
        ev.Deal(1, Card("Kd")),
        ev.Deal(3, Card("3d")),
        basis="rfid",
    )
    assert script.table.street == "preflop" and script.table.live == (1, 2, 3)


def test_a_lost_device_is_an_open_finding_until_it_lives_again() -> None:
    script = Script(*SETUP)
    lost = script.play(ev.DeviceState("left", "lost", (BOARD, MUCK)))
    assert words(lost.findings) == [("device-offline", None, None)]
    assert "device-offline" in {finding.finding for finding in script.table.open_findings}
    found = script.play(ev.DeviceState("box", "live", unknown="1209:0001 Thing at 1-2"))
    assert words(found.findings) == [("device-unknown", None, None)]
    gap = script.play(ev.DeviceState("left", "live", gap=3))
    assert words(gap.findings) == [("device-degraded", "gap", None)]
    script.play(ev.Hand())
    assert script.table.open_findings == ()


def test_tags_that_should_not_be_there() -> None:
    script = Script(*SETUP)
    assert words(script.play(ev.ForeignTag(BOARD, "blue")).findings) == [
        ("fouled-deck", "foreign-card", None)
    ]
    assert words(script.play(ev.ForeignTag(BOARD)).findings) == [("card-out-of-place", None, None)]
    cloned = script.play(ev.ClonedTag(Card("Ah"), (BOARD, MUCK)))
    assert words(cloned.findings) == [("cloned-tag", None, None)]
    doubt = script.play(ev.Doubt(Card("Ah"), {BOARD: 0.6, MUCK: 0.4}))
    assert (
        doubt.findings[0].cards == ("Ah",) and doubt.findings[0].public_cards == () and script.table.in_doubt
    )
    script.play(ev.Doubt(Card("Ah"), {BOARD: 1.0}))
    assert not script.table.in_doubt


def test_the_stub_is_counted_against_what_left_the_deck() -> None:
    script = _to_the_flop()
    assert script.play(ev.Stub(52 - 6 - 1 - 3)).findings == ()
    assert words(script.play(ev.Stub(41)).findings) == [("stub-wrong", "count", None)]


def test_the_floor_lets_a_premature_street_stand() -> None:
    script = Script(*SETUP, ev.Dealt(), ev.Action("call", 3), ev.Action("call", 1), ev.Burn())
    early = script.play(FLOP, basis="rfid")
    assert words(early.findings) == [("premature-street", "flop", None)] and script.table.board == ()
    script.play(ev.Ruling("play-on"))
    assert script.table.to_act == 2
    script.play(ev.Action("check", 2))
    assert script.table.street == "flop" and script.table.board == FLOP.cards and script.table.to_act == 1


def test_sensing_is_told_which_cards_lie_on_the_board_and_a_premature_card_is_none_of_them() -> None:
    script = _to_the_flop()
    script.play(ev.Burn(), ev.Street("turn", (Card("Ks"),)))
    assert script.table.expectation().board == ("2c", "7d", "Jh")
    script.play(*(ev.Action("check", seat) for seat in (1, 2, 3)), ev.Street("turn", (Card("4s"),)))
    assert script.table.expectation().board == ("2c", "7d", "Jh", "4s")


def test_a_further_card_of_the_flop_that_is_read_late_makes_it_a_flop_of_four() -> None:
    script = _to_the_flop()
    late = ev.Street("flop", (Card("9d"),))
    assert words(script.play(late, basis="rfid").findings) == [("flop-count", "four-cards", None)]
    assert script.table.board == ("2c", "7d", "Jh", "9d")
    script = _to_the_flop()
    script.play(ev.Action("check", 1))
    assert words(script.play(late, basis="rfid").findings) == [("card-out-of-place", None, None)]


def test_a_further_card_of_the_turn_that_is_read_late_lies_beside_it() -> None:
    script = _to_the_flop()
    for seat in (1, 2, 3):
        script.play(ev.Action("check", seat))
    script.play(ev.Burn(Card("9h")), ev.Street("turn", (Card("9s"),)), basis="rfid")
    late = script.play(ev.Street("turn", (Card("9d"),)), basis="rfid")
    assert words(late.findings) == [("extra-board-card", None, None)]
    assert script.table.board == ("2c", "7d", "Jh", "9s")


def test_a_burn_that_is_read_late_is_not_one_too_many() -> None:
    script = Script(*SETUP, ev.Dealt(), ev.Action("call", 3), ev.Action("call", 1), ev.Action("check", 2))
    assert words(script.play(FLOP, basis="rfid").findings) == [("burn-missing", None, None)]
    for seat in (1, 2, 3):
        script.play(ev.Action("check", seat))
    assert script.play(ev.Burn(Card("3s")), ev.Burn(Card("9h")), basis="rfid").findings == ()
    assert words(script.play(ev.Burn(Card("9s")), basis="rfid").findings) == [("burn-extra", None, None)]


def test_a_button_of_which_an_antenna_missed_a_card_acts_and_its_hand_lives() -> None:
    script = Script(*SETUP)
    cards = ((1, "Ah"), (2, "Kh"), (3, "Qh"), (1, "Ac"), (2, "Kc"))
    script.play(*(ev.Deal(seat, Card(card)) for seat, card in cards), basis="rfid")
    outcome = script.play(ev.Action("call", 3))
    assert words(outcome.findings) == [("short-hand", None, 3)] and script.table.live == (1, 2, 3)


def test_a_device_that_is_back_hides_its_places_no_more() -> None:
    script = Script(
        *SETUP[:-1],
        ev.DeviceState("left", "lost", (seat_place(2),)),
        ev.DeviceState("left", "live"),
        ev.Hand(),
    )
    script.play(ev.Deal(1, Card("Ah")), ev.Deal(3, Card("2d")), ev.Deal(1, Card("Kd")), basis="rfid")
    outcome = script.play(ev.Deal(3, Card("3d")), basis="rfid")
    assert words(outcome.findings) == [("misdeal", "seat-skipped", 2)] and script.table.street == "void"


def test_a_card_of_the_deal_that_is_read_late_at_a_folded_seat_is_no_card_of_a_street() -> None:
    script = Script(*SETUP)
    cards = ((1, "Ah"), (2, "Kh"), (3, "Qh"), (1, "Ac"), (2, "Kc"))
    script.play(*(ev.Deal(seat, Card(card)) for seat, card in cards), basis="rfid")
    script.play(ev.Action("fold", 3))
    assert script.play(ev.Deal(3, Card("Qc")), basis="rfid").findings == ()
