"""How silent chips and spoken words are taken (TDA 40 to 57): the step from what a player did to a clear
action.

Theory. Chips pushed forward in one motion are judged with the seat's chips of this round that still lie
before it:

| chips in all against the bet | taken as |
| --- | --- |
| no bet to face | a bet of the chips |
| less than the call, not all-in | a full call heads-up or against the opening bet, otherwise the floor's (51-B) |
| the call exactly | a call |
| more, one chip | a call: overchip (44) |
| more, several chips, none of which can be spared | a call (45-A) |
| more, and one can be spared: half a raise or more | a raise, made good to a full one (43-A, 45-B) |
| more, and one can be spared: less than half | a call (43-A) |
| more, and one can be spared: the last chips | all-in (45-B(2)) |
| prior chips partly pulled back, or covering the call | half a raise or more is a raise, else a call (46-C(2)) |
| after the seat said "raise" | a raise, made good to a full one (43-A, 44) |

An amount said alone is the same as chips of that amount. A general word waits for its chips, and binds
meanwhile.
"""

from dataclasses import dataclass

from tablebridge.engine.betting import actions, forfeits, limits
from tablebridge.engine.chips import counting
from tablebridge.engine.declarations import Said, understand
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.events import Action, ChipsBack, ChipsIn, Post, Say

_TOLD = {
    "overchip": "one oversized chip is a {action}",
    "multi-chip-call": "no chip of these can be spared: a call",
    "multi-chip-raise": "several chips, one of which can be spared, are a raise",
    "half-raise": "half a raise or more, made good to a full raise",
    "under-half": "less than half a raise: a call",
    "prior-chips": "judged together with the chips in front",
    "declared": "taken as declared",
    "unclear-amount": "the highest meaning that is not above the pot",
}
_SHOWN = 20
"""Letters of an unknown word that a sentence repeats."""
_ABOVE_THE_POT = "the lowest meaning; every one that is enough for a bet or call is above the pot"


@dataclass(frozen=True, slots=True)
class Taken:
    """`action` and its `total`; `put`: chips in all; `cause` of the `bet-ruled`, `case` where the book has
    several.
    """

    action: str
    total: int
    put: int
    cause: str | None = None
    case: str = ""


def action(hand: Hand, notes: Notes, event: Action) -> None:
    """A clear declaration."""
    seat = event.seat
    if seat not in hand.felt.cards:
        notes.ignored = f"Seat {seat} is not in the hand."
        return
    if hand.round.declared is not None and event.action != "fold" and _before_amount(hand, notes, seat):
        return
    if seat == hand.round.to_act:
        put = 0
        if event.amount is not None or event.action == "allin":
            whole = actions.whole(hand, seat)
            put = (
                min(event.amount or 0, whole)
                if event.action != "allin" or not hand.chips.known(seat)
                else whole
            )
        actions.act(hand, notes, seat, event.action, event.amount)
        if put and hand.round.turn_from == seat and put > hand.chips.bet[seat]:
            # What was cut down, or was no raise, goes back.
            notes.give_back(seat, put - hand.chips.bet[seat])
        _taken(hand, notes, seat, "words")
    else:
        actions.declare(hand, notes, seat, event.action, event.amount)


