"""The dealer's shuffle by hand, step by step, if a table reports it (SHUFFLE, STRIP, CUT, WASH of the club).

Theory. What is reported as a whole (`shuffled`) needs no steps. From the first riffle or strip on, the table
reports its steps, and each cycle is judged when the deck is cut or, at the latest, with the first card.

| the cycle | found |
| --- | --- |
| riffle, strip, riffle, riffle, then the cut | nothing; squaring in between is free |
| a step is not there | `step-missing` |
| all steps, in another order | `step-order` |
| a strip of another number of packets than four | `strip-packets`, at once |
| a second cut | `cut-twice` |
| a wash without a reason | `wash-not-due` |
| a new dealer riffles before washing | `wash-missing` |

A wash has a reason when a dealer or the cards have changed, after a void hand, and when the stub ran short or
cards were replaced.
"""

from collections import Counter
from typing import Final, Literal

import msgspec

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.engine.shuffle_state import Cycle
from tablebridge.model.events import Deal, Dealt, TableEvent
from tablebridge.model.shuffle_events import Riffle, Square, Strip, Wash

_CYCLE: Final = ("riffle", "strip", "riffle", "riffle")
_WHOLE: Final = "whole"
_PACKETS: Final = 4
_MOST_STEPS: Final = 40
"""More steps of one cycle are not remembered."""
_REPLACES: Final = frozenset({"replace-deck", "replace-card", "merge-burns", "reshuffle-stub", "reshuffle"})
"""Steps of a remedy after which cards are mixed again."""

Wrong = Literal["step-missing", "step-order", "strip-packets", "wash-missing", "wash-not-due", "cut-twice"]


def step(setup: Setup, hand: Hand | None, notes: Notes, event: Riffle | Strip | Square) -> None:
    """The dealer did a step of the shuffle."""
    setup.reports_shuffles = True
    if isinstance(event, Square):
        return
    cycle = setup.cycle
    if cycle.wash == "due":
        _found(setup, notes, "wash-missing")
    name = "strip" if isinstance(event, Strip) else "riffle"
    steps = (*cycle.steps, name)[-_MOST_STEPS:]
    setup.cycle = Cycle(steps, reported=True, wash="")
    if isinstance(event, Strip) and event.packets != _PACKETS:
        _found(setup, notes, "strip-packets", packets=event.packets)
    if hand is not None and not hand.over:
        hand.shuffle.report()
    else:
        setup.shuffled = True


def whole(setup: Setup) -> None:
    """The deck was shuffled, as a whole."""
    if setup.cycle.reported:
        setup.cycle = msgspec.structs.replace(setup.cycle, steps=(_WHOLE,), cut=False)


def cut(setup: Setup, notes: Notes) -> None:
    """The deck was cut: the cycle is over."""
    cycle = setup.cycle
    if not cycle.reported:
        return
    if cycle.cut and not cycle.steps:
        _found(setup, notes, "cut-twice")
    else:
        _judge(setup, notes)
    setup.cycle = msgspec.structs.replace(cycle, steps=(), cut=True)


def off_the_deck(setup: Setup, hand: Hand, notes: Notes, event: TableEvent, before: int) -> None:
    """The first card has left the deck: a cycle that no cut ended is over, too. `before`: how many cards had
    left it before this entry.
    """
    if before == 0 and (hand.felt.off_deck or isinstance(event, (Deal, Dealt))):
        if not setup.cycle.cut:
            _judge(setup, notes)
        setup.cycle = msgspec.structs.replace(setup.cycle, steps=(), cut=False)


def wash(setup: Setup, hand: Hand | None, notes: Notes, event: Wash) -> None:
    """The cards are washed: with a reason, or without."""
    setup.reports_shuffles = True
    under_way = hand is not None and not hand.over and hand.felt.off_deck > 0
    reason = setup.cycle.wash != "" or (under_way and hand is not None and _replaced(hand))
    if not reason:
        _found(setup, notes, "wash-not-due")
    setup.cycle = msgspec.structs.replace(setup.cycle, wash="")


def changed(setup: Setup, *, dealer: bool) -> None:
    """The dealer has changed, or the cards: a wash has a reason, and by a new dealer is due."""
    setup.cycle = msgspec.structs.replace(setup.cycle, wash="due" if dealer else "allowed")


def after_hand(setup: Setup, hand: Hand) -> None:
    """The hand is over: whether the cards may be washed before the next."""
    cycle = setup.cycle
    if cycle.wash == "due":
        return
    wash: Literal["", "allowed"] = "allowed" if hand.street == "void" or _replaced(hand) else ""
    if wash != cycle.wash or cycle.cut:
        setup.cycle = msgspec.structs.replace(cycle, wash=wash, cut=False)


def _replaced(hand: Hand) -> bool:
    """Whether cards of this hand had to be replaced, or the stub ran short."""
    return any(not _REPLACES.isdisjoint(finding.remedy) for finding in hand.findings)


def _judge(setup: Setup, notes: Notes) -> None:
    """The cycle is over: were all its steps done, in their order?"""
    steps = setup.cycle.steps
    if _WHOLE in steps:
        return
    rest = iter(steps)
    if all(due in rest for due in _CYCLE):
        return
    missing = Counter(_CYCLE) - Counter(steps)
    _found(setup, notes, "step-missing" if missing else "step-order")


def _found(setup: Setup, notes: Notes, cause: Wrong, *, packets: int = 0) -> None:
    """Report what is wrong, if the book says how its dealers shuffle."""
    if setup.book.rule("shuffle-wrong", cause) is not None:
        remedy = ("complete-cycle",) if cause in ("step-missing", "step-order", "strip-packets") else ()
        notes.find(setup.book, "shuffle-wrong", args={"packets": packets}, cause=cause, remedy=remedy)
