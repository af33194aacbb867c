"""Where pokerkit 0.7.7 is known to differ from the rules that the engine follows.

Each fault is recognised by what the two say and by the state of the hand, as narrowly as can be told; a
difference that none of them explains fails the test. `ends`: after it the two tables are no longer the same,
and the hand is not played on.

| fault | the rule | pokerkit |
| --- | --- | --- |
| reopened | who acted may raise if facing a full bet or raise in all, big blind too (47-A) | counts raises |
| half-bet | in limit an all-in of half a bet or more opens the betting again (47-B) | only a full bet does |
| under-half | in limit an all-in under half a bet is completed as if not there (47-B) | a full bet on top |
| short-blind-pot | in pot-limit short blinds count in full (54-B) | counts what they put in |
| short-forced-bet | a call is the whole blind or bring-in, however short its seat is | what was put in |
| idle-check | the only seat with chips left, its bet matched, has nothing to act on | it has to check |
| tied-boards | of equal boards the one with the higher suit opens (RP-10-D) | the seat decides |
| low-of-a-side-pot | whether a pot has a low half is asked of its own seats (20-C) | of all live seats |
| odd-chips | odd chips go out one each, in stud by high card and suit (20-A, 20-B) | all to the first seat |
| merged-pots | each side pot is split for itself (21) | pots become one when losing hands are killed |
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pokerkit as pk

from tablebridge.engine.chips.pots import Pot
from tablebridge.engine.hand import Hand
from tablebridge.engine.showdown import payment


@dataclass(frozen=True)
class Difference:
    """`what` differs: turn, call, raise (least and most), stacks. Seats of the engine are pokerkit's indices
    plus one.
    """

    what: str
    ours: Any
    theirs: Any
    hand: Hand
    state: pk.State
    pots: tuple[Pot, ...] = ()
    """What was divided, of different stacks."""


@dataclass(frozen=True)
class Fault:
    """`share`: of how many hands it is seen at most."""

    name: str
    what: str
    holds: Callable[[Difference], bool]
    share: float
    ends: bool = False


def explained(found: Difference) -> Fault | None:
    """The fault of pokerkit that the difference is."""
    return next((fault for fault in FAULTS if fault.what == found.what and fault.holds(found)), None)


def _faced(hand: Hand) -> int:
    assert hand.round.to_act is not None
    return hand.round.current - hand.chips.bet[hand.round.to_act]


def _reopened(found: Difference) -> bool:
    hand = found.hand
    if hand.form.limit == "limit" or hand.round.to_act not in hand.round.acted:
        return False
    in_sum = found.theirs == (None, None) and hand.round.to_act in hand.round.answered
    return in_sum or (found.ours == (None, None) and 0 < _faced(hand) < hand.round.least)


def _half_bet(found: Difference) -> bool:
    hand = found.hand
    return (
        hand.form.limit == "limit"
        and found.theirs == (None, None)
        and hand.round.to_act in hand.round.acted
        and hand.round.least <= 2 * _faced(hand) < 2 * hand.round.least
    )


def _under_half(found: Difference) -> bool:
    hand = found.hand
    above = hand.round.current - hand.round.level
    if hand.form.limit != "limit" or not 0 < 2 * above < hand.round.least or hand.round.to_act is None:
        return False
    most = hand.chips.bet[hand.round.to_act] + hand.chips.stack[hand.round.to_act]
    return found.theirs in ((min(hand.round.current + hand.round.least, most),) * 2, (None, None))


def _short_blind_pot(found: Difference) -> bool:
    hand = found.hand
    return (
        hand.form.limit == "pot-limit"
        and hand.street == "preflop"
        and hand.round.blinds_short > 0
        and found.ours[0] == found.theirs[0]
        and 0 < found.ours[1] - found.theirs[1] <= 2 * hand.round.blinds_short
    )


def _short_forced_bet(found: Difference) -> bool:
    hand = found.hand
    forced = hand.stakes.big if hand.form.button else hand.stakes.bring_in
    return (
        hand.street == hand.form.first.name
        and 0 < max(hand.chips.bet.values()) < hand.round.current == forced
    )


def _idle_check(found: Difference) -> bool:
    hand = found.hand
    return (
        found.ours is None
        and found.state.checking_or_calling_amount == 0
        and len(hand.live) > 1
        and [seat for seat in hand.live if hand.chips.stack[seat]] == [found.theirs]
    )


def _tied_boards(found: Difference) -> bool:
    hand = found.hand
    opener = found.state.opener_index
    if (
        hand.form.button
        or hand.street == hand.form.first.name
        or hand.round.street_actions
        or hand.round.opener is None
        or opener is None
    ):
        return False
    ours, theirs = (
        sorted(card[0] for card in hand.felt.up[seat]) for seat in (hand.round.opener, opener + 1)
    )
    return hand.round.opener != opener + 1 and ours == theirs


def _low_of_a_side_pot(found: Difference) -> bool:
    lows = payment.sides(found.hand, found.hand.showdown.tabled, found.hand.felt.board)[1:]
    alone = any(low and any(low.keys().isdisjoint(pot.seats) for pot in found.pots) for low in lows)
    return alone and _divided_its_way(found, merged=True)


def _odd_chips(found: Difference) -> bool:
    return _divided_its_way(found, merged=False)


def _merged_pots(found: Difference) -> bool:
    return _divided_its_way(found, merged=True)


def _divided_its_way(found: Difference, *, merged: bool) -> bool:
    """Whether pokerkit's stacks are those of its own way: a half for each way in which any live seat has a
    hand, shared by all where none of the pot's seats has one; what is odd goes to the first side and the
    first seat. `merged`: pots that the same winners are left in are one.
    """
    hand = found.hand
    sides = [side for side in payment.sides(hand, hand.showdown.tabled, hand.felt.board) if side]
    stacks = {seat: hand.chips.stack[seat] - hand.chips.won.get(seat, 0) for seat in hand.order}
    for amount, seats in (
        _left(found.pots, sides) if merged else [(pot.amount, pot.seats) for pot in found.pots]
    ):
        for place, side in enumerate(sides):
            half = amount // len(sides) + (amount % len(sides) if place == 0 else 0)
            best = min((side[seat] for seat in seats if seat in side), default=None)
            winners = [seat for seat in seats if side.get(seat) == best]
            for seat in winners:
                stacks[seat] += half // len(winners)
            stacks[winners[0]] += half % len(winners)
    return bool(found.theirs == list(stacks.values()))


def _left(pots: tuple[Pot, ...], sides: payment.Sides) -> list[tuple[int, tuple[int, ...]]]:
    """Amount and seats of each pot when all seats are gone that win nothing."""
    winners = {
        seat
        for pot in pots
        for side in sides
        for seat in pot.seats
        if side.get(seat, 0) == min((side[one] for one in pot.seats if one in side), default=-1)
    }
    left: list[tuple[int, tuple[int, ...]]] = []
    for pot in pots:
        seats, amount = tuple(seat for seat in pot.seats if seat in winners), pot.amount
        if left and left[-1][1] == seats:
            amount += left.pop()[0]
        left.append((amount, seats))
    return left


FAULTS: Final = (
    Fault("reopened", "raise", _reopened, 0.12),
    Fault("half-bet", "raise", _half_bet, 0.1),
    Fault("under-half", "raise", _under_half, 0.2),
    Fault("short-blind-pot", "raise", _short_blind_pot, 0.08),
    Fault("short-forced-bet", "raise", _short_forced_bet, 0.05, ends=True),
    Fault("short-forced-bet", "call", _short_forced_bet, 0.05, ends=True),
    Fault("idle-check", "turn", _idle_check, 0.02),
    Fault("tied-boards", "turn", _tied_boards, 0.06, ends=True),
    Fault("low-of-a-side-pot", "stacks", _low_of_a_side_pot, 0.02),
    Fault("odd-chips", "stacks", _odd_chips, 0.02),
    Fault("merged-pots", "stacks", _merged_pots, 0.03),
)
