"""The all-in button, which the dealer puts before a seat that is all-in (RP-1), against the chips.

Theory. Button and chips come one after the other, in either order, so a button before the seat that has to
act waits for what the seat does. Whether this table uses the buttons at all is known from the first one on;
from then on each all-in wants one.

| the button comes | then |
| --- | --- |
| before a seat that is all-in | nothing |
| before the seat that has to act | its next action settles it: all-in, or `all-in-not-all-in` |
| before another seat, also one that is not in the hand | `all-in-not-all-in` |
| not at all, and the next street comes, or the first hand is shown | `all-in-unmarked`, once per seat |

A button that is taken away says nothing; one that was put down wrongly is undone.

When somebody is all-in and nobody can bet any more, no hand may be thrown away unseen (16): that is how chips
are given away.
"""

from tablebridge.engine.cards import upcards
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.showdown import payment
from tablebridge.model.events import AllinButton, Basis


def placed(hand: Hand, notes: Notes, event: AllinButton) -> None:
    """The dealer puts the button before a seat. A second one before the same seat says nothing new."""
    seat = event.seat
    before = seat in hand.showdown.marked
    hand.showdown.mark(seat)
    if before or hand.chips.stack.get(seat) == 0:
        return
    if seat == hand.round.to_act:
        hand.showdown.wait_for(seat)
    else:
        _not_all_in(hand, notes, seat)


def acted(hand: Hand, notes: Notes) -> None:
    """Somebody acted while a button waited for its seat."""
    seat = hand.showdown.button_waits
    if seat is not None and seat != hand.round.to_act:
        hand.showdown.wait_for(None)
        if hand.chips.stack[seat] > 0:
            _not_all_in(hand, notes, seat)


def unmarked(hand: Hand, notes: Notes) -> None:
    """The betting has stopped: every seat that is all-in should have its button by now."""
    if not (hand.showdown.marked or hand.showdown.buttons_used) or hand.round.to_act is not None:
        return
    for seat in hand.live_order():
        if hand.chips.stack[seat] == 0 and seat not in hand.showdown.marked:
            hand.showdown.mark(seat)
            hand.find(notes, "all-in-unmarked", seat=seat)


def must_be_seen(hand: Hand, seat: int, basis: Basis) -> bool:
    """Whether the hand of the seat must be tabled for all to see (16) and was not, so that it cannot be
    thrown away.

    It is so for an all-in hand also while others still bet for a side pot. Antennas see at the showdown only
    that a hand goes away, not whether it was tabled before.
    """
    if hand.book.rule("must-be-face-up") is None or not (upcards.face_up(hand) or _is_all_in(hand, seat)):
        return False
    if payment.whole(hand, hand.showdown.tabled.get(seat, ())):
        return False
    return basis != "rfid" or hand.street != "showdown"


def _is_all_in(hand: Hand, seat: int) -> bool:
    return hand.chips.known(seat) and hand.chips.stack[seat] == 0


def thrown_away(hand: Hand, notes: Notes, seat: int) -> None:
    """A hand that must be tabled went to the muck unseen: it is live, and the floor hears of it."""
    hand.find(
        notes,
        "must-be-face-up",
        cause="mucked",
        seat=seat,
    )


def _not_all_in(hand: Hand, notes: Notes, seat: int) -> None:
    hand.find(
        notes,
        "all-in-not-all-in",
        "button",
        seat=seat,
    )
