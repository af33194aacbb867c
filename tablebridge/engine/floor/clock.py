"""The clock that is called on a seat (29)."""

from tablebridge.engine.betting import actions
from tablebridge.engine.consequences import FIND_TURN, NONE, Consequences, Kill
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.events import Clock, ClockExpired


def called(hand: Hand, notes: Notes, event: Clock) -> None:
    """The clock is called on a seat."""
    hand.find(notes, "clock", cause="called", seat=event.seat)


def expired(hand: Hand, notes: Notes, event: ClockExpired) -> Consequences:
    """The time of a seat has run out: its hand is dead, or it checks."""
    seat = event.seat
    if seat != hand.round.to_act:
        return NONE
    hand.find(notes, "clock", cause="expired", seat=seat)
    if hand.round.current > hand.chips.bet[seat] or hand.book.clock_without_bet == "dead":
        hand.find(notes, "dead-hand", cause="clock", seat=seat)
        return (Kill(seat),)
    actions.act(hand, notes, seat, "check", None)
    return (FIND_TURN,)
