"""How hands end: paid by what was tabled or read, or closed as incomplete; and where button and blinds go."""

import pytest

from tablebridge.engine.seating.positions import Positions
from tablebridge.engine.setup import Setup
from tablebridge.engine.views import overlay_view, public_view, staff_view
from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.instant import START
from tablebridge.model.views import LineView
from tests.engine.tables import Script, words

SETUP = (ev.Game("nlhe", (50, 100)), ev.Seats((1, 2)), ev.Button(2), ev.Stacks(10_000), ev.Hand())
HANDS = (ev.Deal(1, Card("Ah")), ev.Deal(2, Card("Ks")), ev.Deal(1, Card("Ad")), ev.Deal(2, Card("Kd")))
STREETS = (("flop", ("2c", "7d", "Jh")), ("turn", ("4s",)), ("river", ("9c",)))


def _checked_down(*, hands: bool = True) -> Script:
    script = Script(*SETUP)
    script.play(*(HANDS if hands else (ev.Dealt(),)), basis="rfid")
    script.play(ev.Action("call", 2), ev.Action("check", 1))
    for street, cards in STREETS:
        script.play(ev.Burn(), ev.Street(street, tuple(Card(card) for card in cards)), basis="rfid")
        script.play(ev.Action("check", 1), ev.Action("check", 2))
    return script


def test_cards_that_were_read_win_where_nobody_tabled() -> None:
    script = _checked_down()
    script.play(ev.End(), basis="button")
    assert script.table.won(1) == 200 and script.table.stack(1) == 10_100 and script.table.incomplete == ()


def test_what_was_tabled_wins_against_what_was_only_read() -> None:
    script = _checked_down()
    script.play(ev.Tabled(2, (Card("Ks"), Card("Kd"))), ev.End())
    assert script.table.won(2) == 200


def test_where_all_hands_must_lie_open_what_was_read_wins_against_what_was_tabled() -> None:
    script = Script(*SETUP[:-2], ev.Stacks(1_000), ev.Hand())
    script.play(*HANDS, basis="rfid")
    script.play(ev.Action("allin", 2), ev.Action("call", 1))
    for street, cards in STREETS:
        script.play(ev.Burn(), ev.Street(street, tuple(Card(card) for card in cards)), basis="rfid")
    script.play(ev.Tabled(2, (Card("Ks"), Card("Kd"))), ev.End(), basis="rfid")
    assert script.table.won(1) == 2_000 and script.table.won(2) == 0


def test_hands_that_nobody_knows_close_the_hand_as_incomplete() -> None:
    script = _checked_down(hands=False)
    outcome = script.play(ev.End())
    assert words(outcome.findings) == [("hand-incomplete", None, None)]
    assert script.table.stack(1) == script.table.stack(2) == 10_000
    assert "pot of 200" in " ".join(script.table.incomplete)
    script.play(ev.Hand())
    assert script.table.incomplete == () and script.table.button == 1


@pytest.mark.parametrize("last", [ev.End(), ev.Hand()])
def test_a_hand_that_is_broken_off_is_closed_and_the_next_begins(last: ev.TableEvent) -> None:
    script = Script(*SETUP, ev.Dealt(), ev.Action("raise", 2, 300))
    outcome = script.play(last)
    assert words(outcome.findings) == [("hand-incomplete", None, None)]
    if isinstance(last, ev.End):
        assert script.table.incomplete[0] == "The betting was not over: seat 1 had to act."
        script.play(ev.Hand())
    assert script.table.hand_number == 2 and script.table.to_act == 1 and script.table.pot == 150


def test_a_hand_that_can_be_paid_is_paid_when_the_next_begins() -> None:
    script = _checked_down()
    assert script.play(ev.Hand(), basis="shuffler").findings == ()
    assert script.table.stack(1) + script.table.bet(1) == 10_100


def test_the_last_tabled_winner_cannot_be_mucked() -> None:
    script = _checked_down(hands=False)
    script.play(ev.Tabled(1, (Card("Ah"), Card("Ad"))), ev.Tabled(2, (Card("Ks"), Card("Kd"))))
    assert words(script.play(ev.Muck(1)).findings) == [("winner-mucked", None, 1)]
    script.play(ev.Muck(2), ev.End())
    assert script.table.won(1) == 200


