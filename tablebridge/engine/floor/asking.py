"""When the table waits for the floor: from a finding that calls it until a ruling, or until the hand goes on
all the same.

What is only noticed meanwhile, or changes nothing, does not end the waiting: a card that lies somewhere is no
decision.
"""

from typing import Final

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.chip_events import PotChips
from tablebridge.model.events import Back, Clock, Expose, Holds, Marked, Seen, TableEvent
from tablebridge.model.findings import Finding

_NOTICED: Final = frozenset({Seen, Holds, Marked, Back, Expose, Clock, PotChips})


def after(hand: Hand, notes: Notes, event: TableEvent) -> None:
    """An event of the hand was taken: whether the table still waits, and for what."""
    if hand.asked and (notes.ruled or not notes.ignored) and type(event) not in _NOTICED:
        hand.ask_no_more()
    if notes.findings:
        calling = [finding for finding in notes.findings if "call-floor" in finding.remedy]
        if calling:
            hand.ask(tuple(calling))


def asked(hand: Hand | None) -> tuple[Finding, ...]:
    """The findings on which the floor is to rule now: those that call it, and those of a misdeal that it has
    not let stand.
    """
    if hand is None or hand.street == "over":
        return ()
    if hand.street != "void":
        return hand.asked
    return (
        ()
        if hand.void_stands
        else tuple(
            finding
            for finding in hand.findings
            if finding.evidence[0] == hand.void_by and finding.severity in ("warning", "critical")
        )
    )
