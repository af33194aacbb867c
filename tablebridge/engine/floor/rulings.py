"""What the floor rules on a hand under way."""

from tablebridge.engine.betting import adjudicate, pushed_chips
from tablebridge.engine.cards import board_streets
from tablebridge.engine.chips import behind
from tablebridge.engine.consequences import FIND_TURN, NONE, Consequences, Kill
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Kind, Notes
from tablebridge.model.events import Ruling


def ruling(hand: Hand, notes: Notes, event: Ruling) -> Consequences:
    """The floor decides if the rulebook leaves it to the floor."""
    seat = event.seat
    if event.ruling == "play-on":
        return board_streets.plays_on(hand, notes)
    if event.ruling == "misdeal":
        hand.find(
            notes,
            "misdeal",
            "floor",
            cause=hand.deal.fixable,
        )
        hand.void(notes)
        hand.let_void_stand()
    elif event.ruling == "cancel":
        hand.void(notes)
        hand.let_void_stand(again=False)
    elif event.ruling == "burn":
        board_streets.ruling_burn(hand, notes, event.card)
    elif seat not in hand.felt.cards or seat is None:
        notes.ignored = "The ruling is about a seat that is not in the hand."
    elif event.ruling == "dead":
        if seat in hand.live:
            hand.find(notes, "dead-hand", cause="ruling", seat=seat)
            return (Kill(seat),)
    elif event.ruling == "live":
        hand.revive(seat)
        return (FIND_TURN,)
    elif event.ruling == "passive":
        hand.bindings.passive(seat)
    elif event.amount is not None and behind.may_be_ruled(hand, seat):
        kind: Kind = "raise" if event.ruling == "raise" else "call" if event.ruling == "call" else "bet"
        behind.ruled(hand, notes, seat, kind, event.amount)
    elif event.amount is not None:
        adjudicate.floor_fixes(hand, notes, seat, event.ruling, event.amount)
        pushed_chips.answers(hand, notes, seat)
    elif event.ruling in ("call", "fold"):
        adjudicate.floor_rules(hand, notes, seat, event.ruling)
    return NONE
