"""The games as definitions, and what the cards of games against the house say at the end."""

import pytest

from tablebridge.engine.games import FORMS, Form
from tablebridge.engine.showdown.ranking import rank
from tablebridge.model import events as ev
from tablebridge.model.cards import Card, deck_of
from tests.engine.tables import Script


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_game_fits_its_deck_and_its_rankings_rank_its_hands(form: Form) -> None:
    deck = deck_of(form.deck)
    assert len(deck) >= 6 * (form.hole - (form.hole > 6)) + form.board
    known = [card for card in deck if card != "joker"]
    hole, board = known[: form.hole], known[form.hole : form.hole + form.board]
    for ranking in form.rankings:
        if ranking.startswith("pai-gow"):
            assert rank(ranking, hole[:2] if ranking.endswith("low") else hole[2:]) is not None
        else:
            rank(ranking, hole, board)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_streets_of_a_game_each_do_one_thing_and_begin_with_cards(form: Form) -> None:
    assert form.first.down and not form.first.board and not form.first.draw
    assert all(
        bool(street.down + street.up) + bool(street.board) + street.draw == 1 for street in form.streets
    )
    assert (
        form.next(form.last.name) is None
        and form.next("showdown") is None
        and form.street("over") is form.last
    )
    assert (form.forced in ("low-card", "high-card")) == (form.first.up > 0)


def _played(game: str, hands: dict[int, str], board: str = "") -> dict[int, str]:
    """What stands with each seat at the end; the house is the last."""
    script = Script(ev.Game(game, (1, 1)), ev.Seats(tuple(hands)), ev.Hand(), ev.Dealt())
    cards = tuple(map(Card, board.split()))
    if board:
        script.play(ev.Street("flop", cards[:3]), ev.Street("river", cards[3:]))
    script.play(*(ev.Tabled(seat, tuple(map(Card, hand.split()))) for seat, hand in hands.items()), ev.End())
    assert script.table.incomplete == () and not script.findings()
    assert script.table.hand is not None
    return script.table.hand.round.last


def test_a_hand_is_held_against_the_one_of_the_house() -> None:
    assert _played("three-card", {1: "Ah 2h 3h", 2: "9c 9d 2s", 3: "Jc Td 4s", 10: "Qc Ts 4h"}) == {
        1: "wins",
        2: "wins",
        3: "loses",
        10: "qualifies",
    }
    assert _played("caribbean", {1: "Ah Kd 9s 5c 2d", 10: "Kh Qd 9c 5s 3d"}) == {
        1: "wins",
        10: "does not qualify",
    }
    assert _played("uth", {1: "Ah 2d", 2: "Ac 3d", 10: "Kh Kd"}, "As Qh 9c 7d 4s") == {
        1: "wins",
        2: "wins",
        10: "qualifies",
    }


def test_in_pai_gow_two_hands_are_set_and_equal_ones_are_the_house_s() -> None:
    assert _played(
        "pai-gow", {1: "Ah Kh 9c 9d 9s 4h 2d", 2: "7h 6h Ac Ad Qs 4c 2s", 10: "As Kd 8c 8d 8s 4d 2c"}
    ) == {1: "draws", 2: "loses", 10: "qualifies"}


def test_a_hand_of_the_house_that_nobody_saw_says_nothing() -> None:
    script = Script(ev.Game("three-card", (1, 1)), ev.Seats((1, 10)), ev.Hand(), ev.Dealt(), ev.End())
    assert (
        script.table.hand is not None and script.table.hand.round.last == {} and script.table.street == "over"
    )


