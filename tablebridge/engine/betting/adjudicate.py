"""How a ruling on an action is carried out: said why, executed, made good, and its turn ended."""

from tablebridge.engine.betting import actions, limits, rounds, too_few_chips, wrong_amounts
from tablebridge.engine.betting.judging import Judged
from tablebridge.engine.betting.turns import next_after
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.bindings import Motion
from tablebridge.engine.parts.round import Unfinished


def carry_out(
    hand: Hand,
    notes: Notes,
    seat: int,
    judged: Judged,
    *,
    cause: str | None = None,
    reason: str | None = None,
) -> None:
    """Do what the chips were judged to be; what is too much goes back. `cause`: that of the ruling, if it is
    not the one of the chips; `reason`: what its sentence gives as the reason, if that is not the cause.
    """
    cause = cause or judged.cause
    if cause is not None:
        case = judged.case if cause == judged.cause else ""
        _ruled(hand, notes, seat, "action", cause, case, reason, judged.action)
    betting, chips = hand.round, hand.chips
    total = judged.total
    if judged.action == "raise" and judged.cause is not None and hand.book.undercall != "choice":
        # Half a raise is made good here, so that it is reported as what it is and not as an underraise.
        total = max(total, min(limits.least(hand), chips.whole(seat)))
    if judged.action == "call" and betting.current <= chips.bet[seat]:
        actions.act(hand, notes, seat, "check", None)
    else:
        actions.act(hand, notes, seat, judged.action, total)
    excess = min(judged.put, chips.whole(seat)) - chips.bet[seat]
    if excess > 0:
        notes.give_back(seat, excess)


def declared(
    hand: Hand,
    notes: Notes,
    seat: int,
    cause: str = "declared",
    case: str = "",
    reason: str | None = None,
) -> None:
    """The seat's words were ruled on. `reason`: what the sentence gives as one, if that is not the cause."""
    _ruled(hand, notes, seat, "declaration", cause, case, reason)


def complete(hand: Hand, notes: Notes, seat: int, motion: Motion) -> None:
    """An action in turn is complete, unless it left the seat its turn."""
    if hand.round.turn_from == seat:
        hand.bindings.complete(seat, motion)
        if hand.counted.fronts:
            hand.counted.bet_stands(seat)
    rounds.settle(hand, notes)


def awaits_amount(hand: Hand, seat: int) -> bool:
    """Whether another seat has declared a bet whose amount is not known yet (59-B)."""
    declared = hand.bindings.declared
    return declared is not None and declared != seat and declared == hand.round.to_act


def acted_before_amount(hand: Hand, notes: Notes, seat: int) -> None:
    """The seat acted before the amount of another seat's bet was known."""
    hand.find(
        notes,
        "invalid-declaration",
        args={"other": hand.bindings.declared or 0},
        cause="before-amount",
        seat=seat,
    )


def undercall(hand: Hand, notes: Notes, seat: int, put: int) -> None:
    """The seat put in less than the call: its choice, a full call, or the floor's to rule (51-B)."""
    if hand.book.undercall == "choice":
        hand.find(
            notes,
            "undercall",
            cause="choice",
            seat=seat,
        )
        too_few_chips.leave(hand, seat, "call", put, min(hand.round.current, hand.chips.whole(seat)))
    elif len(hand.live) == 2 or hand.round.raises <= 1:
        hand.find(
            notes,
            "undercall",
            cause="must-call",
            seat=seat,
        )
        actions.call(hand, notes, seat)
        complete(hand, notes, seat, "chips")
    else:
        hand.find(
            notes,
            "undercall",
            cause="floor",
            seat=seat,
        )
        hand.bindings.put_less(seat, put)


def more_chips(hand: Hand, notes: Notes, seat: int, unfinished: Unfinished, chips: int) -> None:
    """The seat puts further chips to its too few."""
    put = unfinished.put + chips
    if put < unfinished.total:
        too_few_chips.leave(hand, seat, unfinished.kind, put, unfinished.total)
        return
    actions.act(hand, notes, seat, unfinished.kind, None)
    complete(hand, notes, seat, "chips")
    if put > hand.chips.bet[seat]:
        notes.give_back(seat, put - hand.chips.bet[seat])


def taken_as_completed(hand: Hand, notes: Notes, seat: int) -> None:
    """A seat acts behind too few chips of another: if it is the next, it takes them as completed."""
    unfinished = hand.round.unfinished
    if unfinished is not None and seat == next_after(hand, unfinished.seat):
        actions.act(hand, notes, unfinished.seat, unfinished.kind, None)
        complete(hand, notes, unfinished.seat, "words")


def floor_rules(hand: Hand, notes: Notes, seat: int, ruling: str) -> None:
    """The floor has an undercall made a full call, or forfeited with the hand (51-B)."""
    if seat != hand.round.to_act:
        notes.ignored = f"Seat {seat} is not to act: there is no {ruling} to rule."
        return
    less = hand.bindings.undercall
    if less is not None and less[0] == seat and ruling == "fold":
        hand.chips.pay(seat, less[1] - hand.chips.bet[seat])
    hand.bindings.ruled()
    actions.act(hand, notes, seat, ruling, None)
    complete(hand, notes, seat, "words")


def floor_fixes(hand: Hand, notes: Notes, seat: int, ruling: str, amount: int) -> None:
    """The floor fixes the action of a seat: `amount` is its total for the round, whatever a book asks.

    It is the action of the seat that is to act. For another seat it is the bet that stands, noticed to be
    wrong in time (52-A): who matched it is brought to the amount.
    """
    chips, betting = hand.chips, hand.round
    betting.went_wrong(None)
    if seat not in hand.live or not betting.open or hand.over:
        notes.ignored = f"The betting of this round is over: what seat {seat} put in stands."
        return
    if seat == betting.to_act:
        hand.bindings.ruled()
        too_few_chips.take_up(hand, seat)
        actions.fixed(hand, notes, seat, ruling, max(chips.bet[seat], min(amount, chips.whole(seat))))
        complete(hand, notes, seat, "words")
    elif chips.bet[seat] == betting.current and seat in betting.acted and ruling != "call":
        wrong_amounts.put_right(hand, seat, min(amount, chips.whole(seat)))
        notes.rule(seat, "raise" if ruling == "raise" else "bet", chips.bet[seat])
    else:
        notes.ignored = f"Seat {seat} is not to act, and the bet that stands is not its own."


def _ruled(
    hand: Hand,
    notes: Notes,
    seat: int,
    what: str,
    cause: str,
    case: str,
    reason: str | None,
    action: str = "",
) -> None:
    hand.find(
        notes,
        "bet-ruled",
        what,
        args={"reason": reason or cause, "action": action},
        cause=cause,
        seat=seat,
        case=case,
    )
