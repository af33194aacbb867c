"""The betting round: whose turn it is, what a clear action does, when the round is over.

Theory. A seat has to act while it is live, has chips, and either has not acted in this round or has less in
front than the bet; except that the only seat with chips left need not act once it has matched what the others
have in front. The next to act is the first such seat after the one that acted last. When there is none, the
round is over, and what nobody called goes back to its owner. Where the house says that nobody tells the
betting (`house betting untold`), nobody ever has to act.

A raise adds at least the largest full bet or raise of the round, the big blind being the first (43-A).
All-ins below that raise the bet but not this least raise. A seat that has acted may raise again only if what
it faces, over any chain of short all-ins, is at least the least raise (47-A).

An action out of turn waits for its turn: it binds if the bet is still the same then, and is taken back
otherwise; a fold binds at once (53-A, `strays.py`).

A bring-in is a bet that its seat cannot decline. It is less than a full bet and counts as none: the least
raise completes it, and to its own seat the betting is open then.

| action | no bet to face | facing a bet |
| --- | --- | --- |
| fold | binds, may be penalised (58) | the hand is dead |
| check | a check | no check: call or fold is left (55) |
| call | a check (55-A) | the bet is matched, as far as the stack goes |
| bet, raise | at least the big blind (52-A) | at least the least raise (52-A), if open to the seat (47-A) |
| allin | a bet of any size | a call, or a raise of any size if open to the seat |
"""

from tablebridge.engine.betting import forfeits, limits, out_of_turn
from tablebridge.engine.betting.turns import next_to_act
from tablebridge.engine.cards import stub, upcards
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Kind, Notes
from tablebridge.engine.outcome import Ruled
from tablebridge.engine.parts.round import Pending
from tablebridge.engine.setup import UNTOLD


def to_call(hand: Hand, seat: int) -> int:
    """What the seat must add to call, as far as its stack goes."""
    return max(0, min(hand.round.current - hand.chips.bet[seat], hand.chips.stack[seat]))


def may_raise(hand: Hand, seat: int) -> bool:
    """Whether the betting is open to the seat: it has more than the call, and somebody is left who could put
    in more.
    """
    if (
        hand.chips.stack[seat] <= hand.round.current - hand.chips.bet[seat]
        or seat in hand.round.no_raise
        or limits.capped(hand)
    ):
        return False
    if seat in hand.round.acted and seat != hand.round.brought and not limits.open_again(hand, seat):
        return False
    for other in hand.live:
        if other != seat and hand.chips.stack[other] + hand.chips.bet[other] > hand.round.current:
            break
    else:
        return False
    return True


def choices(hand: Hand, seat: int) -> frozenset[str]:
    """What the seat may do at its turn, of fold, check, call, bet, raise."""
    if seat not in hand.live or hand.chips.stack[seat] <= 0 or hand.over or not hand.round.open:
        return frozenset()
    if seat == hand.round.bringer:
        return frozenset({"bet", "fold"} if hand.round.may_decline else {"bet"})
    facing = hand.round.current > hand.chips.bet[seat]
    kinds = {"fold", "call" if facing else "check"}
    if may_raise(hand, seat):
        kinds.add("raise" if hand.round.current else "bet")
    if seat in hand.round.no_fold:
        kinds.discard("fold")
    if seat in hand.round.must_bet and kinds & {"bet", "raise"}:
        kinds &= {"bet", "raise"}
    return frozenset(kinds)


def whole(hand: Hand, seat: int) -> int:
    """The total of the seat's bet if it puts everything in."""
    return hand.chips.bet[seat] + hand.chips.stack[seat]