def test_a_game_without_a_button_leaves_it_where_it_stands() -> None:
    script = Script(
        ev.Game("nlhe", (50, 100)),
        ev.Seats((1, 2, 3)),
        ev.Button(2),
        ev.Stacks(1000),
        ev.Hand(),
        ev.Dealt(),
        ev.Action("fold", 2),
        ev.Action("fold", 3),
        ev.End(),
    )
    script.play(ev.Game("razz", (50, 100)), ev.BringIn(20), ev.Hand(), ev.Dealt())
    assert script.table.button is None and script.table.next_button is None
    script.play(ev.Dealt((Card("2c"), Card("Kd"), Card("3h"))))
    assert script.table.to_act == 2 and script.table.is_public(Card("Kd"))
    script.play(
        ev.Action("bet", 2, 20),
        ev.Action("fold", 3),
        ev.Action("fold", 1),
        ev.End(),
        ev.Game("nlhe", (50, 100)),
    )
    assert script.table.next_button == 3


def test_upcards_that_a_reader_names_late_decide_who_opens() -> None:
    script = Script(
        ev.Game("stud", (50, 100)),
        ev.BringIn(20),
        ev.Seats((1, 2, 3)),
        ev.Stacks(1000),
        ev.Hand(),
        ev.Dealt(),
    )
    script.play(ev.Dealt((Card("??"), Card("??"), Card("??"))), basis="operator")
    assert script.table.to_act == 1
    script.play(
        *(ev.Deal(seat, Card(card), up=True) for seat, card in ((1, "Kd"), (2, "5h"), (3, "Qs"))),
        basis="rfid",
    )
    assert script.table.to_act == 2 and script.table.cards_of(2) == ("??", "??", "5h")


def test_where_no_upcard_is_known_who_acts_first_opens() -> None:
    script = Script(
        ev.Game("stud", (50, 100)),
        ev.BringIn(20),
        ev.Seats((1, 2, 3)),
        ev.Stacks(1000),
        ev.Hand(),
        ev.Dealt(),
        ev.Dealt((Card("??"),) * 3),
        ev.Action("bet", 3, 20),
    )
    assert not [one for one in script.findings() if one.finding == "out-of-turn"]
    assert script.table.to_act == 1 and script.table.bet(3) == 20


def test_the_next_card_of_stud_is_expected_at_each_live_seat_after_the_burn() -> None:
    script = Script(
        ev.Game("stud", (50, 100)),
        ev.BringIn(20),
        ev.Seats((1, 2, 3)),
        ev.Stacks(1000),
        ev.Hand(),
        ev.Dealt(),
        ev.Dealt(tuple(map(Card, ("Kd", "5h", "Qs")))),
        ev.Action("bet", 2, 20),
        ev.Action("fold", 3),
        ev.Action("call", 1),
    )
    expected = script.table.expectation()
    assert (expected.phase, expected.next_seats, expected.next_street, expected.burn_due) == (
        "burn",
        (1, 2),
        "fourth",
        True,
    )
    script.play(ev.Burn())
    assert script.table.expectation().next_seats == (1, 2) and script.table.expectation().phase == "deal"
    script.play(ev.Deal(1, Card("9c")))
    assert script.table.expectation().next_seats == (2,) and script.table.is_public(Card("9c"))


def test_a_draw_is_expected_from_each_seat_and_then_its_cards() -> None:
    script = Script(
        ev.Game("draw5", (50, 100)),
        ev.Seats((1, 2)),
        ev.Button(2),
        ev.Stacks(1000),
        ev.Hand(),
        ev.Dealt(),
        ev.Action("call", 2),
        ev.Action("check", 1),
    )
    assert script.table.expectation().phase == "draw"
    script.play(ev.Draw(1, 2))
    assert (script.table.expectation().phase, script.table.expectation().next_seats) == ("deal", (1, 1))
    script.play(ev.Dealt())
    assert script.table.expectation().phase == "draw" and script.table.street == "draw1"
    script.play(ev.Draw(2, 0))
    assert script.table.to_act == 1 and script.table.expectation().holds == {1: 5, 2: 5}


@pytest.mark.parametrize(("game", "least"), [("video-poker", "one seat"), ("nlhe", "two seats")])
def test_a_hand_for_which_there_are_too_few_seats_does_not_begin(game: str, least: str) -> None:
    script = Script(ev.Game(game, (50, 100)))
    assert script.play(ev.Hand()).ignored.startswith(f"Fewer than {least} can play:")
    assert script.table.hand is None