def chips_in(hand: Hand, notes: Notes, event: ChipsIn) -> None:
    """Chips are pushed forward in one motion."""
    seat, chips = event.seat, tuple(chip for chip in event.chips if chip > 0)
    if seat not in hand.live or not chips:
        notes.ignored = f"Seat {seat} has no live hand."
        return
    counting.denominations(hand, notes, chips, seat)
    counting.shown(hand, seat, chips)
    if seat != hand.round.to_act:
        if hand.round.turn_from == seat and hand.round.motion is not None and hand.round.motion[0] == seat:
            _second_motion(hand, notes, seat, chips)
        elif (
            hand.round.to_act is not None
            and hand.round.undercall is not None
            and _prior(hand, seat) + sum(chips) < hand.round.current
        ):
            hand.find(
                notes,
                "undercall",
                f"Seat {seat} put in less than the call behind another undercall; action goes back.",
                cause="floor",
                seat=seat,
                remedy=("back-up-action", "call-floor"),
            )
        elif not hand.chips.stack[seat] and hand.chips.paid[seat] and hand.round.motion != (seat, "words"):
            hand.find(
                notes,
                "all-in-not-all-in",
                f"Chips were found behind the all-in of seat {seat}; the floor rules.",
                seat=seat,
            )
        elif hand.round.to_act is not None:
            taken = _judge(hand, seat, chips)
            actions.declare(hand, notes, seat, taken.action, taken.total)
        return
    if _before_amount(hand, notes, seat):
        return
    facing = hand.round.current > hand.chips.bet[seat]
    prior = _prior(hand, seat)
    put = prior + sum(chips)
    if hand.round.declared == seat and facing and put == hand.round.current and hand.book.two_motions:
        # The call of a raise in two motions (TDA 2017, 46): the chips of the raise are to follow.
        actions.pay(hand, seat, put - hand.chips.bet[seat])
        hand.counted.fronts.pop(seat, None)
    elif hand.round.declared == seat:
        _declared(hand, notes, seat)
        actions.act(hand, notes, seat, "raise" if hand.round.current else "bet", put)
        # What is made good wants more chips; whose chips were enough has made its motion.
        _taken(hand, notes, seat, "words" if put < hand.chips.bet[seat] else "chips")
    elif facing and put < min(hand.round.current, actions.whole(hand, seat)):
        _undercall(hand, notes, seat, put)
    else:
        _apply(hand, notes, seat, _judge(hand, seat, chips))
        _taken(hand, notes, seat, "chips")


def chips_back(hand: Hand, notes: Notes, event: ChipsBack) -> None:
    """A seat pulls back chips of its earlier bet: facing a raise, that binds it to call or raise (46-B)."""
    seat = event.seat
    if seat not in hand.live or hand.round.current <= hand.chips.bet[seat]:
        notes.ignored = f"Seat {seat} faces no bet with a live hand: its chips bind it to nothing."
        return
    front = hand.counted.fronts.setdefault(seat, [hand.chips.bet[seat]] if hand.chips.bet[seat] else [])
    if event.everything:
        front.clear()
    else:
        left = max(sum(front) - sum(event.chips), 0)
        front[:] = [left] if left else []
    counting.pulled_back(hand, seat, None if event.everything else event.chips)
    hand.round.pulled.add(seat)
    hand.round.no_fold.add(seat)


def post(hand: Hand, notes: Notes, event: Post) -> None:
    """The chips with which a seat posted its blind."""
    if event.seat in hand.live:
        hand.counted.fronts[event.seat] = [chip for chip in event.chips if chip > 0]
        hand.counted.posted[event.seat] = sum(hand.counted.fronts[event.seat])


def say(hand: Hand, notes: Notes, event: Say) -> None:
    """A declaration in the player's words."""
    seat, said = event.seat, understand(event.words)
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
        return
    if said.meaning == "board":
        if seat not in hand.showdown.tabled:
            hand.find(
                notes,
                "not-all-tabled",
                f"Seat {seat} plays the board: all its cards must be tabled for that.",
                seat=seat,
                case="board",
            )
        return
    if said.unknown:
        notes.ignored = (
            f"“{said.unknown[:_SHOWN]}” is not understood, so nothing of what seat {seat} said is ruled on."
        )
        return
    if said.meaning == "none" or hand.round.to_act is None:
        notes.ignored = "The words declare nothing that can bind now."
        return
    if said.meaning == "conditional":
        hand.find(
            notes,
            "invalid-declaration",
            f"Seat {seat} declared on a condition; the floor may hold it to that.",
            cause="conditional",
            seat=seat,
        )
        return
    if _before_amount(hand, notes, seat):
        return
    if seat != hand.round.to_act:
        _said_out_of_turn(hand, notes, seat, said)
    elif said.amount is not None:
        _amount(hand, notes, seat, said)
    elif said.least:
        _declared(hand, notes, seat, case="declared-raise" if said.meaning == "raise" else "")
        actions.act(hand, notes, seat, said.meaning, None)
        _taken(hand, notes, seat, "words")
    elif said.meaning in ("bet", "raise", "pot"):
        _general(hand, notes, seat, said)
    else:
        # To complete is to raise a bring-in, and to call with the small blind.
        plain = said.meaning if said.meaning != "complete" else "call" if hand.form.button else "raise"
        if plain not in ("check", "call") or (plain == "call") == (hand.round.current > hand.chips.bet[seat]):
            _declared(hand, notes, seat)
        actions.act(hand, notes, seat, plain, None)
        _taken(hand, notes, seat, "words")