def test_the_big_blind_s_ante_is_in_the_main_pot() -> None:
    script = Script(ev.BbAnte(100), *SETUP, ev.Dealt())
    assert script.table.pot == 250 and script.table.stack(1) == 9_800 and script.table.to_call(2) == 50
    script.play(ev.Action("allin", 2), ev.Action("call", 1))
    # Seat 2 had the bigger stack: what the big blind could not match goes back.
    assert script.table.pots == (19_900,) and script.table.stack(2) == 100


def _setup(seats: tuple[int, ...], last: Positions) -> Setup:
    return Setup(seats=seats, everyone=1_000, last=last)


@pytest.mark.parametrize(
    ("seats", "last", "next_"),
    [
        pytest.param((1, 2, 3, 4), Positions(1, 2, 3), Positions(2, 3, 4), id="moves by one"),
        pytest.param((1, 3, 4), Positions(1, 2, 3), Positions(2, 3, 4), id="small blind gone: dead button"),
        pytest.param(
            (1, 2, 4), Positions(1, 2, 3), Positions(2, 3, 4), id="big blind gone: dead small blind"
        ),
        pytest.param((1, 2, 3), Positions(1, 2, 3), Positions(2, 3, 1), id="wraps"),
        pytest.param(
            (1, 3), Positions(1, 2, 3), Positions(3, 3, 1), id="down to two: nobody big blind twice"
        ),
        pytest.param((1, 2), Positions(1, 2, 3), Positions(2, 2, 1), id="down to two, the big blind gone"),
        pytest.param((1, 2), Positions(1, 1, 2), Positions(2, 2, 1), id="heads-up"),
        pytest.param(
            (1, 2, 5), Positions(1, 1, 2), Positions(1, 2, 5), id="a third comes behind the big blind"
        ),
        pytest.param((1, 2, 5), Positions(2, 2, 5), Positions(2, 5, 1), id="a third comes before the button"),
    ],
)
def test_the_way_of_the_button(seats: tuple[int, ...], last: Positions, next_: Positions) -> None:
    assert _setup(seats, last).next_positions() == next_


def test_who_has_no_chips_gets_no_hand() -> None:
    script = Script(
        ev.Game("nlhe", (50, 100)),
        ev.Seats((1, 2, 3)),
        ev.Button(3),
        ev.Stacks(by_seat={1: 500, 2: 0, 3: 500}),
    )
    script.play(ev.Hand())
    assert script.table.seats == (1, 3)


def test_views_show_faces_to_whom_they_are_open() -> None:
    script = _checked_down()
    script.play(ev.Tabled(1, (Card("Ah"), Card("Ad"))))
    lines = (LineView(1, "hand", "script", ""),)
    staff, public = staff_view(script.table, START, 7, lines), public_view(script.table, START, 7, lines)
    overlay = overlay_view(script.table, START, 7)
    assert [seat.faces for seat in staff.seats] == [seat.faces for seat in public.seats] == [("Ah", "Ad"), ()]
    assert [seat.faces for seat in overlay.seats] == [("Ah", "Ad"), ("Ks", "Kd")]
    assert (staff.lines, public.lines, overlay.lines) == (lines, (), ())
    assert script.table.is_public(Card("Ah")) and not script.table.is_public(Card("Ks"))


def test_the_dealer_is_told_what_comes_next() -> None:
    script = Script(*SETUP[:-1])

    def expects() -> str:
        return public_view(script.table, START).expects

    assert expects() == "Start the next hand"
    script.play(ev.Hand(), ev.Deal(1, Card("??")))
    assert expects() == "Deal the next card to seat 2" and script.table.expectation().phase == "deal"
    script.play(ev.Dealt())
    assert expects() == "Seat 2 to act: 50 to call" and script.table.expectation().phase == "betting"
    script.play(ev.Action("call", 2), ev.Action("check", 1))
    assert expects() == "Burn, then 3 cards" and script.table.expectation().phase == "burn"
    script.play(ev.Burn())
    assert expects() == "Deal the flop: 3 cards" and script.table.expectation().board_due == 3
    script.play(ev.Street("flop", tuple(Card(card) for card in ("2c", "7d", "Jh", "Qs"))))
    assert expects() == "Stop: the floor must rule"
    script.play(ev.Ruling("burn", card=Card("Qs")))
    assert expects() == "Seat 1 to act: nothing to call"
    script.play(ev.Action("fold", 1))
    assert expects() == "Push the pot and end the hand"
