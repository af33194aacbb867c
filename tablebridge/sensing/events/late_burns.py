"""Burn cards that are sure only after their street was reported. Pure.

**Theory.** A burn may take longer to be believed than the street that came after it. Entered as it comes, it
would be taken for the burn of the street to come, and a second card burned for a street would not be noticed.
Nobody burns while the street is played, so the first read says to which street the card belongs.

| a card in the burns was first read                                 | it is of    |
| ------------------------------------------------------------------ | ----------- |
| before any card of the last street, which lies there               | that street |
| while its betting waits for the first act, `hold_s` after its      | that street |
| entry at most, and the street has a burn                           |             |
| else                                                               | the next    |

What is of the last street is inserted before it. So the engine finds a burn that was missing after all, or
one too many.
"""

import msgspec

from tablebridge.model.cards import Card, is_known
from tablebridge.model.events import TYPED, Action, Burn, Entry, Insert, Street
from tablebridge.model.expectation import Expectation
from tablebridge.sensing.dynamics import EventWaits, to_ns
from tablebridge.sensing.events.pending import Pending


class _Dealt(msgspec.Struct):
    """The last street that was sensed. `read_ns`, `entered_ns`: when a card of it was read first, and when it
    was entered; `acted_ns`: when somebody acted first since (monotonic). `burned`: a burn was recorded for
    it.
    """

    entry: int
    cards: tuple[Card, ...]
    read_ns: int
    entered_ns: int
    burned: bool
    acted_ns: int | None = None


class LateBurns:
    """To which street a card in the burns belongs."""

    def __init__(self, waits: EventWaits) -> None:
        self._hold_ns = to_ns(waits.hold_s)
        self._read_ns = 0
        self._burned = False
        self._street: _Dealt | None = None

    def note_street(self, cards: tuple[Pending, ...]) -> None:
        """A street of these cards is about to be entered."""
        self._read_ns = min(card.move.read_ns for card in cards)

    def note_entry(self, entry: Entry) -> None:
        """An event was entered, whoever entered it."""
        match entry.event:
            case Burn():
                self._burned = True
            case Street(cards=cards):
                at_ns = entry.at.monotonic_ns
                known = tuple(filter(is_known, cards))
                self._street = (
                    None
                    if entry.basis in TYPED
                    else _Dealt(entry.id, known, self._read_ns, at_ns, self._burned)
                )
                self._burned = False
            case Action() if self._street is not None and self._street.acted_ns is None:
                self._street.acted_ns = entry.at.monotonic_ns
            case _:
                pass

    def in_place(self, event: Burn, card: Pending, expect: Expectation) -> Burn | Insert:
        """The burn as it is entered: as it comes, or before the street to which it belongs."""
        street = self._street
        if street is None or not all(face in expect.board for face in street.cards):
            return event
        read_ns, acted_ns = card.move.read_ns, street.acted_ns
        waited = expect.phase == "betting" if acted_ns is None else read_ns < acted_ns
        soon = waited and street.burned and read_ns <= street.entered_ns + self._hold_ns
        if read_ns < street.read_ns or soon:
            street.burned = True
            return Insert(street.entry, event)
        return event
