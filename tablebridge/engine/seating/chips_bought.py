"""Chips that players buy, announce, and take off the table between hands and during them (table stakes).

Chips that come or go during a hand count from the next one; who is not in the hand has them at once. No chip
is passed from player to player: what one seat takes off and another adds between two deals is reported of
both.
"""

from msgspec.structs import replace

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.seating.players import without
from tablebridge.engine.setup import UNKNOWN_STACK, Setup
from tablebridge.model.seat_events import Adds, Rebuys, Removes


def adds(setup: Setup, hand: Hand | None, notes: Notes, event: Adds) -> None:
    """A seated player bought chips."""
    seat = event.seat
    if not _is_seated(setup, notes, seat) or event.amount <= 0:
        return
    _change(setup, hand, seat, event.amount)
    if _in_hand(hand, seat):
        notes.find(setup.book, "chips-moved", args={"amount": event.amount}, cause="added", seat=seat)
    setup.seating = replace(setup.seating, bought=setup.seating.bought | {seat})
    _passed(setup, notes, setup.seating.taken - {seat}, seat)


def removes(setup: Setup, hand: Hand | None, notes: Notes, event: Removes) -> None:
    """A player who stays took chips off the table."""
    seat = event.seat
    if not _is_seated(setup, notes, seat) or event.amount <= 0:
        return
    if event.amount > setup.stack(seat):
        notes.ignored = f"Seat {seat} has fewer chips than that."
        return
    _change(setup, hand, seat, -event.amount)
    notes.find(setup.book, "chips-moved", args={"amount": event.amount}, cause="removed", seat=seat)
    setup.seating = replace(setup.seating, taken=setup.seating.taken | {seat})
    _passed(setup, notes, setup.seating.bought - {seat}, seat)


def rebuys(setup: Setup, hand: Hand | None, notes: Notes, event: Rebuys) -> None:
    """A rebuy is paid, or announced: then it plays behind until it is paid."""
    seat, seating = event.seat, setup.seating
    if not _is_seated(setup, notes, seat) or event.amount <= 0:
        return
    due = seating.declared.get(seat, 0)
    if event.declared:
        _change(setup, hand, seat, event.amount)
        setup.seating = replace(setup.seating, declared={**seating.declared, seat: due + event.amount})
        notes.find(setup.book, "rebuy-due", args={"amount": due + event.amount}, cause="declared", seat=seat)
        return
    if event.amount > due:
        _change(setup, hand, seat, event.amount - due)
    left = max(due - event.amount, 0)
    declared = without(seating.declared, seat)
    setup.seating = replace(setup.seating, declared={**declared, seat: left} if left else declared)


def hand_over(setup: Setup, hand: Hand) -> None:
    """The hand is over: what came to and left its stacks meanwhile counts now, and who left during it took
    along what he had then.
    """
    seating = setup.seating
    if seating.becomes or seating.adds:
        stacks = {**setup.stacks, **seating.becomes}
        for seat, amount in seating.adds.items():
            stacks[seat] = max(stacks.get(seat, setup.stack(seat)) + amount, 0)
        setup.stacks = stacks
        setup.seating = replace(seating, becomes={}, adds={})
    if not seating.gone:
        return
    gone = {
        seat: replace(left, amount=hand.chips.stack[seat])
        for seat, left in setup.seating.gone.items()
        if seat in hand.order and hand.chips.known(seat) and left.amount != hand.chips.stack[seat]
    }
    left_now = {seat: left for seat, left in gone.items() if seat not in setup.seats}
    if left_now:
        setup.seating = replace(setup.seating, gone=setup.seating.gone | left_now)


def _change(setup: Setup, hand: Hand | None, seat: int, amount: int) -> None:
    """The seat's stack is this much more, or less; nothing is known of one that nobody reported."""
    if setup.stack(seat) >= UNKNOWN_STACK:
        return
    if _in_hand(hand, seat):
        adds = setup.seating.adds
        setup.seating = replace(setup.seating, adds={**adds, seat: adds.get(seat, 0) + amount})
    else:
        setup.stacks = {**setup.stacks, seat: max(setup.stack(seat) + amount, 0)}


def _in_hand(hand: Hand | None, seat: int) -> bool:
    return hand is not None and not hand.over and seat in hand.order


def _passed(setup: Setup, notes: Notes, others: frozenset[int], seat: int) -> None:
    """Chips left one stack and came to another in one hand."""
    if others:
        for each in (min(others), seat):
            notes.find(setup.book, "chips-moved", cause="passed", seat=each)


def _is_seated(setup: Setup, notes: Notes, seat: int) -> bool:
    if seat in setup.seats:
        return True
    notes.ignored = f"Nobody sits at seat {seat}."
    return False