def floor_rules(hand: Hand, notes: Notes, seat: int, ruling: str) -> None:
    """The floor has an undercall made a full call, or forfeited with the hand (51-B)."""
    if seat != hand.round.to_act:
        notes.ignored = f"Seat {seat} is not to act: there is no {ruling} to rule."
        return
    if hand.round.undercall is not None and hand.round.undercall[0] == seat and ruling == "fold":
        actions.pay(hand, seat, hand.round.undercall[1] - hand.chips.bet[seat])
    hand.round.undercall = None
    actions.act(hand, notes, seat, ruling, None)
    _taken(hand, notes, seat, "words")


def _judge(hand: Hand, seat: int, chips: tuple[int, ...], *, spare: bool | None = None) -> Taken:
    """What these chips are, at the seat's turn. `spare`: whether one can be spared, where the chips do not
    tell.
    """
    prior = _prior(hand, seat)
    put = prior + sum(chips)
    current = hand.round.current
    if seat == hand.round.bringer and len(chips) == 1:
        return Taken("bet", min(put, hand.stakes.bring_in), put)
    if current <= hand.chips.bet[seat] and not current:
        return Taken("bet", put, put, "overchip" if len(chips) == 1 and chips[0] > hand.round.least else None)
    if put <= current:
        return Taken("call", current, put)
    half = 2 * (put - current) >= hand.round.least
    full = put - current >= hand.round.least
    judged = hand.book.rule("bet-ruled", "prior-chips") is not None
    covering = prior > hand.chips.bet[seat] and prior >= current
    if judged and ((seat in hand.round.pulled and prior > 0) or covering):
        return Taken("raise" if half else "call", put, put, "prior-chips", "prior-chips-sum")
    facing = current > hand.chips.bet[seat]
    if spare is None:
        if facing and len(chips) == 1:
            return Taken("call", put, put, "overchip")
        spare = not facing or put - min(chips) >= current
    if not spare and hand.book.several_chips != "half-of-all":
        return Taken("call", put, put, "multi-chip-call")
    if spare and put >= actions.whole(hand, seat):
        return Taken("allin", put, put)
    if judged and facing and (seat in hand.counted.fronts or hand.chips.bet[seat] > 0):
        return Taken("raise" if half else "call", put, put, "prior-chips")
    if full or hand.book.several_chips == "raise":
        return Taken("raise", put, put, "multi-chip-raise")
    return Taken("raise", put, put, "half-raise") if half else Taken("call", put, put, "under-half")


def _apply(
    hand: Hand, notes: Notes, seat: int, taken: Taken, *, told: str | None = None, sentence: str | None = None
) -> None:
    """Do what the chips were taken as; what is too much goes back."""
    cause = told or taken.cause
    if cause is not None:
        told_of = _TOLD[cause].format(action=taken.action)
        hand.find(
            notes,
            "bet-ruled",
            f"Seat {seat}'s action was ruled: {sentence or told_of}.",
            cause=cause,
            seat=seat,
            case=taken.case if cause == taken.cause else "",
        )
    total, before = taken.total, forfeits.standing(hand)
    if taken.action == "raise" and taken.cause is not None:
        # Half a raise is made good here, so that it is told as what it is and not as an underraise.
        total = max(total, min(limits.least(hand), actions.whole(hand, seat)))
    if taken.action == "call" and hand.round.current <= hand.chips.bet[seat]:
        actions.act(hand, notes, seat, "check", None)
    else:
        actions.act(hand, notes, seat, taken.action, total)
    if taken.action == "raise" and hand.round.turn_from == seat and taken.put:
        forfeits.made_good(hand, seat, taken.put, before)
    excess = min(taken.put, hand.chips.bet[seat] + hand.chips.stack[seat]) - hand.chips.bet[seat]
    if excess > 0:
        notes.give_back(seat, excess)


