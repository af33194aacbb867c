"""Cards that no antenna reads where they lie, known by the stub where they fell silent; and what that silence
does not show.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tablebridge.model.cards import DECK_52, UNKNOWN, Card
from tablebridge.model.events import Amend, Burn, Deal, Seen, Street
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, STUB, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.cards.unread import UnreadCards
from tablebridge.sensing.dynamics import ASSUMED

from .conftest import tag_of

HANDS = ("Ah Kd", "2c 7d", "Ts 9s")
BURNED, FLOP = "5h", "Jc 6d 3s"
OTHERS = [str(card) for card in DECK_52 if str(card) not in " ".join((*HANDS, BURNED, FLOP))][:20]


def in_the_stub(felt: Callable[..., Any], seed: int) -> Any:
    """A table whose stub is read in half of all visits, for a while."""
    table = felt(miss=0.5, seed=seed)
    table.put(" ".join((*HANDS, BURNED, FLOP, *OTHERS)), STUB)
    slowly(table, 30)
    return table


def slowly(table: Any, cycles: int) -> None:
    """Antennas are visited every 150 ms."""
    for _ in range(cycles):
        table.cycles(1)
        table.pass_time(0.08)


def lies(table: Any, card: str) -> str:
    return table.sensor._cards.place(tag_of(Card(card)))


def deal(table: Any, unread: str = "") -> None:
    for turn in range(2):
        for seat, hand in enumerate(HANDS, 1):
            card = hand.split()[turn]
            table.put(card, None if card == unread else seat_place(seat))
            slowly(table, 4)
    slowly(table, 10)


@pytest.mark.parametrize("seed", range(4))
def test_a_seat_has_the_card_that_fell_silent_in_the_stub(felt: Callable[..., Any], seed: int) -> None:
    table = in_the_stub(felt, seed)
    deal(table, unread="7d")
    slowly(table, 120)
    assert lies(table, "7d") == seat_place(2)
    named = [event.instead if isinstance(event, Amend) else event for event in table.reported]
    assert Deal(2, Card("7d")) in named
    assert [card for card in OTHERS if lies(table, card) != STUB] == []


@pytest.mark.parametrize("seed", range(4))
def test_a_burn_that_is_concluded_after_its_street_is_not_the_burn_of_the_next(
    felt: Callable[..., Any], seed: int
) -> None:
    table = in_the_stub(felt, seed)
    deal(table)
    table.put(BURNED, None)
    slowly(table, 6)
    table.put(FLOP, BOARD)
    table.cycles(20, but=(STUB,))
    slowly(table, 120)
    assert lies(table, BURNED) == BURN
    assert any(isinstance(event, Street) for event in table.reported)
    assert not any(isinstance(event, Burn | Seen) for event in table.reported)


def test_a_burn_that_is_known_before_its_street_is_reported_before_it(felt: Callable[..., Any]) -> None:
    table = in_the_stub(felt, 0)
    deal(table)
    table.put(BURNED, None)
    slowly(table, 25)
    table.put(FLOP, BOARD)
    slowly(table, 50)
    assert [type(event) for event in table.reported[-2:]] == [Burn, Street]


@pytest.mark.parametrize("seed", range(4))
def test_a_street_without_a_burn_leaves_the_stub_as_it_is(felt: Callable[..., Any], seed: int) -> None:
    table = in_the_stub(felt, seed)
    deal(table)
    table.put(FLOP, BOARD)
    slowly(table, 200)
    assert [card for card in (BURNED, *OTHERS) if lies(table, card) != STUB] == []


@pytest.mark.parametrize("seed", range(4))
def test_many_cards_that_fall_silent_with_it_tell_nothing(felt: Callable[..., Any], seed: int) -> None:
    """The stub was moved when the burn left it: of most of its cards nothing is read any more."""
    table = in_the_stub(felt, seed)
    deal(table)
    table.put(" ".join((BURNED, *OTHERS[:15])), None)
    slowly(table, 15)
    table.put(FLOP, BOARD)
    slowly(table, 200)
    assert [card for card in (BURNED, *OTHERS) if lies(table, card) != STUB] == []


def test_what_fell_silent_before_belongs_to_no_later_burn(felt: Callable[..., Any]) -> None:
    table = in_the_stub(felt, 1)
    deal(table)
    table.put(OTHERS[0], None)
    slowly(table, 200)
    table.put(FLOP, BOARD)
    slowly(table, 200)
    assert lies(table, OTHERS[0]) == STUB


def test_one_card_that_fell_silent_is_not_taken_for_either_of_two_that_are_missed(
    felt: Callable[..., Any],
) -> None:
    """Seats 2 and 3 both lack their second card, and only one of the two was ever read in the stub."""
    for seed in range(4):
        table = felt(miss=0.5, seed=seed)
        table.put(" ".join((*HANDS, BURNED, FLOP, *OTHERS)), STUB)
        table.put("9s", None)
        slowly(table, 30)
        for turn in range(2):
            for seat, hand in enumerate(HANDS, 1):
                card = hand.split()[turn]
                table.put(card, None if card in ("7d", "9s") else seat_place(seat))
                slowly(table, 4)
        slowly(table, 160)
        assert lies(table, "7d") == STUB, seed


@pytest.mark.parametrize("seed", range(4))
def test_where_the_burn_was_entered_by_hand_none_is_missed(felt: Callable[..., Any], seed: int) -> None:
    table = in_the_stub(felt, seed)
    deal(table)
    table.tracker.enter(Burn(UNKNOWN), "operator", Instant(0, table.now))
    table.put(BURNED, None)
    slowly(table, 6)
    table.put(FLOP, BOARD)
    slowly(table, 120)
    assert lies(table, BURNED) == STUB
    assert [event for event in table.reported if isinstance(event, Burn)] == []


@pytest.mark.parametrize("seed", range(3))
def test_when_cards_come_back_into_the_stub_what_was_read_of_it_before_shows_nothing(
    felt: Callable[..., Any], seed: int
) -> None:
    """Of the cards that are squared up with it others lie at the top now: one that fell silent then is not
    the next burn.
    """
    table = in_the_stub(felt, seed)
    deal(table)
    table.put(BURNED, BURN)
    slowly(table, 8)
    table.put(FLOP, BOARD)
    slowly(table, 40)
    table.put("3s", STUB)
    table.put(OTHERS[0], None)
    for _ in range(60):
        if lies(table, "3s") == STUB:
            break
        slowly(table, 1)
    assert lies(table, "3s") == STUB
    slowly(table, 5)
    table.put("Qd", BOARD)
    slowly(table, 150)
    assert lies(table, OTHERS[0]) == STUB
    assert [event for event in table.reported if isinstance(event, Burn)] == [Burn(Card(BURNED))]


def test_when_cards_come_back_into_the_stub_nothing_is_missed_any_more() -> None:
    """A burn that was missed may be among them."""
    known = rates(1.0)
    unread = UnreadCards(TableModel(known, ASSUMED, CrossReads(ASSUMED.cross, known)))
    due = Expectation("burn", (), (1, 2), "preflop", "flop", 3, {1: 2, 2: 2}, True)
    unread.count_report(AntennaReport(STUB, ("A", "B"), at_ns=1), 1)
    unread.card_left("C", BOARD, 10, due)
    assert unread.find_gaps(20, due, {1: 2, 2: 2})
    unread.forget()
    assert not unread.find_gaps(30, due, {1: 2, 2: 2})
