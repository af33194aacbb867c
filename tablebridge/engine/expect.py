"""What the engine expects next: for sensing as a prior, for the dealer as a sentence."""

from itertools import chain
from typing import Literal

from tablebridge.engine.cards import board_streets, dealing, draws, exposed_cards, seat_streets
from tablebridge.engine.floor import asking
from tablebridge.engine.games import Street
from tablebridge.engine.hand import Hand
from tablebridge.engine.setup import Setup
from tablebridge.model.expectation import NOTHING, Expectation
from tablebridge.model.views import Stage

Phase = Literal["idle", "deal", "betting", "burn", "street", "draw", "showdown"]


def expectation(hand: Hand | None) -> Expectation:
    """What is expected to happen next at the table."""
    if hand is None or hand.over:
        return NOTHING
    coming = board_streets.following(hand) if len(hand.live) > 1 else None
    burn_due = (
        coming is not None
        and coming.burn
        and not hand.burns.burned
        and hand.deal.street_dealt
        and coming.name != hand.street
    )
    dealt_now = dealing.due(hand)
    due = dealt_now or _next_cards(hand, coming)
    return Expectation(
        phase=_phase(hand, due, coming, burn_first=burn_due and not dealt_now),
        next_seats=due,
        live=tuple(sorted(hand.live)),
        street=hand.street,
        next_street="" if coming is None else coming.name,
        board_due=0 if coming is None else coming.board,
        board=tuple(chain(*hand.felt.boards)),
        holds={seat: len(cards) for seat, cards in hand.felt.cards.items() if cards},
        burn_due=burn_due,
        drawing=draws.left_to_draw(hand),
        open_cards=hand.form.open_cards,
        to_act=acting(hand),
    )


def _next_cards(hand: Hand, coming: Street | None) -> tuple[int, ...]:
    """If the next street gives its cards to the seats and is in time: one to each of its seats, in order,
    after its burn.
    """
    if coming is None or seat_streets.coming(hand) is None or hand.felt.community:
        return ()
    return hand.dealt_order() * (coming.down + coming.up)


def _phase(hand: Hand, due: tuple[int, ...], coming: Street | None, *, burn_first: bool) -> Phase:
    if due and not burn_first:
        return "deal"
    if hand.round.to_act is not None:
        return "betting"
    if not hand.deal.street_dealt and hand.deal.over:
        return "draw"
    if coming is None:
        return "showdown"
    if burn_first:
        return "burn"
    return "draw" if coming.draw else "street"


def acting(hand: Hand | None) -> int | None:
    """The seat whose act is due now. While cards of the deal are due it is nobody's: an act would end the
    deal.
    """
    return None if hand is None or dealing.due(hand) else hand.round.to_act


def stage(setup: Setup, hand: Hand | None) -> Stage:
    """What the dealer is doing, or is to do next: what `sentence` says, as a word."""
    if hand is None or hand.street == "over":
        prepared = setup.shuffled or setup.cut
        return "shuffle" if prepared else "waiting" if hand is None or setup.pushed else "over"
    if asking.asked(hand):
        return "stopped"
    if hand.street == "void":
        return "over"
    if dealing.due(hand) or exposed_cards.to_exchange(hand) is not None:
        return "dealing"
    if hand.round.to_act is not None:
        return "betting"
    if len(hand.live) < 2:
        return "paying"
    if not hand.deal.street_dealt:
        return "draw"
    coming = board_streets.following(hand)
    if coming is not None:
        return "draw" if coming.draw else "street"
    shown = all(seat in hand.showdown.tabled for seat in hand.live_order())
    return "paying" if shown else "showdown"


def sentence(hand: Hand | None) -> str:
    """What the dealer is to do next, in one sentence."""
    if hand is None or hand.street == "over" or hand.cancelled:
        return "Start the next hand"
    if hand.street == "void":
        if any("replace-deck" in finding.remedy for finding in hand.findings):
            return "Stop: replace the deck, then deal the hand again from the same button"
        return "Stop: deal the hand again from the same button"
    if hand.asked:
        return "Stop: the floor must rule"
    due = dealing.due(hand)
    if due:
        return f"Deal the next card to seat {due[0]}"
    exchange = exposed_cards.to_exchange(hand)
    if exchange is not None:
        return f"Exchange the exposed card of seat {exchange[0]} for the first burn card"
    if hand.round.to_act is not None:
        owed = hand.to_call(hand.round.to_act)
        owing = (
            f"{owed} to call"
            if owed
            else "to bring it in"
            if hand.round.to_act == hand.round.bringer
            else "nothing to call"
        )
        return f"Seat {hand.round.to_act} to act: {owing}"
    if len(hand.live) < 2:
        return "Push the pot and end the hand"
    if not hand.deal.street_dealt:
        seat = next((seat for seat in hand.live_order() if seat not in hand.felt.drawn), None)
        return f"Seat {seat} to draw" if seat else "Start the next hand"
    coming = board_streets.following(hand)
    if coming is None:
        waiting = [seat for seat in hand.live_order() if seat not in hand.showdown.tabled]
        return "Show the hands, then end the hand" if waiting else "Push the pots and end the hand"
    return _street(hand, coming)


def _street(hand: Hand, coming: Street) -> str:
    """What to do for the next street."""
    if coming.draw:
        return f"Seat {hand.live_order()[0]} to draw"
    cards = (
        "1 card for all"
        if hand.felt.community
        else "a card to each seat"
        if not coming.board
        else ("1 card" if coming.board == 1 else f"{coming.board} cards")
    )
    if coming.name == hand.street:
        return f"Deal the {coming.name} of the second board: {cards}"
    if coming.burn and not hand.burns.burned:
        return f"Burn, then {cards}"
    return f"Deal the {coming.name}: {cards}" if coming.board else f"Deal {coming.name} street: {cards}"