def _meant(hand: Hand, said: Said) -> tuple[int, str | None]:
    """The total that an amount means, and how it was ruled if it could mean several (57)."""
    amount = said.amount or 0
    # What is said to come on top is so over a bet only.
    base = hand.round.current if said.more else 0
    least = hand.round.current + (hand.round.least if said.more else 0) or limits.street_bet(hand)
    valid = [base + meaning for meaning in said.meanings if base + meaning >= least]
    if not valid or (said.clear and base + amount >= least):
        return base + amount, None
    within = [total for total in valid if total <= hand.chips.pot()]
    if within:
        return within[-1], _TOLD["unclear-amount"]
    # Who says "three fifty" names hundreds, and means no thousands that the pot does not suggest.
    return valid[0] if said.clear or amount < 100 else base + amount, _ABOVE_THE_POT


def _amount(hand: Hand, notes: Notes, seat: int, said: Said) -> None:
    """An amount was said, alone or with bet or raise."""
    amount, unclear = _meant(hand, said)
    told = "unclear-amount" if unclear else "declared"
    case = "declared-raise" if told == "declared" and said.meaning == "raise" else ""
    if said.meaning in ("bet", "raise") or not hand.round.current:
        _declared(hand, notes, seat, told, case, unclear)
        actions.act(hand, notes, seat, "raise" if said.meaning == "raise" else "bet", amount)
    elif hand.round.current > hand.chips.bet[seat] and amount < min(
        hand.round.current, actions.whole(hand, seat)
    ):
        _undercall(hand, notes, seat, amount)
        return
    else:
        put = max(amount - _prior(hand, seat), 0)
        taken = _judge(hand, seat, (put,), spare=True)
        # No chips lie there yet that could go back.
        _apply(
            hand,
            notes,
            seat,
            Taken(taken.action, taken.total, 0, taken.cause, taken.case),
            told=told,
            sentence=unclear,
        )
    _taken(hand, notes, seat, "words")


def _declared(
    hand: Hand,
    notes: Notes,
    seat: int,
    cause: str = "declared",
    case: str = "",
    sentence: str | None = None,
) -> None:
    hand.find(
        notes,
        "bet-ruled",
        f"Seat {seat}'s declaration was ruled: {sentence or _TOLD[cause]}.",
        cause=cause,
        seat=seat,
        case=case,
    )


def _general(hand: Hand, notes: Notes, seat: int, said: Said) -> None:
    """Bet, raise or pot without an amount: it binds to a valid bet or raise, the chips are to tell which. In
    limit there is one amount only, unless an open pair allows another.
    """
    if said.meaning == "pot" and hand.form.limit == "pot-limit":
        _declared(hand, notes, seat)
        actions.act(hand, notes, seat, "pot", None)
        _taken(hand, notes, seat, "words")
        return
    if (
        said.meaning != "pot"
        and hand.form.limit == "limit"
        and not hand.round.doubled
        and seat != hand.round.bringer
    ):
        _declared(hand, notes, seat)
        actions.act(hand, notes, seat, said.meaning, None)
        _taken(hand, notes, seat, "words")
        return
    if said.meaning == "pot":
        hand.find(
            notes,
            "invalid-declaration",
            f"Seat {seat} said pot, which is no bet in no-limit; a valid bet is due.",
            cause="pot-in-no-limit",
            seat=seat,
        )
    elif said.meaning == "raise" and not hand.round.current:
        hand.find(
            notes,
            "invalid-declaration",
            f"Seat {seat} said raise with no bet to raise; a least bet at least is due.",
            cause="raise-without-bet",
            seat=seat,
        )
    hand.round.must_bet.add(seat)
    hand.round.declared = seat


