"""Straddles and raises without looking: blind bets before the cards.

Theory. A straddle buys the last word, a raise without looking does not: who makes it has acted. Both are
legal only as far as book and house allow them; all chips that were put up otherwise go back, and the seat has
not acted. A straddle is twice the bet that it stands over, the big blind or the straddle before it, or more
if the house says so; the least raise over it is as much again, in limit the bet of the street. The turn comes
to the seat left of the last one first. A raise without looking is the call and one more big blind.

| | straddle | no-look |
| --- | --- | --- |
| how many | `house straddles N`, usually one | as many as the book has, or `house no-look N` |
| by `house straddle under-the-gun` | the first seat after the big blind or the last one | the same |
| by `house straddle button` | the button | |
| by `house straddle any` | any seat but the blinds | |
| amount | twice the bet before it; `house straddle-size more`: or more | the call and a big blind |
"""

from tablebridge.engine.betting.turns import next_to_act
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import chosen
from tablebridge.model.blind_events import NoLook, Straddle


def straddle(hand: Hand, notes: Notes, event: Straddle) -> None:
    """A seat puts up a straddle."""
    if _nobody(hand, notes, event.seat):
        return
    seat, total, rule = event.seat, event.amount, hand.house.get("straddle", "none")
    why = _not_straddled(hand, seat, total, rule)
    if why:
        if total:
            notes.give_back(seat, total)
        hand.find(
            notes,
            "straddle",
            why,
            seat=seat,
            args={"twice": 2 * hand.round.current},
            case="" if why == "none" else "house",
            remedy=_back(hand, "straddle"),
        )
        return
    limit = hand.form.limit == "limit"
    hand.chips.pay(seat, total - hand.chips.bet[seat])
    hand.blind_bets.straddle(seat, total)
    hand.round.straddle(seat, total, hand.round.least if limit else total)
    hand.round.turn_to(next_to_act(hand))


def no_look(hand: Hand, notes: Notes, event: NoLook) -> None:
    """A seat raises without looking."""
    if _nobody(hand, notes, event.seat):
        return
    seat, chips = event.seat, hand.chips
    total = hand.round.current + hand.stakes.big
    house = chosen(hand.house, "no-look")
    most = hand.book.no_look_raises if house is None else house
    cause = _not_raised(hand, seat, most, total)
    if cause:
        if event.amount:
            notes.give_back(seat, event.amount)
        text = "none" if cause == "count" and not most else cause
        hand.find(
            notes,
            "no-look",
            text,
            cause=cause,
            seat=seat,
            args={"most": most},
            remedy=_back(hand, "no-look"),
        )
        return
    if event.amount != total:
        hand.find(
            notes,
            "no-look",
            "wrong-amount",
            cause="amount",
            seat=seat,
            args={"amount": event.amount, "total": total},
            remedy=("return-excess",) if event.amount > total else ("make-good",),
        )
    if event.amount > total:
        notes.give_back(seat, event.amount - total)
    chips.pay(seat, total - chips.bet[seat])
    hand.blind_bets.no_look(seat, total)
    hand.round.raise_blind(seat, total, hand.stakes.big)
    notes.rule(seat, "raise", total)
    hand.round.turn_to(next_to_act(hand))


def _nobody(hand: Hand, notes: Notes, seat: int) -> bool:
    """Whether no blind bet of the seat can be meant, said in the notes."""
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
    elif hand.untracked or not hand.form.button or hand.blind_bets.bomb:
        notes.ignored = "There are no blinds in this hand that could be raised."
    elif hand.blind_bets.of(seat) or seat in hand.blind_bets.no_looks:
        notes.ignored = f"Seat {seat} has put up a blind bet already."
    return bool(notes.ignored)


def _not_straddled(hand: Hand, seat: int, total: int, rule: str) -> str:
    """The id of the sentence that says why there is no such straddle; empty if there is one."""
    twice, straddles = 2 * hand.round.current, hand.blind_bets.straddles
    house = chosen(hand.house, "straddles")
    if rule not in ("under-the-gun", "button", "any"):
        return "none"
    if _cards_came(hand):
        return "too-late"
    if len(straddles) >= (1 if house is None else house):
        return "count"
    if not _may_straddle(hand, seat, rule):
        return "seat"
    more = hand.house.get("straddle-size") == "more"
    if total < twice or (total > twice and not more) or total > hand.chips.whole(seat):
        return "amount"
    return ""


def _may_straddle(hand: Hand, seat: int, rule: str) -> bool:
    """Whether the house allows this seat a straddle. Blinds have none."""
    if seat in (hand.positions.small, hand.positions.big) and len(hand.order) > 2:
        return False
    if rule == "button":
        return seat == hand.positions.button
    return rule == "any" or seat == _next(hand, tuple(hand.blind_bets.straddles))


def _not_raised(hand: Hand, seat: int, most: int, total: int) -> str:
    """The cause for which there is no such raise; empty if there is one."""
    if len(hand.blind_bets.no_looks) >= most:
        return "count"
    if (
        _cards_came(hand)
        or seat == hand.positions.big
        or seat != _next(hand, tuple(hand.blind_bets.no_looks))
    ):
        return "seat"
    return "amount" if total > hand.chips.whole(seat) else ""


def _next(hand: Hand, put: tuple[int, ...]) -> int | None:
    """The first seat after the last of these, or after the big blind."""
    last = put[-1] if put else hand.positions.big
    return next(iter(hand.laps.get(last, hand.order)), None)


def _cards_came(hand: Hand) -> bool:
    """Whether the deal has begun."""
    return bool(
        hand.street != hand.form.first.name or hand.felt.off_deck or hand.round.actions or hand.deal.over
    )


def _back(hand: Hand, finding: str) -> tuple[str, ...]:
    """The chips go back; a book that does not know such bets leaves the rest to the floor."""
    return ("return-excess",) if hand.book.rule(finding) is not None else ("return-excess", "call-floor")
