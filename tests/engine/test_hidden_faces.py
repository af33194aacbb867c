"""What a person types is never answered with what only antennas know, until it is public or due."""

import pytest

from benchmarks.faces import Made, checked
from tablebridge.engine.views import overlay_view, staff_view
from tablebridge.model import events as ev
from tablebridge.model.cards import DECK_52, UNKNOWN, Card
from tablebridge.model.instant import START
from tablebridge.model.places import BURN, FLOOR, MUCK, seat_place
from tablebridge.model.sentences import sentence_of
from tests.engine.tables import Script, words

SETUP = (ev.Game("nlhe", (50, 100)), ev.Seats((1, 2)), ev.Button(2), ev.Stacks(10_000), ev.Hand())
HELD = {1: (Card("Ah"), Card("Ad")), 2: (Card("Ks"), Card("Kd"))}
DEAL = tuple(ev.Deal(seat, HELD[seat][lap]) for lap in range(2) for seat in (1, 2))
STREETS = (
    ev.Street("flop", (Card("2c"), Card("7d"), Card("Jh"))),
    ev.Street("turn", (Card("4s"),)),
    ev.Street("river", (Card("9c"),)),
)
CHECKS = (ev.Action("check", 1), ev.Action("check", 2))
HANDS, EXCHANGES = 100, 200
"""About two minutes of one core; `python -m benchmarks faces` compares more hands."""


def dealt() -> Script:
    """Two seats whose cards only antennas know."""
    script = Script(*SETUP)
    script.play(*DEAL, basis="rfid")
    return script


def at_the_showdown(typed: bool = False) -> Script:
    """Checked down; antennas read the board, or a person typed it."""
    script = dealt()
    script.play(ev.Action("call", 2), ev.Action("check", 1), basis="operator")
    for street in STREETS:
        script.play(ev.Burn(), street, basis="operator" if typed else "rfid")
        script.play(*CHECKS, basis="operator")
    return script


def shown(script: Script) -> dict[int, tuple[Card, ...]]:
    """The faces that staff see at each seat."""
    return {seat.seat: seat.faces for seat in staff_view(script.table, START).seats}


@pytest.mark.parametrize("part", range(10))
def test_nothing_that_staff_and_public_get_depends_on_a_hidden_face(part: int) -> None:
    size = HANDS // 10
    assert checked(range(part * size, (part + 1) * size), EXCHANGES) == size * EXCHANGES


def test_the_hands_that_are_compared_have_what_could_tell() -> None:
    made = [Made(seed) for seed in range(HANDS)]
    of_hands = [[(type(entry.event), entry.basis) for entry in one.entries] for one in made]
    for kind in (ev.Undo, ev.Seen, ev.Tabled, ev.Expose, ev.Burn, ev.Street, ev.Ruling, ev.Deal, ev.End):
        assert sum((kind, "operator") in one for one in of_hands) >= 10, kind
    for kind in (ev.Deal, ev.Street, ev.Burn, ev.Seen, ev.Muck, ev.Amend, ev.Undo):
        assert sum((kind, "rfid") in one for one in of_hands) >= 10, kind
    assert sum(bool(one.opened) for one in made) >= 50
    lie_down = (ev.Burn, ev.Muck)
    for one in made:
        open_ones = {
            card
            for entry in one.entries
            if not isinstance(entry.event, lie_down)
            for card in _cards(entry.event)
        }
        assert set(one.opened) <= open_ones


def _cards(event: ev.TableEvent) -> tuple[Card, ...]:
    if isinstance(event, ev.Amend):
        return _cards(event.instead)
    return (*getattr(event, "cards", ()), *filter(None, (getattr(event, "card", None),)))


@pytest.mark.parametrize(
    "event",
    [
        lambda card: ev.Seen(card, FLOOR),
        lambda card: ev.Tabled(1, (card, UNKNOWN)),
        lambda card: ev.Expose(1, card),
        lambda card: ev.Deal(1, card),
        lambda card: ev.Deal(1, card, exposed=True),
        lambda card: ev.Burn(card),
        lambda card: ev.Boxed(card),
        lambda card: ev.Cut(card),
        lambda card: ev.BoardExposed(card),
        lambda card: ev.Street("flop", (card, UNKNOWN, UNKNOWN)),
        lambda card: ev.Seen(card, seat_place(1)),
    ],
)
def test_a_right_face_a_wrong_one_and_one_in_the_stub_are_answered_alike(event) -> None:
    def answer(card: str) -> tuple[object, ...]:
        script = dealt()
        outcome = script.play(event(Card(card)), basis="operator")
        faces = tuple(len(cards) for cards in shown(script).values())
        return (
            [sentence_of(one) for one in outcome.findings],
            words(outcome.findings),
            outcome.ruled,
            outcome.ignored,
            faces,
        )

    assert answer("Ah") == answer("Ks") == answer("5c")


