"""What a clear action does when it is the seat's turn.

Theory. A raise adds at least the largest full bet or raise of the round, the big blind being the first
(43-A). All-ins below that raise the bet but not this least raise. A seat that has acted may raise again only
if what it faces, over any chain of short all-ins, is at least the least raise (47-A).

A bring-in is a bet that its seat cannot decline. It is less than a full bet and counts as none: the least
raise completes it, and to its own seat the betting is open then.

| action | no bet to face | facing a bet |
| --- | --- | --- |
| fold | binds, may be penalised (58) | the hand is dead |
| check | a check | no check: call or fold is left (55) |
| call | a check (55-A) | the bet is matched, as far as the stack goes |
| bet, raise | at least the big blind (52-A) | at least the least raise (52-A), if open to the seat (47-A) |
| allin | a bet of any size | a call, or a raise of any size if open to the seat |

Too few chips for a bet or raise are made good, or by some books the seat's to complete (`too_few_chips.py`).
"""

from collections.abc import Callable, Mapping
from typing import Final

from tablebridge.engine.betting import limits, too_few_chips, wrong_amounts
from tablebridge.engine.betting.turns import next_to_act
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Kind, Notes


def may_raise(hand: Hand, seat: int) -> bool:
    """Whether the betting is open to the seat: it has more than the call, and somebody is left who could put
    in more.
    """
    betting = hand.round
    stack, bet, current = hand.chips.stack, hand.chips.bet, betting.current
    if stack[seat] <= current - bet[seat] or seat in hand.bindings.no_raise or limits.capped(hand):
        return False
    if seat in betting.acted and seat != betting.brought and not limits.open_again(hand, seat):
        return False
    for other in hand.live:
        if other != seat and stack[other] + bet[other] > current:
            break
    else:
        return False
    return True


def choices(hand: Hand, seat: int) -> frozenset[str]:
    """What the seat may do at its turn, of fold, check, call, bet, raise."""
    betting, bindings = hand.round, hand.bindings
    if seat not in hand.live or hand.chips.stack[seat] <= 0 or hand.over or not betting.open:
        return frozenset()
    unfinished = too_few_chips.of(hand, seat)
    if unfinished is not None:
        return frozenset({"fold", unfinished.kind})
    if seat == betting.bringer:
        return frozenset({"bet", "fold"} if betting.may_decline else {"bet"})
    kinds = {"fold", "call" if betting.current > hand.chips.bet[seat] else "check"}
    if may_raise(hand, seat):
        kinds.add("raise" if betting.current else "bet")
    if seat in bindings.no_fold:
        kinds.discard("fold")
    if seat in bindings.must_bet and kinds & {"bet", "raise"}:
        kinds &= {"bet", "raise"}
    return frozenset(kinds)


def least_total(hand: Hand, seat: int) -> int:
    """The smallest total that a seat which may bet or raise can make it."""
    brings = hand.stakes.bring_in if seat == hand.round.bringer else 0
    return min(brings or limits.least(hand), hand.chips.whole(seat))


def most_total(hand: Hand, seat: int) -> int:
    """The largest total that a seat which may bet or raise can make it."""
    unfinished = too_few_chips.of(hand, seat)
    return limits.most(hand, seat) if unfinished is None else unfinished.total