def _said_out_of_turn(hand: Hand, notes: Notes, seat: int, said: Said) -> None:
    if said.meaning in ("bet", "raise", "pot", "amount", "complete"):
        kind = "raise" if hand.round.current else "bet"
        amount = None if said.amount is None else _meant(hand, said)[0]
        if said.meaning == "pot" and hand.form.limit == "pot-limit":
            kind = "pot"
        if amount is not None and said.meaning == "amount" and amount <= hand.round.current:
            kind = "call"
        actions.declare(hand, notes, seat, kind, amount)
    else:
        actions.declare(hand, notes, seat, said.meaning, None)


def _before_amount(hand: Hand, notes: Notes, seat: int) -> bool:
    """Whether somebody else has declared a bet whose amount is not known yet (59-B)."""
    if hand.round.declared is None or hand.round.declared == seat or hand.round.declared != hand.round.to_act:
        return False
    hand.find(
        notes,
        "invalid-declaration",
        f"Seat {seat} acted before the amount of seat {hand.round.declared}'s bet was known; "
        "the floor may hold it to any amount.",
        cause="before-amount",
        seat=seat,
    )
    return True


def _undercall(hand: Hand, notes: Notes, seat: int, put: int) -> None:
    if hand.book.undercall == "choice":
        hand.find(
            notes,
            "undercall",
            f"Seat {seat} put in less than the call: it completes it, or folds and forfeits it.",
            cause="choice",
            seat=seat,
        )
        actions.pay(hand, seat, put - hand.chips.bet[seat])
        hand.round.no_raise.add(seat)
    elif len(hand.live) == 2 or hand.round.raises <= 1:
        hand.find(
            notes,
            "undercall",
            f"Seat {seat} put in less than the call; it is a full call.",
            cause="must-call",
            seat=seat,
        )
        actions.call(hand, notes, seat)
        _taken(hand, notes, seat, "chips")
    else:
        hand.find(
            notes,
            "undercall",
            f"Seat {seat} put in less than the call; the floor rules: a full call, or a fold.",
            cause="floor",
            seat=seat,
        )
        hand.round.undercall = (seat, put)


def _second_motion(hand: Hand, notes: Notes, seat: int, chips: tuple[int, ...]) -> None:
    """Chips again, right after the seat's own action: the chips for its words, or a string bet."""
    assert hand.round.motion is not None
    if hand.round.motion[1] == "words":
        counting.for_words(hand, seat)
        change = counting.change(hand, seat, sum(chips))
        if change and hand.round.taken is not None:
            notes.rule(seat, hand.round.taken, hand.chips.bet[seat])
            notes.give_back(seat, change)
        return
    hand.find(
        notes, "string-bet", f"Seat {seat} pushed chips in a second motion; the first one stands.", seat=seat
    )
    if hand.round.taken is not None:
        notes.rule(seat, hand.round.taken, hand.chips.bet[seat])
    notes.give_back(seat, sum(chips))


def _taken(hand: Hand, notes: Notes, seat: int, motion: str) -> None:
    """An action in turn is complete, unless it left the seat its turn."""
    if hand.round.turn_from == seat:
        hand.round.motion = (seat, motion)
        if hand.counted.fronts:
            hand.counted.fronts.pop(seat, None)
        if hand.round.pulled:
            hand.round.pulled.discard(seat)
        if hand.round.declared == seat:
            hand.round.declared = None
    actions.settle(hand, notes)


def _prior(hand: Hand, seat: int) -> int:
    """What lies before the seat from this round: the chips as told, else what it has bet."""
    return sum(hand.counted.fronts[seat]) if seat in hand.counted.fronts else hand.chips.bet[seat]
