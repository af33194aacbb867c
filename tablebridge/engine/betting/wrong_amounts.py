"""A bet of a wrong amount that was noticed late.

Theory. As long as it is noticed in time, the bet is put right for its bettor and for all who called it
(52-A). By some books a wrong amount in limit is put right at once, unless two seats have acted on it in turn:
then it stands for the round, and whoever called owes it. The engine puts it right when it comes, and lets it
stand with the second call or fold after it, if nobody entered meanwhile that the chips went back.
"""

from typing import Final

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Kind, Notes
from tablebridge.engine.parts.round import WrongAmount

_ENOUGH: Final = 2
"""Seats that act in turn on a wrong amount before it stands."""


def put_right(hand: Hand, bettor: int, total: int) -> None:
    """The bet of the round is `total` for its bettor and all who called it."""
    chips, betting = hand.chips, hand.round
    matched = [
        seat
        for seat in hand.live_order()
        if chips.bet[seat] == betting.current and (seat == bettor or seat in betting.acted)
    ]
    # A bet cannot be lower than what lies before the others.
    total = max([total, *(bet for seat, bet in chips.bet.items() if seat not in matched)])
    least = betting.least if hand.form.limit == "limit" else betting.least + total - betting.level
    for seat in matched:
        chips.bring_to(seat, total)
    betting.set_bet(total, max(least, 0))


def noticed(hand: Hand, seat: int, put: int, total: int) -> None:
    """The seat put in `put`, a wrong amount that is taken as `total`: by some books it may come to stand."""
    if hand.form.limit == "limit" and hand.book.wrong_limit_bet == "stands":
        hand.round.went_wrong(WrongAmount(seat, put, 0))


def acted(hand: Hand, notes: Notes, seat: int, kind: Kind, wrong: WrongAmount) -> None:
    """A seat acted while the wrong amount of another may come to stand."""
    if kind not in ("call", "fold"):
        hand.round.went_wrong(None)
    elif wrong.acted + 1 < _ENOUGH:
        hand.round.went_wrong(WrongAmount(wrong.seat, wrong.put, wrong.acted + 1))
    else:
        hand.round.went_wrong(None)
        put_right(hand, wrong.seat, min(wrong.put, hand.chips.whole(wrong.seat)))
        amount = hand.chips.bet[wrong.seat]
        hand.find(notes, "bet-ruled", "stands", args={"amount": amount}, cause="stands", seat=wrong.seat)
