"""Chips that a seat pushes forward, pulls back or posts.

Theory. At its turn a seat's chips are judged (`judging.py`); less than the call is an undercall. Right after
its own action they are the chips for its words, or a second motion. Before its turn they are an action out of
turn.
"""

from tablebridge.engine.betting import actions, adjudicate, contradictions, rounds, too_few_chips
from tablebridge.engine.betting.judging import judge
from tablebridge.engine.chips import counting
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.events import ChipsBack, ChipsIn, Post


def chips_in(hand: Hand, notes: Notes, event: ChipsIn) -> None:
    """Chips are pushed forward in one motion."""
    seat, chips = event.seat, tuple(chip for chip in event.chips if chip > 0)
    if seat not in hand.live or not chips:
        notes.ignored = f"Seat {seat} has no live hand."
        return
    counting.denominations(hand, notes, chips, seat)
    counting.show(hand, seat, chips)
    if seat == hand.round.to_act:
        _in_turn(hand, notes, seat, chips)
    elif hand.bindings.motion is not None and hand.bindings.motion[0] == seat == hand.round.turn_from:
        _second_motion(hand, notes, seat, chips)
    else:
        _out_of_turn(hand, notes, seat, chips)


def chips_back(hand: Hand, notes: Notes, event: ChipsBack) -> None:
    """A seat pulls back chips of its earlier bet: facing a raise, that binds it to call or raise (46-B)."""
    seat = event.seat
    if hand.round.wrong is not None and hand.round.wrong.seat == seat:
        # What was too much went back: the amount is put right.
        hand.round.went_wrong(None)
        return
    if seat not in hand.live or hand.round.current <= hand.chips.bet[seat]:
        notes.ignored = f"Seat {seat} faces no bet with a live hand: its chips bind it to nothing."
        return
    hand.counted.pull_back(seat, hand.chips.bet[seat], None if event.everything else event.chips)
    hand.bindings.pull_back(seat)


def post(hand: Hand, notes: Notes, event: Post) -> None:
    """The chips with which a seat posted its blind."""
    if event.seat in hand.live:
        hand.counted.post(event.seat, [chip for chip in event.chips if chip > 0])


def _in_turn(hand: Hand, notes: Notes, seat: int, chips: tuple[int, ...]) -> None:
    """Chips of the seat that has to act."""
    unfinished = too_few_chips.of(hand, seat)
    if unfinished is not None:
        adjudicate.more_chips(hand, notes, seat, unfinished, sum(chips))
        return
    stacks, current = hand.chips, hand.round.current
    facing = current > stacks.bet[seat]
    put = hand.counted.in_front(seat, stacks.bet[seat]) + sum(chips)
    if hand.bindings.declared == seat and facing and put == current and hand.book.two_motions:
        # The call of a raise in two motions (TDA 2017, 46): the chips of the raise are to follow.
        stacks.pay(seat, put - stacks.bet[seat])
        hand.counted.bet_stands(seat)
    elif hand.bindings.declared == seat:
        adjudicate.declared(hand, notes, seat)
        actions.act(hand, notes, seat, "raise" if current else "bet", put)
        # What is made good wants more chips; whose chips were enough has made its motion.
        adjudicate.complete(hand, notes, seat, "words" if put < stacks.bet[seat] else "chips")
    elif facing and put < min(current, stacks.whole(seat)):
        if contradictions.called(hand, notes, seat, put, chips):
            return
        adjudicate.undercall(hand, notes, seat, put)
    else:
        adjudicate.carry_out(hand, notes, seat, judge(hand, seat, chips))
        adjudicate.complete(hand, notes, seat, "chips")


def answers(hand: Hand, notes: Notes, bettor: int) -> None:
    """The floor has fixed the bet of this seat: what called it is judged, if it is enough."""
    answer = hand.bindings.take_answer(bettor)
    if answer is None or answer.seat != hand.round.to_act:
        return
    put = hand.counted.in_front(answer.seat, hand.chips.bet[answer.seat]) + sum(answer.chips)
    if put >= min(hand.round.current, hand.chips.whole(answer.seat)):
        _in_turn(hand, notes, answer.seat, answer.chips)


def _out_of_turn(hand: Hand, notes: Notes, seat: int, chips: tuple[int, ...]) -> None:
    """Chips of a seat whose turn it is not."""
    stacks, to_act = hand.chips, hand.round.to_act
    put = hand.counted.in_front(seat, stacks.bet[seat]) + sum(chips)
    if to_act is not None and hand.bindings.undercall is not None and put < hand.round.current:
        hand.find(
            notes,
            "undercall",
            "behind-undercall",
            cause="floor",
            seat=seat,
            remedy=("back-up-action", "call-floor"),
        )
    elif not stacks.stack[seat] and stacks.paid[seat] and hand.bindings.motion != (seat, "words"):
        hand.find(
            notes,
            "all-in-not-all-in",
            "chips-behind",
            seat=seat,
        )
    elif to_act is not None:
        judged = judge(hand, seat, chips)
        rounds.declare(hand, notes, seat, judged.action, judged.total)


def _second_motion(hand: Hand, notes: Notes, seat: int, chips: tuple[int, ...]) -> None:
    """Chips again, right after the seat's own action: the chips for its words, or a string bet."""
    taken, bet = hand.round.taken, hand.chips.bet[seat]
    if hand.bindings.motion == (seat, "words"):
        hand.counted.for_declaration(seat)
        change = counting.change(hand, seat, sum(chips))
        if change and taken is not None:
            notes.rule(seat, taken, bet)
            notes.give_back(seat, change)
        return
    hand.find(notes, "string-bet", seat=seat)
    if taken is not None:
        notes.rule(seat, taken, bet)
    notes.give_back(seat, sum(chips))
