"""What players ask for beside the betting.

| event | when | then |
| --- | --- | --- |
| ask-pot | pot-limit, half-pot | `pot-asked` `count`, with the amount (54-A) |
| ask-pot | otherwise | `spread` if the book says so (2024 RP-21), else `none` |
| token | in turn | `token-bet`: the floor decides what it is; nothing is bet |
| called-on | another seat has to act | by book, what the seat does may be changed |
| dispute of reading or deck | until the next hand begins | `dispute` `open`, then `closed` (22, 35-E) |
| dispute of a payment | until substantial action in it, by book until it begins | the same |
| the same of reading or payment | the hand ended in a break: for a minute | the same (22) |
"""

from typing import Final

from tablebridge.engine import substantial_action
from tablebridge.engine.games.form import OF_THE_POT
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model.instant import seconds_between
from tablebridge.model.request_events import AskPot, CalledOn, Dispute, TokenBet

_IN_BREAK_S: Final = 60.0


def ask_pot(hand: Hand, notes: Notes, event: AskPot) -> None:
    """Whether the dealer counts the pot, spreads it, or neither."""
    if event.seat not in hand.order:
        notes.ignored = f"Seat {event.seat} is not in the hand."
        return
    if hand.form.limit in OF_THE_POT:
        hand.find(notes, "pot-asked", cause="count", seat=event.seat, args={"pot": hand.chips.pot()})
    else:
        spread = hand.book.rule("pot-asked", "spread") is not None
        hand.find(notes, "pot-asked", cause="spread" if spread else "none", seat=event.seat)


def called_on(hand: Hand, notes: Notes, event: CalledOn) -> None:
    """The dealer asked a seat to act: by some books, too early, what it does may be changed (OOT)."""
    seat = event.seat
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
    elif hand.round.to_act not in (None, seat) and hand.book.called_too_early == "may-change":
        hand.out_of_turn.call_on(seat)


def token(hand: Hand, notes: Notes, event: TokenBet) -> None:
    """A bounty chip or the like is pushed forward: it bets nothing until the floor says what it was."""
    if event.seat != hand.round.to_act:
        notes.ignored = f"Seat {event.seat} is not to act: what it pushed forward is no action."
        return
    hand.find(notes, "token-bet", seat=event.seat, args={"token": event.token})


def dispute(setup: Setup, hand: Hand | None, notes: Notes, event: Dispute) -> None:
    """Whether the window for this dispute of the last hand is still open. The floor may rule all the same."""
    if hand is None or (setup.hand_number < 2 and not hand.over):
        notes.ignored = "No hand has been played that could be disputed."
        return
    window = setup.book.disputes
    started = not hand.over
    closed = started and (
        event.about != "payment" or window == "next-hand" or substantial_action.occurred(hand)
    )
    late = (
        setup.ended_in_break
        and window == "substantial-action"
        and event.about != "deck"
        and seconds_between(setup.ended, notes.at) > _IN_BREAK_S
    )
    if window == "always" or not (closed or late):
        notes.find(
            setup.book,
            "dispute",
            "open",
            cause="open",
            seat=event.seat,
            case=event.about,
            remedy=("call-floor",),
        )
        return
    in_time = "payment" if event.about == "payment" and window != "next-hand" else "begun"
    since = in_time if closed else "minute"
    notes.find(setup.book, "dispute", since, cause="closed", seat=event.seat, case=event.about, remedy=())
