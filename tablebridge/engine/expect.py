"""What the engine expects next: for sensing as a prior, for the dealer as a sentence."""

from typing import Literal

from tablebridge.engine import betting, dealing
from tablebridge.engine.games import CARDS_OF, NEXT
from tablebridge.engine.hand import Hand
from tablebridge.model.expectation import NOTHING, Expectation

Phase = Literal["idle", "deal", "betting", "burn", "street", "showdown"]
_COUNTS = {1: "1 card", 3: "3 cards"}


def expectation(hand: Hand | None) -> Expectation:
    """What is expected to happen next at the table."""
    if hand is None or hand.over:
        return NOTHING
    due = dealing.due(hand)
    next_street = NEXT.get(hand.street, "") if len(hand.live) > 1 else ""
    burn_due = bool(next_street) and not hand.burned
    return Expectation(
        phase=_phase(hand, due, next_street, burn_due=burn_due),
        next_seats=due, live=tuple(sorted(hand.live)), street=hand.street, next_street=next_street,
        board_due=CARDS_OF.get(next_street, 0), board=tuple(hand.board),
        holds={seat: len(cards) for seat, cards in hand.cards.items() if cards}, burn_due=burn_due)


def _phase(hand: Hand, due: tuple[int, ...], next_street: str, *, burn_due: bool) -> Phase:
    if due:
        return "deal"
    if hand.to_act is not None:
        return "betting"
    if not next_street:
        return "showdown"
    return "burn" if burn_due else "street"


def sentence(hand: Hand | None) -> str:
    """What the dealer is to do next, in one sentence."""
    if hand is None or hand.street == "over":
        return "Start the next hand"
    if hand.street == "void":
        if any("replace-deck" in finding.remedy for finding in hand.findings):
            return "Stop: replace the deck, then deal the hand again from the same button"
        return "Stop: deal the hand again from the same button"
    if hand.floor_due:
        return "Stop: the floor must rule"
    due = dealing.due(hand)
    if due:
        return f"Deal the next card to seat {due[0]}"
    if hand.to_act is not None:
        owed = betting.to_call(hand, hand.to_act)
        return f"Seat {hand.to_act} to act: {owed} to call" if owed else f"Seat {hand.to_act} to act: nothing to call"
    if len(hand.live) < 2:
        return "Push the pot and end the hand"
    coming = NEXT.get(hand.street)
    if coming is None:
        waiting = [seat for seat in hand.live_order() if seat not in hand.tabled]
        return "Show the hands, then end the hand" if waiting else "Push the pots and end the hand"
    cards = _COUNTS[CARDS_OF[coming]]
    return f"Deal the {coming}: {cards}" if hand.burned else f"Burn, then {cards}"
