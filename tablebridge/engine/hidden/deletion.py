"""Hidden faces of a hand are deleted from its record: those that never lay open.

In their place stand signs without meaning (`model.cards.DELETED`), the same for one face through the hand.
The fold never knew hidden faces by more than such names (`veil.py`), so the record leads to the same hand,
but for what asks for the truth: who is paid, which is said beside (`Hand.paid`), the test of the shuffle, and
whether typed faces were right.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Final

from msgspec.structs import replace

from tablebridge.engine.corrections import CORRECTIONS, effective
from tablebridge.engine.hidden import entrance
from tablebridge.model.cards import BLANK, DELETED, JOKER, UNKNOWN, Card, face
from tablebridge.model.events import Amend, Entry, Insert, TableEvent
from tablebridge.model.findings import Finding

_NO_FACES: Final = frozenset((UNKNOWN, BLANK, JOKER, *DELETED))
_NOT_OF_THE_GAME: Final = "nonstandard-card"


class HiddenFaces:
    """The hidden faces of one hand, deleted. `entries`: those from the beginning of the hand on, `end` being
    the number of the first that is no longer of it; later ones may have corrected it. `findings`: of the
    hand; a card that the game does not use is what they say, and keeps its face.
    """

    def __init__(self, entries: Sequence[Entry], end: int, findings: Iterable[Finding]) -> None:
        self._first = entries[0].id
        self._end = end
        self._targets = {
            entry.id: entry.event.entry for entry in entries if isinstance(entry.event, CORRECTIONS)
        }
        held = (entry for entry in effective(list(entries)) if entry.id < end)
        self._open = {face(card) for card in chain.from_iterable(entrance.opens(e.event) for e in held)}
        self._open |= {
            face(card)
            for finding in findings
            if _NOT_OF_THE_GAME in (finding.finding, finding.cause)
            for card in finding.cards
        }
        self._signs: dict[Card, Card] = {}

    def of_hand(self, entry: Entry) -> bool:
        """Whether the entry is of this hand, or replaces one that is."""
        number = entry.id
        while number in self._targets and self._targets[number] < number:
            number = self._targets[number]
        return self._first <= number < self._end

    def entry(self, entry: Entry) -> Entry:
        """The entry without them."""
        event = _without(entry.event, self._card)
        return entry if event == entry.event else replace(entry, event=event)

    def finding(self, finding: Finding) -> Finding:
        """The finding without them. What was found when the hand began may be of the hand before it: of that
        it keeps what lay open when it was found.
        """
        before = finding.evidence[:1] == (self._first,)
        kept = {face(card) for card in finding.public_cards} if before else self._open
        return replace(finding, cards=self._cards(finding.cards, kept))

    def _cards(self, cards: Iterable[Card], kept: set[Card]) -> tuple[Card, ...]:
        return tuple(card if face(card) in kept else self._sign(card) for card in cards)

    def _card(self, card: Card) -> Card:
        return card if face(card) in self._open else self._sign(card)

    def _sign(self, card: Card) -> Card:
        printed = face(card)
        if printed in _NO_FACES:
            return card
        sign = self._signs.setdefault(printed, DELETED[min(len(self._signs), len(DELETED) - 1)])
        return sign if card == printed else Card(sign + "*")


def _without(event: TableEvent, change: Callable[[Card], Card]) -> TableEvent:
    if isinstance(event, Amend):
        return replace(event, instead=_without(event.instead, change))
    if isinstance(event, Insert):
        return replace(event, inserted=_without(event.inserted, change))
    return entrance.with_faces(event, change)
