"""The receipt of a deck: what a table's record says of it. It names no card.

A hand is of the deck that was reported to be in play, or, if that is never reported, of the deck that was
checked last. What was found before the first card of a hand was dealt belongs to that hand's deck too, and
what the shuffler finished before it; what it finished afterwards belongs to the deck of the next hand.
"""

from collections.abc import Iterable
from statistics import median
from typing import Final

import msgspec

from tablebridge.journal.records import body_of
from tablebridge.journal.store import Record
from tablebridge.model.events import (
    Deal,
    Dealt,
    DeckCheck,
    DeckInPlay,
    Entry,
    Hand,
    Holds,
    Shuffled,
    Shuffler,
)
from tablebridge.model.findings import Finding
from tablebridge.model.sentences import sentence_of

_LONGEST_CYCLE_NS: Final = 600 * 10**9
"""Between a start and a `ready` that are further apart something else has happened."""
_CHECKS: Final = frozenset({"deck-check-passed", "deck-check-failed"})
ABOUT_DECKS: Final = frozenset(
    {
        "fouled-deck",
        "deck-unchecked",
        "deck-swapped",
        "not-shuffled",
        "not-cut",
        "shuffle-suspect",
        "boxed-card",
        "nonstandard-card",
        "stub-wrong",
        "cloned-tag",
    }
)


class Noted(msgspec.Struct, frozen=True):
    """One finding about a deck."""

    hand: int
    finding: str
    cause: str | None
    sentence: str


class Receipt(msgspec.Struct):
    """The receipt of one deck; `deck` is empty if nothing reported its name. `first_ns`, `last_ns`: wall
    clock, when it was first and last reported. `checks_failed` counts checks; each may have several findings.
    `cycles`: of the shuffler; `cycle_s`: the median time from its start to `ready`, if starts were reported.
    """

    deck: str
    first_ns: int
    last_ns: int
    checks_passed: int = 0
    checks_failed: int = 0
    hands: int = 0
    shuffles: int = 0
    cycles: int = 0
    cycle_s: float | None = None
    findings: list[Noted] = []


class _Reader:
    def __init__(self) -> None:
        self.receipts: dict[str, Receipt] = {}
        self._current = self._checked = ""
        self._at_ns = 0
        self._dealt = False
        self._shuffles = 0
        self._found: list[Noted] = []
        self._failed = False
        self._started_ns: int | None = None
        self._cycles: list[int | None] = []
        self._next_cycles: list[int | None] = []
        self._times: dict[str, list[int]] = {}

    def entry(self, entry: Entry) -> None:
        self._at_ns, self._failed = entry.at.wall_ns, False
        match entry.event:
            case Hand():
                self.close()
                self._shuffles = int(entry.basis == "shuffler")
            case Shuffler(report="started"):
                self._started_ns = self._at_ns
            case Shuffler(report="ready"):
                self._ready()
            case Shuffled():
                self._shuffles += 1
            case DeckCheck(deck=deck, state=None):
                self._checked = deck or self._deck
                self._of(self._checked)
            case DeckInPlay(deck=deck):
                self._current = deck
                self._of(deck)
            case Deal() | Dealt() | Holds():
                self._dealt = True
                self._of(self._deck)

    def finding(self, finding: Finding) -> None:
        noted = Noted(finding.hand, finding.finding, finding.cause, sentence_of(finding))
        if finding.finding in _CHECKS:
            receipt = self._of(self._checked)
            receipt.findings.append(noted)
            receipt.checks_passed += finding.finding == "deck-check-passed"
            receipt.checks_failed += finding.finding == "deck-check-failed" and not self._failed
            self._failed = True
        elif finding.finding in ABOUT_DECKS:
            self._found.append(noted)

    def _ready(self) -> None:
        began, self._started_ns = self._started_ns, None
        took = None if began is None else self._at_ns - began
        known = took if took is not None and 0 < took <= _LONGEST_CYCLE_NS else None
        (self._next_cycles if self._dealt else self._cycles).append(known)

    def close(self) -> None:
        """The hand is over."""
        if self._dealt or self._found:
            receipt = self._of(self._deck)
            receipt.hands += self._dealt
            receipt.shuffles += self._shuffles
            receipt.findings += self._found
            receipt.cycles += len(self._cycles)
            times = self._times.setdefault(self._deck, [])
            times += [took for took in self._cycles if took is not None]
            receipt.cycle_s = round(median(times) / 1e9, 1) if times else None
            self._cycles, self._next_cycles = self._next_cycles, []
        self._dealt, self._shuffles, self._found = False, 0, []

    @property
    def _deck(self) -> str:
        return self._current or self._checked

    def _of(self, deck: str) -> Receipt:
        receipt = self.receipts.setdefault(deck, Receipt(deck, self._at_ns, self._at_ns))
        receipt.last_ns = self._at_ns
        return receipt


def receipts(records: Iterable[Record]) -> list[Receipt]:
    """Of all decks of a record, in the order in which they came to the table."""
    reader = _Reader()
    for record in records:
        body = body_of(record)
        if isinstance(body, Entry):
            reader.entry(body)
        elif isinstance(body, Finding):
            reader.finding(body)
    reader.close()
    return list(reader.receipts.values())
