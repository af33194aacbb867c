"""Whose turn it is."""

from tablebridge.engine.hand import Hand


def next_after(hand: Hand, seat: int) -> int | None:
    """The next live seat with chips after this one, if there is one."""
    return next(
        (other for other in hand.laps[seat][:-1] if other in hand.live and hand.chips.stack[other] > 0), None
    )


def next_to_act(hand: Hand) -> int | None:
    """The next seat that has to act, beginning after the one that acted last."""
    live = hand.live
    if len(live) < 2 or hand.street == "showdown" or hand.untracked:
        return None
    betting = hand.round
    stack, bet, acted, current = hand.chips.stack, hand.chips.bet, betting.acted, betting.current
    due, alone = None, True
    for seat in hand.laps.get(betting.turn_from, hand.order):
        if seat in live and stack[seat] > 0:
            if due is not None:
                return due
            if seat not in acted or bet[seat] < current:
                due = seat
                if not alone:
                    return due
            else:
                alone = False
    return (
        due
        if due is not None and bet[due] < max(bet[other] for other in hand.order if other != due)
        else None
    )
