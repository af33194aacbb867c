"""What the broadcast shows of a hand: positions, acts of the street, pots and history."""

import pytest

from tablebridge.engine.views import overlay_view
from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.instant import START
from tablebridge.model.overlay import OverlayView
from tests.engine.tables import Script


def hand(seats: int, *events: ev.TableEvent, game: str = "nlhe") -> Script:
    before = (
        ev.Game(game, (50, 100)),
        ev.Seats(tuple(range(1, seats + 1))),
        ev.Button(seats),
        ev.Stacks(10_000),
    )
    return Script(*before, ev.Hand(), ev.Dealt(), *events)


def air(script: Script) -> OverlayView:
    return overlay_view(script.table, START)


@pytest.mark.parametrize(
    ("seats", "names"),
    [
        (2, "BTN BB"),
        (3, "BTN SB BB"),
        (4, "CO BTN SB BB"),
        (5, "UTG CO BTN SB BB"),
        (6, "UTG HJ CO BTN SB BB"),
        (7, "UTG LJ HJ CO BTN SB BB"),
        (9, "UTG UTG+1 UTG+2 LJ HJ CO BTN SB BB"),
        (10, "UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN SB BB"),
    ],
)
def test_seats_are_named_and_ordered_as_they_act(seats: int, names: str) -> None:
    shown = sorted(air(hand(seats)).seats, key=lambda seat: seat.order)
    assert " ".join(seat.position for seat in shown) == names
    assert [seat.order for seat in shown] == list(range(1, seats + 1))


def test_stud_has_an_order_and_no_positions() -> None:
    script = Script(
        ev.Game("stud", (100, 200)), ev.Seats((1, 2, 3)), ev.Stacks(10_000), ev.Hand(), ev.Dealt()
    )
    assert [(seat.order, seat.position) for seat in air(script).seats] == [(1, ""), (2, ""), (3, "")]


def test_an_act_is_of_its_street_and_a_fold_and_an_all_in_hold_on() -> None:
    script = hand(4, ev.Action("fold", 3), ev.Action("allin", 4), ev.Action("call", 1), ev.Action("call", 2))
    assert [seat.act for seat in air(script).seats] == ["allin", "allin", "fold", "allin"]
    script = hand(3, ev.Action("raise", 3, 300), ev.Action("fold", 1), ev.Action("call", 2))
    assert [seat.act for seat in air(script).seats] == ["fold", "call", "raise"]
    script.play(ev.Burn(), ev.Street("flop", (Card("Ah"), Card("Td"), Card("7c"))))
    shown = air(script)
    assert [seat.act for seat in shown.seats] == ["fold", "", ""]
    script.play(ev.Action("bet", 2, 400))
    shown = air(script)
    assert [seat.act for seat in shown.seats] == ["fold", "bet", ""]
    assert (shown.collected, shown.pot) == (650, 1_050)
    assert [[(act.seat, act.verb, act.total) for act in street.acts] for street in shown.history] == [
        [(3, "raise", 300), (1, "fold", 50), (2, "call", 300)],
        [(2, "bet", 400)],
    ]
    assert [street.street for street in shown.history] == ["preflop", "flop"]


def test_an_act_that_is_taken_back_leaves_the_history() -> None:
    script = hand(3, ev.Action("raise", 3, 300), ev.Action("fold", 1))
    script.play(ev.Undo(len(script.outcomes)))
    (street,) = air(script).history
    assert [(act.seat, act.verb) for act in street.acts] == [(3, "raise")]


def test_pots_have_those_who_can_win_them_and_then_those_who_won_them() -> None:
    script = Script(
        ev.Game("nlhe", (50, 100)), ev.Seats((1, 2, 3)), ev.Button(3), ev.Stacks(10_000, {1: 1_000})
    )
    script.play(ev.Hand())
    held = {1: ("Ah", "Ad"), 2: ("Kh", "Kd"), 3: ("Qh", "Qd")}
    for at in range(2):
        script.play(*(ev.Deal(seat, Card(cards[at])) for seat, cards in held.items()), basis="rfid")
    script.play(ev.Action("raise", 3, 2_000), ev.Action("allin", 1), ev.Action("call", 2))
    assert [(pot.amount, pot.seats) for pot in air(script).shares] == [(3_000, (1, 2, 3)), (2_000, (2, 3))]
    for street, cards in (("flop", "2c 7d Jh"), ("turn", "4s"), ("river", "9c")):
        script.play(ev.Burn(), ev.Street(street, tuple(map(Card, cards.split()))), basis="rfid")
        script.play(ev.Action("check", 2), ev.Action("check", 3))
    script.play(ev.End(), basis="button")
    over = air(script)
    assert over.street == "over"
    assert [(pot.amount, pot.seats) for pot in over.shares] == [(3_000, (1,)), (2_000, (2,))]


def test_hands_are_counted_per_player_and_a_void_one_with_its_re_deal() -> None:
    def played(script: Script) -> list[int]:
        return [seat.hands for seat in air(script).seats]

    script = hand(3, ev.Names({1: "Vera", 2: "Ivan", 3: "Maria"}))
    assert played(script) == [1, 1, 1]
    script.play(ev.Ruling("misdeal"), ev.Hand(), ev.Dealt())
    assert played(script) == [1, 1, 1], "the hand was dealt again"
    script.play(ev.Action("fold", 3), ev.Action("fold", 1), ev.Hand(), ev.Dealt())
    assert played(script) == [2, 2, 2]
    script.play(ev.Names({1: "Vera", 2: "Chen", 3: "Maria"}))
    assert played(script) == [2, 0, 2], "another player"
    script.play(ev.Action("fold", 1), ev.Action("fold", 2), ev.Seats((1, 2)), ev.Seats((1, 2, 3)), ev.Hand())
    assert played(script) == [3, 1, 1], "a seat that was free"
