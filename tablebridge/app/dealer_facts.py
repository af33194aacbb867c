"""Facts that the dealer reported and may still take back.

A dealer's finger slips. For `TAKE_BACK_S` a fact can be taken back at the table, and until then no alert is
raised of what the engine found in it: nobody is sent to a table for a slip. Fact and undo are both on record,
and what was found is too.
"""

from typing import Final

import msgspec

from tablebridge.engine.script.dealer import is_fact
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table
from tablebridge.model.bounds import Count, Line
from tablebridge.model.errors import Refused
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant, later
from tablebridge.model.views import FactView

TAKE_BACK_S: Final = 10.0
_TAKE_BACK_NS: Final = round(TAKE_BACK_S * 1e9)
_MOST: Final = 16
"""Facts that can be taken back at once: the oldest gives way."""


class Fact(msgspec.Struct, frozen=True):
    """A fact that can be taken back: its entry, when it was entered, its line."""

    entry: Count
    at: Instant
    line: Line

    def is_over(self, now: Instant) -> bool:
        """Whether it can no longer be taken back."""
        return now.boot_id != self.at.boot_id or now.monotonic_ns - self.at.monotonic_ns >= _TAKE_BACK_NS


class HeldFinding(msgspec.Struct, frozen=True):
    """What the engine found in such a fact, and when."""

    finding: Finding
    at: Instant


class KeptFacts(msgspec.Struct, frozen=True):
    """The facts as they are kept on disk."""

    facts: tuple[Fact, ...] = ()
    held: tuple[HeldFinding, ...] = ()


class DealerFacts:
    """The facts of one table that can be taken back. Folded from entries; no clock."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._facts: dict[int, Fact] = {}
        self._held: dict[str, HeldFinding] = {}

    def kept(self) -> KeptFacts:
        """The facts as they are kept on disk."""
        return KeptFacts(tuple(self._facts.values()), tuple(self._held.values()))

    def restore(self, kept: KeptFacts) -> None:
        """These are the facts."""
        self._facts = {fact.entry: fact for fact in kept.facts}
        self._held = {held.finding.id: held for held in kept.held}

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which a fact can no longer be taken back."""
        return min((fact.at.monotonic_ns + _TAKE_BACK_NS for fact in self._facts.values()), default=None)

    def add(self, entry: Entry) -> None:
        """An entry that the engine has applied."""
        if entry.basis == "dealer" and is_fact(entry.event):
            self._facts[entry.id] = Fact(entry.id, entry.entered or entry.at, line_of(entry.event))
        elif self._facts:
            for number in self._facts.keys() & self._table.taken_back.keys():
                self._forget(number)

    def hold(self, finding: Finding, at: Instant) -> bool:
        """Keep this finding back if its fact can still be taken back; whether it was."""
        if finding.evidence[0] not in self._facts:
            return False
        self._held[finding.id] = HeldFinding(finding, at)
        return True

    def __contains__(self, finding: Finding) -> bool:
        """Whether this finding is kept back."""
        return finding.id in self._held

    def held(self) -> tuple[Finding, ...]:
        """The findings that are kept back, the oldest first."""
        return tuple(held.finding for held in self._held.values())

    def release(self, now: Instant) -> tuple[HeldFinding, ...]:
        """Forget the facts that can no longer be taken back; what was found in them, the oldest first."""
        over = [
            number
            for place, (number, fact) in enumerate(reversed(self._facts.items()))
            if place >= _MOST or fact.is_over(now)
        ]
        return tuple(held for number in reversed(over) for held in self._forget(number))

    def is_due(self, now: Instant) -> bool:
        """Whether `release` has something to do."""
        return any(fact.is_over(now) for fact in self._facts.values())

    def check(self, entry: int, now: Instant) -> None:
        """Raise Refused unless this entry is a fact that the dealer may take back now."""
        fact = self._facts.get(entry)
        if fact is None or fact.is_over(now):
            raise Refused(
                f"The dealer takes back what was reported in the last {TAKE_BACK_S:.0f} s; ask the floor to "
                "take back this line."
            )

    def shown(self) -> tuple[FactView, ...]:
        """The facts that can be taken back, the newest first."""
        return tuple(
            FactView(fact.entry, fact.line, later(fact.at, TAKE_BACK_S).wall_ns)
            for fact in reversed(self._facts.values())
        )

    def _forget(self, number: int) -> tuple[HeldFinding, ...]:
        del self._facts[number]
        held = tuple(held for held in self._held.values() if held.finding.evidence[0] == number)
        for kept in held:
            del self._held[kept.finding.id]
        return held