def act(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    """Take the action of the seat whose turn it is. `amount`: its total for the round, for bet and raise."""
    betting = hand.round
    if betting.unfinished is not None and betting.unfinished.seat == seat:
        _completes(hand, notes, seat, action)
        return
    if seat == betting.bringer:
        _opens(hand, notes, seat, action, amount)
        return
    bindings, faces_bet = hand.bindings, betting.current > hand.chips.bet[seat]
    if seat in bindings.must_bet and action in ("fold", "check", "call") and may_raise(hand, seat):
        action, amount = "bet", limits.least(hand)
    elif seat in bindings.no_fold and action == "fold":
        action = "call"
    _ACTIONS[action][faces_bet](hand, notes, seat, amount)


def _completes(hand: Hand, notes: Notes, seat: int, action: str) -> None:
    """The seat completes its too few chips, whatever it does with them, or folds and loses them."""
    if action == "check":
        notes.ignored = f"Seat {seat} put in too few chips: it completes them, or folds and loses them."
    elif action == "fold":
        put = too_few_chips.forfeit(hand, seat)
        drop(hand, seat)
        record(hand, notes, seat, "fold", put or 0)
    else:
        unfinished = too_few_chips.take_up(hand, seat)
        if unfinished is None or unfinished.kind == "call":
            call(hand, notes, seat)
        else:
            push(hand, notes, seat, unfinished.total, unfinished.kind)


def call(hand: Hand, notes: Notes, seat: int, amount: int | None = None) -> None:
    """The seat matches the bet, as far as its stack goes, whatever amount it named."""
    chips = hand.chips
    chips.pay(seat, hand.round.current - chips.bet[seat])
    record(hand, notes, seat, "call", chips.bet[seat])


def _fold(hand: Hand, notes: Notes, seat: int, amount: int | None = None) -> None:
    drop(hand, seat)
    record(hand, notes, seat, "fold", hand.chips.bet[seat])


def _fold_without_bet(hand: Hand, notes: Notes, seat: int, amount: int | None) -> None:
    hand.find(
        notes,
        "fold-without-bet",
        seat=seat,
    )
    _fold(hand, notes, seat)


def _check(hand: Hand, notes: Notes, seat: int, amount: int | None = None) -> None:
    record(hand, notes, seat, "check", hand.chips.bet[seat])


def _check_facing_a_bet(hand: Hand, notes: Notes, seat: int, amount: int | None) -> None:
    hand.find(
        notes,
        "invalid-declaration",
        cause="check-facing-bet",
        seat=seat,
    )
    hand.bindings.passive(seat)


def _call_without_bet(hand: Hand, notes: Notes, seat: int, amount: int | None) -> None:
    hand.find(
        notes,
        "invalid-declaration",
        cause="call-without-bet",
        seat=seat,
    )
    _check(hand, notes, seat)


def _all_in(hand: Hand, notes: Notes, seat: int, amount: int | None) -> None:
    everything = hand.chips.whole(seat)
    if not hand.chips.known(seat):
        notes.ignored = f"Nobody told the stack of seat {seat}: the all-in is taken as a call."
        call(hand, notes, seat)
    elif everything <= hand.round.current:
        call(hand, notes, seat)
    else:
        push(hand, notes, seat, everything, "allin")


def _bet(hand: Hand, notes: Notes, seat: int, amount: int | None) -> None:
    wanted = limits.least(hand) if amount is None else amount
    push(hand, notes, seat, wanted, "raise" if hand.round.current else "bet")


def _raise(hand: Hand, notes: Notes, seat: int, amount: int | None) -> None:
    if not hand.round.current:
        hand.find(
            notes,
            "invalid-declaration",
            cause="raise-without-bet",
            seat=seat,
        )
    _bet(hand, notes, seat, amount)


def _bet_the_pot(hand: Hand, notes: Notes, seat: int, amount: int | None) -> None:
    _bet(hand, notes, seat, limits.pot_bet(hand, seat) if amount is None else amount)


_Taken = Callable[[Hand, Notes, int, int | None], None]
_ACTIONS: Final[Mapping[str, tuple[_Taken, _Taken]]] = {
    "fold": (_fold_without_bet, _fold),
    "check": (_check, _check_facing_a_bet),
    "call": (_call_without_bet, call),
    "bet": (_bet, _bet),
    "raise": (_raise, _raise),
    "pot": (_bet_the_pot, _bet_the_pot),
    "allin": (_all_in, _all_in),
}
"""What each action does, without a bet to face and facing one."""


def _opens(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    """The bring-in: what is not a bet of more than it, or a fold if that is allowed, is the bring-in."""
    betting, chips, bring_in = hand.round, hand.chips, hand.stakes.bring_in
    betting.wait_for_bring_in(None)
    if action == "fold" and betting.may_decline:
        _fold(hand, notes, seat)
        betting.wait_for_bring_in(next_to_act(hand))
        return
    everything = chips.whole(seat)
    named = bring_in if amount is None or action not in ("bet", "raise") else amount
    total = everything if action == "allin" else named
    if min(total, everything) > bring_in:
        push(hand, notes, seat, total, "allin" if action == "allin" else "bet")
        return
    if total < bring_in and total < everything:
        hand.find(
            notes,
            "underbet",
            "bring-in",
            args={"least": bring_in},
            seat=seat,
        )
    chips.pay(seat, bring_in)
    betting.bring_in(bring_in, seat)
    record(hand, notes, seat, "bet", chips.bet[seat])


def push(hand: Hand, notes: Notes, seat: int, total: int, kind: Kind) -> None:
    """A bet or raise to `total`, made good or taken as a call if the rules want it."""
    if not may_raise(hand, seat):
        _not_open(hand, notes, seat, total)
        if hand.round.current > hand.chips.bet[seat]:
            call(hand, notes, seat)
        else:
            _check(hand, notes, seat)
        return
    betting, chips, put = hand.round, hand.chips, total
    everything, most = chips.whole(seat), limits.most(hand, seat)
    if total > most or betting.doubled:
        total = _cut_down(hand, notes, seat, total, most, everything)
    if total < betting.level + betting.least:
        if total < everything and hand.book.undercall == "choice":
            _too_few(hand, notes, seat, total, kind)
            return
        total = _made_good(hand, notes, seat, total, everything)
    limits.count(hand, total, all_in=total == everything)
    if hand.announced_pot.amount is not None:
        hand.announced_pot.bet_on(
            seat, limits.most_of_pot(hand, seat), betting.actions + 1, betting.chip_actions + 1
        )
    chips.pay(seat, total - chips.bet[seat])
    betting.bet(seat, total)
    if hand.still_dealt:
        hand.deal_to_live_only()
    record(hand, notes, seat, kind, total)
    put = min(put, everything)
    if put != total:
        wrong_amounts.noticed(hand, seat, put, total)


def _cut_down(hand: Hand, notes: Notes, seat: int, total: int, most: int, everything: int) -> int:
    """What is left of a bet to `total` under the limit of the game."""
    least = limits.least(hand)
    if total > most and most < everything:
        hand.find(
            notes,
            "overbet",
            "most",
            args={"most": most},
            cause="limit" if hand.form.limit == "limit" else "pot-limit",
            seat=seat,
            case=_limit_case(hand),
        )
    total = min(total, most)
    if hand.round.doubled and least < total < most:
        hand.find(
            notes,
            "overbet",
            "between",
            cause="limit",
            seat=seat,
        )
        return least
    return total


def _limit_case(hand: Hand) -> str:
    """What the book may distinguish of a bet above the limit."""
    if hand.form.limit == "half-pot":
        return "half-pot"
    return "open-pair" if limits.undoubled(hand) else ""


def _in_limit(hand: Hand) -> str:
    return "limit" if hand.form.limit == "limit" else ""


def _made_good(hand: Hand, notes: Notes, seat: int, total: int, everything: int) -> int:
    """What a bet to `total`, which is less than the least bet, counts as, as far as the stack goes."""
    least = limits.least(hand)
    if total < everything:
        word = "underraise" if hand.round.current else "underbet"
        hand.find(notes, word, args={"least": least}, seat=seat, case=_in_limit(hand))
        total = min(least, everything)
    if total < least:
        hand.find(
            notes,
            "short-all-in",
            args={"total": total, "least": least},
            seat=seat,
        )
    return total


def _too_few(hand: Hand, notes: Notes, seat: int, total: int, kind: Kind) -> None:
    """A bet to `total`, which is less than the least bet, is the seat's to complete or to give up."""
    least = limits.least(hand)
    word = "underraise" if hand.round.current else "underbet"
    hand.find(notes, word, args={"least": least}, cause="choice", seat=seat)
    too_few_chips.leave(hand, seat, kind, total, min(least, hand.chips.whole(seat)))


def _not_open(hand: Hand, notes: Notes, seat: int, total: int) -> None:
    """The betting is not open to the seat: why not, if it wanted to put in more than the call."""
    current = hand.round.current
    if hand.round.closed and total > current:
        hand.find(
            notes,
            "raise-cap",
            "closed",
            seat=seat,
            case="closed",
        )
    elif limits.capped(hand) and total > current:
        hand.find(notes, "raise-cap", "all-raises", seat=seat)
    elif min(total, hand.chips.whole(seat)) > current and (
        seat in hand.round.acted or seat in hand.bindings.no_raise
    ):
        hand.find(
            notes,
            "not-reopened",
            seat=seat,
            case=_in_limit(hand),
        )


def fixed(hand: Hand, notes: Notes, seat: int, kind: str, total: int) -> None:
    """An action whose amount the floor has fixed: nothing is made good and nothing cut down."""
    betting, chips = hand.round, hand.chips
    if total > betting.current and kind != "call":
        limits.count(hand, total, all_in=total == chips.whole(seat))
        chips.pay(seat, total - chips.bet[seat])
        said: Kind = "raise" if kind == "raise" else "bet"
        betting.bet(seat, total)
        record(hand, notes, seat, said, total)
    else:
        chips.pay(seat, min(total, betting.current) - chips.bet[seat])
        record(hand, notes, seat, "call" if betting.current else "check", chips.bet[seat])


def record(hand: Hand, notes: Notes, seat: int, kind: Kind, total: int) -> None:
    """Record an action that was taken."""
    betting = hand.round
    betting.act(seat, kind, total)
    hand.bindings.act(seat)
    if betting.wrong is not None:
        wrong_amounts.acted(hand, notes, seat, kind, betting.wrong)
        total = hand.chips.bet[seat]
    notes.rule(seat, kind, total)


def drop(hand: Hand, seat: int) -> None:
    """The seat folded. In seven-card stud, if nobody has bet in the round yet, it may by book be dealt
    further cards until somebody does, so that the fold gives nobody another card than was coming to it.
    """
    hand.drop(seat)
    if hand.round.aggressor is None and hand.form.seven_card_stud and hand.book.folded_gets_cards:
        hand.deal_on_to(seat)
