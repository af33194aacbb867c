"""Stacks that antennas counted between hands, against those of the record. A count never changes a stack.

| the count, with its error | found |
| --- | --- |
| holds the stack of the record | nothing; what was found of the seat is settled |
| lies below it | `stack-mismatch` less, by what is missing at least |
| lies above it | `stack-mismatch` more, by what is too much at least |

The same difference is found once. During a hand stacks change faster than they are counted: nothing is
judged.
"""

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import UNKNOWN_STACK, Setup
from tablebridge.model.chip_events import StackChips


def counted(setup: Setup, hand: Hand | None, notes: Notes, event: StackChips) -> None:
    """The stack of a seat was read."""
    if hand is not None and not hand.over:
        notes.ignored = "A hand is under way: stacks are counted when it is over."
        return
    if event.seat not in setup.seats:
        notes.ignored = f"Nobody sits at seat {event.seat}."
        return
    worth, seat, stack = sum(event.chips), event.seat, setup.stack(event.seat)
    least, most = max(0, worth - event.less), worth + event.more
    setup.stack_counts = {**setup.stack_counts, seat: (least, most)}
    if stack >= UNKNOWN_STACK:
        return
    variance = min(most - stack, 0) or max(least - stack, 0)
    before = setup.stack_findings.get(seat)
    if before is not None and before[0] == variance:
        return
    setup.stack_findings = {other: of for other, of in setup.stack_findings.items() if other != seat}
    if variance:
        notes.find(
            setup.book,
            "stack-mismatch",
            "less" if variance < 0 else "more",
            args={"by": abs(variance), "stack": stack},
            seat=seat,
            remedy=("call-floor",),
        )
        setup.stack_findings[seat] = (variance, notes.findings[-1])


def hand_begins(setup: Setup) -> None:
    """Blinds are posted: what was counted between hands holds no longer."""
    setup.stack_counts = {}
