"""Actions out of turn that wait, and the seat that they went past (TDA 53).

| the bet | an action out of turn |
| --- | --- |
| is the same when its turn comes | binds |
| has changed when all skipped seats have acted | goes back with its chips; by book the chips stay |

Substantial action past a silent seat is the floor's to rule on. By some books the seat answers calls and
checks as if it had not been skipped. By some books, too, a seat that the dealer asked to act too early may
change what it did until the next seat acts.
"""

from typing import Final

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.out_of_turn import Pending

WITH_CHIPS: Final = ("call", "bet", "raise", "allin")


def release(hand: Hand, notes: Notes) -> None:
    """A seat that acted out of turn on another bet than the present one takes its action back, if no seat
    before it is still to act.
    """
    to_act, early = hand.round.to_act, hand.out_of_turn
    for seat in () if to_act is None else (to_act, *hand.laps[to_act][:-1]):
        if seat not in hand.live or not hand.chips.stack[seat]:
            continue
        waiting = early.waiting(seat)
        if waiting is None or waiting.faced == hand.round.current:
            return
        early.release(waiting)
        hand.find(
            notes,
            "out-of-turn",
            "taken-back",
            cause="released",
            seat=seat,
        )
        chips = held(hand, waiting)
        if waiting.action in WITH_CHIPS and chips > 0:
            notes.give_back(seat, chips)


def may_change(hand: Hand, notes: Notes, waiting: Pending) -> None:
    """It is the turn of a seat that the dealer had asked to act before it: its action is its own to change,
    if the bet is still the same, and is taken back with its chips if not.
    """
    seat, same = waiting.seat, waiting.faced == hand.round.current
    hand.find(
        notes,
        "out-of-turn",
        "may-change" if same else "taken-back",
        cause="released",
        seat=seat,
        remedy=("ask-choice",) if same else ("return-excess",),
    )
    chips = held(hand, waiting)
    if same:
        hand.out_of_turn.let_change(waiting)
    elif waiting.action in WITH_CHIPS and chips > 0:
        notes.give_back(seat, chips)


def held(hand: Hand, waiting: Pending) -> int:
    """The chips that came with an action out of turn."""
    seat = waiting.seat
    amount = waiting.faced if waiting.amount is None else waiting.amount
    return min(amount, hand.chips.whole(seat)) - hand.chips.bet[seat]


def count(hand: Hand, notes: Notes, seat: int, action: str, skipped: int | None) -> None:
    """The seat acted past the one whose turn it is: is that substantial action by now? Of each seat the last
    word counts.
    """
    early = hand.out_of_turn
    early.went_past(seat, action)
    last = dict(early.strays)
    actions = set(last.values())
    if early.skipped_reported or len(last) < (2 if actions.intersection(WITH_CHIPS) else 3):
        return
    early.report_skipped()
    answers = hand.book.skipped_seat == "answers" and actions <= {"check", "call"}
    hand.find(
        notes,
        "skipped-player",
        "answers" if answers else "floor" if hand.book.rule("skipped-player") is None else "skipped-hand",
        seat=skipped,
        case="answers" if answers else "",
    )
