"""What players ask for beside the betting.

| event | when | then |
| --- | --- | --- |
| ask-pot | pot-limit | `pot-asked` `count`, with the amount (54-A) |
| ask-pot | otherwise | `spread` if the book says so (2024 RP-21), else `none` |
| token | in turn | `token-bet`: the floor decides what it is; nothing is bet |
| dispute of reading or deck | until the next hand begins | `dispute` `open`, then `closed` (22, 35-E) |
| dispute of a payment | until substantial action in it, by book until it begins | the same |
"""

from tablebridge.engine import substantial_action
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model.request_events import AskPot, Dispute, TokenBet


def ask_pot(hand: Hand, notes: Notes, event: AskPot) -> None:
    """Whether the dealer counts the pot, spreads it, or neither."""
    if event.seat not in hand.order:
        return
    if hand.form.limit == "pot-limit":
        hand.find(notes, "pot-asked", cause="count", seat=event.seat, args={"pot": hand.chips.pot()})
    else:
        spread = hand.book.rule("pot-asked", "spread") is not None
        hand.find(notes, "pot-asked", cause="spread" if spread else "none", seat=event.seat)


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
    if window == "always" or not closed:
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
    since = "payment" if event.about == "payment" and window != "next-hand" else "begun"
    notes.find(setup.book, "dispute", since, cause="closed", seat=event.seat, case=event.about, remedy=())