def test_a_typed_face_opens_no_other_card_and_the_overlay_has_what_was_read() -> None:
    script = dealt()
    script.play(ev.Tabled(1, (Card("Kd"), UNKNOWN)), basis="operator")
    assert shown(script) == {1: ("Kd",), 2: ()}, "as it was typed, and nothing of the seat that has it"
    overlay = {seat.seat: set(seat.faces) for seat in overlay_view(script.table, START).seats}
    assert overlay == {1: {"Ah", "Ad"}, 2: {"Ks", "Kd"}}
    assert script.table.cards_of(1) == ("Ah", "Ad") and script.table.open_of(1) == ("Kd",)


def test_a_card_read_on_the_board_is_told_where_it_lay_and_its_wrong_name_is_taken_off() -> None:
    script = dealt()
    script.play(
        ev.Tabled(1, (Card("Kd"), UNKNOWN)), ev.Action("call", 2), ev.Action("check", 1), basis="operator"
    )
    outcome = script.play(ev.Burn(), ev.Street("flop", (Card("Kd"), Card("7d"), Card("Jh"))), basis="rfid")
    assert [sentence_of(one) for one in outcome.findings] == ["A card that lay at seat 2 is now at board."]
    assert outcome.findings[0].public_cards == ("Kd",)
    assert shown(script) == {1: (), 2: ("Kd",)}


def test_two_faces_typed_in_the_other_order_are_put_right_when_one_is_read_in_the_open() -> None:
    script = dealt()
    script.play(ev.Tabled(1, (Card("Ad"), Card("Ah"))), basis="operator")
    script.play(ev.Seen(Card("Ad"), MUCK), ev.Seen(Card("Ad"), ev.Place("board")), basis="rfid")
    assert set(script.table.open_of(1)) == {"Ad", "Ah"} and set(script.table.cards_of(1)) == {"Ad", "Ah"}


def test_what_was_typed_first_and_is_read_then_counts_once_whatever_the_face() -> None:
    for typed in ("Ah", "5c"):
        script = Script(*SETUP)
        script.play(ev.Deal(1, Card(typed)), basis="operator")
        script.play(*DEAL, basis="rfid")
        assert script.findings() == [] and len(script.table.cards_of(1)) == 2
        assert set(script.table.cards_of(1)) == set(HELD[1])
        script.play(ev.Burn(Card("3c")), basis="operator")
        assert script.play(ev.Burn(Card("8c")), basis="rfid").findings == ()


def test_a_burn_that_was_read_and_is_typed_then_counts_once_whatever_the_face() -> None:
    for typed in ("8c", "Ah"):
        script = dealt()
        script.play(ev.Action("call", 2), ev.Action("check", 1), basis="operator")
        script.play(ev.Burn(Card("8c")), basis="rfid")
        assert script.play(ev.Burn(Card(typed)), basis="operator").findings == ()


@pytest.mark.parametrize("typed", ["Kd", "5c"])
def test_an_upcard_of_stud_lies_open_by_what_was_read_whatever_was_typed_for_it(typed: str) -> None:
    script = Script(ev.Game("stud", (50, 100)), ev.BringIn(20), *SETUP[1:])
    script.play(*DEAL[:3], basis="rfid")
    script.play(ev.Tabled(2, (Card(typed),)), basis="operator")
    script.play(ev.Deal(2, Card("9c")), ev.Deal(1, Card("Kd")), ev.Deal(2, Card("Qh")), basis="rfid")
    assert "Kd" in script.table.hand.veil.opened and script.table.is_public(Card("Kd"))  # type: ignore[union-attr]


def test_a_face_that_went_back_into_the_stub_is_hidden_where_it_comes_again() -> None:
    script = dealt()
    script.play(ev.Street("flop", (Card("2c"), Card("7d"), Card("Jh"))), basis="rfid")
    script.play(ev.Action("call", 2), ev.Action("check", 1), basis="operator")
    script.play(ev.Burn(Card("Jh")), basis="rfid")
    told = script.play(ev.Seen(Card("Jh"), FLOOR), basis="operator")
    assert [sentence_of(one) for one in told.findings] == ["A card is at floor where no event put it."]


def test_hidden_cards_win_where_streets_were_read_and_a_key_ended_the_hand() -> None:
    script = at_the_showdown()
    script.play(ev.End(), basis="button")
    assert script.table.won(1) == 200 and script.table.incomplete == ()


@pytest.mark.parametrize(
    ("typed", "basis"), [(False, "operator"), (True, "operator"), (True, "button"), (True, "rfid")]
)
def test_hidden_cards_win_nothing_where_a_person_typed_the_way_to_the_end(
    typed: bool, basis: ev.Basis
) -> None:
    script = at_the_showdown(typed)
    outcome = script.play(ev.End(), basis=basis)
    assert words(outcome.findings) == [("hand-incomplete", None, None)]
    assert "table them, or end the hand with the key" in sentence_of(outcome.findings[0])
    assert script.table.won(1) == script.table.won(2) == 0 and script.table.stack(1) == 10_000


def test_a_street_that_was_typed_and_then_read_is_read() -> None:
    script = at_the_showdown(typed=True)
    script.play(*STREETS, basis="rfid")
    script.play(ev.End(), basis="button")
    assert script.table.won(1) == 200


