"""The lines of the hand that is shown, for those at the table."""

from collections.abc import Callable
from typing import Final

import msgspec

from tablebridge.engine.script.writer import line_of
from tablebridge.model.bounds import LONGEST_LINE, shortened
from tablebridge.model.cards import Card
from tablebridge.model.disclosure import Access, Disclosure
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.model.views import LineView

_SHOWN: Final = 120


class Lines:
    """`is_public`: whether a card lies open; the faces of all others are hidden."""

    def __init__(self, is_public: Callable[[Card], bool]) -> None:
        self._is_public = is_public
        self._lines: list[LineView] = []

    def begin_hand(self) -> None:
        self._lines.clear()

    def add(self, entry: Entry, findings: tuple[Finding, ...]) -> None:
        """To whom hole cards are given, and on which terms, is for the auditor of the record and no line."""
        if isinstance(entry.event, (Access, Disclosure)):
            return
        text = shortened(line_of(entry.event, hide=lambda card: not self._is_public(card)), LONGEST_LINE)
        self._lines.append(LineView(entry.id, text, entry.basis, entry.by, False, tuple(
            " ".join(filter(None, (finding.finding, finding.cause))) for finding in findings)))

    def undo(self, entry: int) -> None:
        """The line of this entry no longer holds."""
        self._lines = [msgspec.structs.replace(line, undone=True) if line.entry == entry else line for line in self._lines]

    def newest(self) -> tuple[LineView, ...]:
        """Those that are shown, the oldest first."""
        return tuple(self._lines[-_SHOWN:])
