"""Doubts of what is recorded, until they are settled.

| a doubt of | begins | ends |
| --- | --- | --- |
| a seat that folded by a person's word, whose cards are still read | by sensing | by sensing, by a person |
| a seat, or the hand | by a person | by a person |

What is in doubt when the hand ends stays so: the hand is incomplete, and its pots are paid all the same.
"""

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.events import InDoubt
from tablebridge.model.sentences import phrase


def in_doubt(hand: Hand, notes: Notes, event: InDoubt) -> None:
    """A doubt begins, or is settled."""
    seat = event.seat or 0
    if event.over:
        hand.doubts.settle(seat)
    elif seat and seat not in hand.order:
        notes.ignored = f"Seat {seat} is not in the hand."
    elif event.read and seat in hand.live:
        notes.ignored = f"Seat {seat} has a live hand: its cards are where they belong."
    else:
        hand.doubts.begin(seat, event.read)
        if event.read:
            hand.find(notes, "sensing-doubt", "folded", args={"count": event.read}, seat=seat)
        else:
            hand.find(notes, "sensing-doubt", "seat" if seat else "hand", seat=event.seat)


def at_the_end(hand: Hand, notes: Notes) -> None:
    """The hand ends: what is still in doubt is named."""
    if not hand.doubts.of:
        return
    seats = ", ".join(str(seat) for seat in sorted(hand.doubts.of) if seat)
    reason = "in-doubt" if seats else "hand-in-doubt"
    args = {"seats": seats} if seats else {}
    hand.leave_open(phrase("hand-incomplete", reason, args))
    hand.find(notes, "hand-incomplete", args={"reason": reason, **args})