def test_hands_that_were_tabled_win_by_what_was_typed_whoever_ends_the_hand() -> None:
    script = at_the_showdown(typed=True)
    script.play(ev.Tabled(1, HELD[1]), ev.Tabled(2, HELD[2]), ev.End(), basis="operator")
    assert script.table.won(1) == 200 and {one.finding for one in script.findings()} <= {"show-order"}


def test_against_the_house_too_a_typed_end_says_nothing_of_hidden_hands() -> None:
    script = Script(ev.Game("three-card", (50, 100)), ev.Seats((1, 2)), ev.Hand())
    cards = iter(DECK_52)
    script.play(*(ev.Deal(seat, next(cards)) for _ in range(3) for seat in (1, 2)), basis="rfid")
    script.play(ev.End(), basis="operator")
    assert not script.table.hand.round.last  # type: ignore[union-attr]
    script.play(ev.Undo(len(script.outcomes)), basis="operator")
    script.play(ev.End(), basis="button")
    assert set(script.table.hand.round.last) == {1, 2}  # type: ignore[union-attr]


def test_a_contradiction_is_said_when_the_hand_is_over_and_undo_does_not_take_it_back() -> None:
    script = dealt()
    script.play(ev.Seen(Card("Ks"), FLOOR), ev.Undo(len(script.outcomes) + 1), basis="operator")
    script.play(ev.Action("fold", 2), basis="operator")
    assert script.findings() == [] or {one.finding for one in script.findings()} == {"card-out-of-place"}
    (told,) = script.play(ev.End(), basis="operator").findings
    assert (told.finding, told.severity, told.cards, told.public_cards) == (
        "typed-face-contradicted",
        "warning",
        ("Ks",),
        (),
    )
    script.play(ev.Undo(len(script.outcomes)), basis="operator")
    assert told in script.table.open_findings and not script.table.hand.over  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("event", "contradicted"),
    [
        (ev.Tabled(1, HELD[1]), False),
        (ev.Tabled(1, HELD[1][::-1]), False),
        (ev.Tabled(1, (Card("Ah"), Card("5c"))), True),
        (ev.Expose(1, Card("Ks")), True),
        (ev.Seen(Card("5c"), FLOOR), False),
        (ev.Burn(Card("Kd")), True),
    ],
)
def test_only_what_was_read_otherwise_is_contradicted(event: ev.TableEvent, contradicted: bool) -> None:
    script = dealt()
    script.play(event, ev.Action("fold", 2), ev.Action("fold", 1), basis="operator")
    found = {one.finding for one in script.play(ev.End(), basis="button").findings}
    assert ("typed-face-contradicted" in found) is contradicted


def test_a_void_hand_says_nothing_yet_for_it_can_be_taken_back() -> None:
    script = dealt()
    script.play(ev.Seen(Card("Ks"), FLOOR), basis="operator")
    void = script.play(ev.Ruling("misdeal"), basis="operator")
    assert script.table.street == "void" and {one.finding for one in void.findings} == {"misdeal"}
    script.play(ev.Hand(), ev.Dealt(), ev.Action("fold", 2), basis="operator")
    assert "typed-face-contradicted" in {
        one.finding for one in script.play(ev.End(), basis="operator").findings
    }


@pytest.mark.parametrize("card", ["Ks", "5c"])
def test_the_third_line_about_hidden_cards_that_is_taken_back_is_critical_at_once(card: str) -> None:
    script, told = dealt(), []
    for _ in range(24):
        script.play(ev.Seen(Card(card), FLOOR), basis="operator")
        outcome = script.play(ev.Undo(len(script.outcomes)), basis="operator")
        told.append([one for one in outcome.findings if one.finding == "faces-probed"])
    assert [at for at, found in enumerate(told, 1) if found] == [3, 6, 12, 24], "at each doubling"
    assert told[2][0].severity == "critical" and told[2][0] in script.table.open_findings
    assert script.table.copy().open_findings == script.table.open_findings


def test_lines_that_name_nothing_hidden_may_be_taken_back_as_often_as_one_likes() -> None:
    script = dealt()
    for _ in range(6):
        script.play(ev.Action("call", 2), ev.Undo(len(script.outcomes) + 1), basis="operator")
    typed = Script(*SETUP, ev.Dealt())
    for _ in range(6):
        typed.play(ev.Seen(Card("Ks"), FLOOR), ev.Undo(len(typed.outcomes) + 1), basis="operator")
    assert not {one.finding for one in (*script.findings(), *typed.findings())} & {"faces-probed"}


def test_an_amendment_by_a_person_is_what_a_person_said() -> None:
    def answer(face: str) -> list[tuple[str, str | None, int | None]]:
        script = dealt()
        script.play(ev.Amend(6, ev.Deal(1, Card(face))), basis="operator")
        return words(script.findings())

    assert answer("Ks") == answer("5c")


def test_the_record_of_a_finding_has_the_faces_that_people_do_not_get() -> None:
    script = dealt()
    outcome = script.play(ev.Seen(Card("Ks"), BURN), basis="rfid")
    assert [(one.cards, one.public_cards) for one in outcome.findings] == [(("Ks",), ())]