def declare(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    """A clear declaration by a seat, in turn or not."""
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
    elif action == "fold" and hand.round.unfinished is not None and hand.round.unfinished.seat == seat:
        put = forfeits.forfeit(hand, hand.round.unfinished)
        _drop(hand, seat)
        _done(hand, notes, seat, "fold", put)
        settle(hand, notes)
    elif hand.round.to_act is None:
        _after_the_round(hand, notes, seat, action)
    elif seat == hand.round.to_act:
        act(hand, notes, seat, action, amount)
        settle(hand, notes)
    elif hand.chips.stack[seat] <= 0 and action != "fold":
        notes.ignored = f"Seat {seat} is all-in and has nothing to act on."
    else:
        _out_of_turn(hand, notes, seat, action, amount)


def act(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    """Take the action of the seat whose turn it is. `amount`: its total for the round, for bet and raise."""
    if seat == hand.round.bringer:
        _opens(hand, notes, seat, action, amount)
        return
    facing = hand.round.current > hand.chips.bet[seat]
    if seat in hand.round.must_bet and action in ("fold", "check", "call") and may_raise(hand, seat):
        action, amount = "bet", limits.least(hand)
    elif seat in hand.round.no_fold and action == "fold":
        action = "call"
    if action == "fold":
        if not facing:
            hand.find(
                notes,
                "fold-without-bet",
                f"Seat {seat} folded with no bet to face; the fold is binding.",
                seat=seat,
            )
        _fold(hand, notes, seat)
    elif action == "check":
        if facing:
            hand.find(
                notes,
                "invalid-declaration",
                f"Seat {seat} checked facing a bet; it may call or fold, not raise.",
                cause="check-facing-bet",
                seat=seat,
            )
            hand.round.no_raise.add(seat)
            return
        _done(hand, notes, seat, "check", hand.chips.bet[seat])
    elif action == "call":
        if facing:
            call(hand, notes, seat)
        else:
            hand.find(
                notes,
                "invalid-declaration",
                f"Seat {seat} called with no bet to call; it is a check.",
                cause="call-without-bet",
                seat=seat,
            )
            _done(hand, notes, seat, "check", hand.chips.bet[seat])
    elif action == "allin":
        if hand.chips.start[seat] >= UNTOLD:
            notes.ignored = f"Nobody told the stack of seat {seat}: the all-in is taken as a call."
            call(hand, notes, seat)
        elif whole(hand, seat) <= hand.round.current:
            call(hand, notes, seat)
        else:
            push(hand, notes, seat, whole(hand, seat), "allin")
    else:
        wanted = (
            amount
            if amount is not None
            else limits.pot_bet(hand, seat)
            if action == "pot"
            else limits.least(hand)
        )
        if action == "raise" and not hand.round.current:
            hand.find(
                notes,
                "invalid-declaration",
                f"Seat {seat} raised with no bet to raise; it is a bet.",
                cause="raise-without-bet",
                seat=seat,
            )
        push(hand, notes, seat, wanted, "raise" if hand.round.current else "bet")


def call(hand: Hand, notes: Notes, seat: int) -> None:
    """The seat matches the bet, as far as its stack goes."""
    pay(hand, seat, hand.round.current - hand.chips.bet[seat])
    _done(hand, notes, seat, "call", hand.chips.bet[seat])


def pay(hand: Hand, seat: int, amount: int) -> None:
    """Chips go from the stack in front of the seat, as far as it goes."""
    if amount <= 0:
        return
    stack = hand.chips.stack[seat]
    if amount > stack:
        amount = stack
    hand.chips.stack[seat] = stack - amount
    hand.chips.bet[seat] += amount
    hand.chips.paid[seat] += amount


def _opens(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    """The bring-in: what is not a bet of more than it, or a fold where that is allowed, is the bring-in."""
    bring_in = hand.stakes.bring_in
    hand.round.bringer = None
    if action == "fold" and hand.round.may_decline:
        _fold(hand, notes, seat)
        hand.round.bringer = next_to_act(hand)
        return
    named = bring_in if amount is None or action not in ("bet", "raise") else amount
    total = whole(hand, seat) if action == "allin" else named
    if min(total, whole(hand, seat)) > bring_in:
        push(hand, notes, seat, total, "allin" if action == "allin" else "bet")
        return
    if total < bring_in and total < whole(hand, seat):
        hand.find(
            notes,
            "underbet",
            f"Seat {seat} put in less than the bring-in of {bring_in}; it is made good.",
            seat=seat,
        )
    pay(hand, seat, bring_in)
    hand.round.current = bring_in
    hand.round.brought = seat
    _done(hand, notes, seat, "bet", hand.chips.bet[seat])


def push(hand: Hand, notes: Notes, seat: int, total: int, kind: Kind) -> None:
    """A bet or raise to `total`, made good or taken as a call where the rules want it."""
    most, least, everything = limits.most(hand, seat), limits.least(hand), whole(hand, seat)
    before, put = forfeits.standing(hand), total
    if not may_raise(hand, seat):
        _not_open(hand, notes, seat, total)
        if hand.round.current > hand.chips.bet[seat]:
            call(hand, notes, seat)
        else:
            _done(hand, notes, seat, "check", hand.chips.bet[seat])
        return
    if total > most and most < everything:
        hand.find(
            notes,
            "overbet",
            f"Seat {seat} put in more than the maximum of {most}; it is cut down.",
            cause="limit" if hand.form.limit == "limit" else "pot-limit",
            seat=seat,
            case="open-pair" if limits.undoubled(hand) else "",
        )
    total = min(total, most)
    if hand.round.doubled and least < total < most:
        hand.find(
            notes,
            "overbet",
            f"Seat {seat} put in neither the small bet nor the big one; it is cut down.",
            cause="limit",
            seat=seat,
        )
        total = least
    if total < least and total < everything:
        word = "underraise" if hand.round.current else "underbet"
        hand.find(
            notes, word, f"Seat {seat} put in less than the minimum of {least}; it is made good.", seat=seat
        )
        total = min(least, everything)
    if total < least:
        hand.find(
            notes,
            "short-all-in",
            f"Seat {seat} is all-in for {total}, less than a full bet or raise to {least}.",
            seat=seat,
        )
    limits.count(hand, total, all_in=total == everything)
    if hand.round.pot_count is not None:
        hand.round.pot_bet = (
            seat,
            limits.pot_bet(hand, seat),
            hand.round.actions + 1,
            hand.round.chip_actions + 1,
        )
    pay(hand, seat, total - hand.chips.bet[seat])
    hand.round.current = max(total, hand.round.current)
    if hand.still_dealt:
        hand.still_dealt.clear()
    hand.round.aggressor = seat
    _done(hand, notes, seat, kind, total)
    forfeits.made_good(hand, seat, put, before)


def settle(hand: Hand, notes: Notes) -> None:
    """Find whose turn it is now; let actions out of turn bind or go back when it is theirs; close the round."""
    while not hand.over:
        before = hand.round.to_act
        hand.round.to_act = next_to_act(hand)
        if hand.round.to_act != before:
            if hand.round.strays:
                hand.round.strays.clear()
            hand.round.skipped_reported = False
        if hand.round.pending and hand.book.released_chips == "back":
            out_of_turn.release(hand, notes)
        if not hand.round.pending:
            break
        waiting = next((one for one in hand.round.pending if one.seat == hand.round.to_act), None)
        if waiting is None:
            break
        hand.round.pending.remove(waiting)
        if not _turn_came(hand, notes, waiting):
            break
    if hand.round.to_act is not None:
        hand.round.open = True
    elif hand.round.open and not hand.over:
        _close_round(hand, notes)


def kill(hand: Hand, notes: Notes, seat: int) -> None:
    """The seat's hand is dead; what it bet stays in the pot."""
    hand.drop(seat)
    settle(hand, notes)


def return_uncalled(hand: Hand, notes: Notes) -> None:
    """What the highest bettor has in front above everybody else goes back to it (15-B, 21)."""
    bets = [*hand.chips.bet.values()]
    most = max(bets)
    if bets.count(most) > 1:
        return
    second = sorted(bets)[-2]
    excess = most - second
    top = max(hand.order, key=hand.chips.bet.__getitem__)
    hand.chips.bet[top] -= excess
    hand.chips.paid[top] -= excess
    hand.chips.stack[top] += excess
    hand.round.current = min(hand.round.current, second)
    notes.give_back(top, excess)
    hand.find(notes, "uncalled-bet", f"Nobody called {excess} of seat {top}'s bet; it goes back.", seat=top)


def _done(hand: Hand, notes: Notes, seat: int, kind: Kind, total: int) -> None:
    """Book an action that was taken."""
    hand.round.unfinished = None
    hand.round.acted.add(seat)
    hand.round.answered.add(seat)
    hand.round.ever_acted.add(seat)
    hand.round.turn_from = seat
    hand.round.actions += 1
    hand.round.street_actions += 1
    hand.round.taken = kind
    if kind in ("check", "fold"):
        hand.round.last[seat] = kind
    else:
        hand.round.chip_actions += 1
        hand.round.last[seat] = f"{kind} {total}"
    if hand.round.no_raise or hand.round.no_fold or hand.round.must_bet:
        hand.round.no_raise.discard(seat)
        hand.round.no_fold.discard(seat)
        hand.round.must_bet.discard(seat)
    notes.ruled += (Ruled(seat, kind, total),)


def _fold(hand: Hand, notes: Notes, seat: int) -> None:
    _drop(hand, seat)
    _done(hand, notes, seat, "fold", hand.chips.bet[seat])


def _drop(hand: Hand, seat: int) -> None:
    """The seat folded. In seven-card stud, where nobody has bet in the round yet, it may by book be dealt
    further cards until somebody does, so that the fold gives nobody another card than was coming to it.
    """
    hand.drop(seat)
    if hand.round.aggressor is None and hand.form.seven_card_stud and hand.book.folded_gets_cards:
        hand.still_dealt.add(seat)


def _not_open(hand: Hand, notes: Notes, seat: int, total: int) -> None:
    if hand.round.closed and total > hand.round.current:
        hand.find(
            notes,
            "raise-cap",
            f"A card came before the betting was over: seat {seat} may put in no more than was bet.",
            seat=seat,
            case="closed",
        )
    elif limits.capped(hand) and total > hand.round.current:
        hand.find(
            notes, "raise-cap", f"The round has all its raises: seat {seat} may only call or fold.", seat=seat
        )
    elif min(total, whole(hand, seat)) > hand.round.current and (
        seat in hand.round.acted or seat in hand.round.no_raise
    ):
        hand.find(
            notes,
            "not-reopened",
            f"The betting is not open to seat {seat}; it may only call or fold.",
            seat=seat,
            case="limit" if hand.form.limit == "limit" else "",
        )


def _turn_came(hand: Hand, notes: Notes, waiting: Pending) -> bool:
    """It is the turn of a seat that acted before it. Whether its action binds."""
    seat = waiting.seat
    if hand.round.current == waiting.faced:
        hand.find(
            notes,
            "out-of-turn",
            f"The action to seat {seat} did not change: its action out of turn binds.",
            cause="binding",
            seat=seat,
            remedy=(),
        )
        before = hand.round.turn_from, len(notes.ruled)
        act(hand, notes, seat, waiting.action, waiting.amount)
        return (hand.round.turn_from, len(notes.ruled)) != before
    hand.find(
        notes,
        "out-of-turn",
        f"The action to seat {seat} changed after it acted out of turn: its chips stay in the pot.",
        cause="released",
        seat=seat,
    )
    if waiting.action in out_of_turn.WITH_CHIPS:
        pay(hand, seat, min(out_of_turn.held(hand, waiting), hand.round.current - hand.chips.bet[seat]))
        if not hand.chips.stack[seat]:
            # They were all that it had: there is nothing left to choose.
            call(hand, notes, seat)
            return True
    return False


def _out_of_turn(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    skipped = hand.round.to_act
    if action == "fold":
        hand.find(
            notes,
            "out-of-turn",
            f"Seat {seat} folded out of turn; the fold binds and the action is on seat {skipped}.",
            cause="binding",
            seat=seat,
            remedy=("back-up-action",),
        )
        uncalled = seat == hand.round.aggressor
        _drop(hand, seat)
        hand.round.last[seat] = "fold"
        notes.rule(seat, "fold", hand.chips.bet[seat])
        if uncalled:
            return_uncalled(hand, notes)
    else:
        hand.find(
            notes,
            "out-of-turn",
            f"Seat {seat} acted out of turn; the action is on seat {skipped}.",
            cause="pending",
            seat=seat,
        )
        hand.round.pending = [one for one in hand.round.pending if one.seat != seat]
        hand.round.pending.append(
            Pending(seat, action, whole(hand, seat) if action == "allin" else amount, hand.round.current)
        )
    out_of_turn.count(hand, notes, seat, action, skipped)
    settle(hand, notes)


def _after_the_round(hand: Hand, notes: Notes, seat: int, action: str) -> None:
    """An action when nobody has to act: only a fold can be meant."""
    if action == "fold" and len(hand.live) > 1:
        _drop(hand, seat)
        hand.round.last[seat] = "fold"
        notes.rule(seat, "fold", hand.chips.bet[seat])
        settle(hand, notes)
        return
    notes.ignored = "Nobody has to act now."
    if action in ("bet", "raise", "allin"):
        hand.find(
            notes,
            "out-of-turn",
            f"Seat {seat} acted while the betting is closed; its chips go back.",
            cause="released",
            seat=seat,
            remedy=(),
        )


def _close_round(hand: Hand, notes: Notes) -> None:
    hand.round.open = False
    hand.round.pending.clear()
    unraised_blind = (
        hand.street == hand.form.first.name and hand.round.aggressor is None and len(hand.live) < 2
    )
    if not unraised_blind:
        return_uncalled(hand, notes)
    if hand.street == hand.form.last.name and len(hand.live) > 1:
        hand.show_down()
        first = upcards.order(hand)[0]
        hand.find(notes, "show-order", f"Seat {first} shows first.", seat=first)
    # Where every stack has chips no seat is all-in.
    all_in = 0 in hand.chips.stack.values()
    if (
        all_in
        and not hand.showdown.face_up_reported
        and upcards.face_up(hand)
        and any(seat not in hand.showdown.tabled for seat in hand.live)
    ):
        hand.showdown.face_up_reported = True
        hand.find(
            notes, "must-be-face-up", "All-in and no more betting: all live hands must be turned face up."
        )
    if len(hand.live) > 1:
        stub.short(hand, notes)
