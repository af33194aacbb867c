"""Too few chips for a bet, a raise or a call, which their player completes or gives up (FSPR, UNDER).

Theory. By some books such chips are no action yet: they stay where they lie and the seat stays to act. It
completes them to the least that they can be and to no more, or folds and loses them. Whoever acts next in
turn takes them as completed.

| then | |
| --- | --- |
| bet, raise, call, all-in, more chips | completed |
| chips that still are too few | stay to be completed |
| fold, a dead hand | what lies there is lost; nobody owes more for it |
| an action of the next seat in turn | completed, and then that action |
"""

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Kind
from tablebridge.engine.parts.round import Unfinished


def leave(hand: Hand, seat: int, kind: Kind, put: int, total: int) -> None:
    """The seat put in `put`, its total for the round, for an action that takes `total`."""
    chips, before = hand.chips, hand.round.unfinished
    bet = before.bet if before is not None and before.seat == seat else chips.bet[seat]
    chips.pay(seat, put - chips.bet[seat])
    hand.round.leave_unfinished(Unfinished(seat, kind, put, total, bet))


def of(hand: Hand, seat: int) -> Unfinished | None:
    """What the seat is still to complete."""
    unfinished = hand.round.unfinished
    return unfinished if unfinished is not None and unfinished.seat == seat else None


def take_up(hand: Hand, seat: int) -> Unfinished | None:
    """What the seat has to complete, if anything: it lies before the seat and is as good as not bet."""
    unfinished = of(hand, seat)
    if unfinished is not None:
        hand.round.leave_unfinished(None)
        hand.chips.bring_to(seat, unfinished.bet)
    return unfinished


def forfeit(hand: Hand, seat: int) -> int | None:
    """The seat gives up what it put in and did not complete, which is returned; None if there is nothing."""
    unfinished = of(hand, seat)
    if unfinished is None:
        return None
    hand.round.leave_unfinished(None)
    hand.chips.forfeit(seat, unfinished.put, min(unfinished.put, hand.round.current))
    return unfinished.put
