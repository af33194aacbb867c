"""The lines of the hand under way, as staff see them: what was entered, what was changed, inserted or taken
back by whom, what was ignored.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from tablebridge.engine.corrections import CORRECTIONS
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.bounds import shortened
from tablebridge.model.findings import Finding
from tablebridge.model.sentences import sentence_of
from tablebridge.model.views import FoundView, LineView

_KEPT: Final = 500
_SHOWN: Final = 120
_SHOWN_BYTES: Final = 40_000
"""What lines may take of a message; the newest are shown."""
_LINE_BYTES: Final = 260
"""What a line or finding needs beside its words."""
_LONGEST: Final = 300
_NOTES: Final = (
    ev.Names,
    ev.Doubt,
    ev.ForeignTag,
    ev.BrokenJournal,
    ev.RestoredJournal,
    ev.ClonedTag,
    ev.DeviceState,
    ev.Fault,
)


class Lines:
    """`add` each entry after the table has taken it. A correction is no line: it changes the lines that it is
    about.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lines: deque[LineView] = deque(maxlen=_KEPT)
        # What each undo of the hand was about, and the lines as they were written.
        self._undos: dict[int, int] = {}
        self._written: dict[int, str] = {}

    def add(self, entry: ev.Entry) -> None:
        event = entry.event
        if isinstance(event, ev.Hand):
            self._lines.clear()
            self._undos.clear()
            self._written.clear()
        if isinstance(event, ev.Undo):
            self._undos[entry.id] = event.entry
            if len(self._undos) > _KEPT:
                del self._undos[next(iter(self._undos))]
        if isinstance(event, CORRECTIONS) or (isinstance(event, ev.Ruling) and event.ruling == "play-on"):
            self._correct()
        if isinstance(event, ev.Insert):
            self._insert(entry, event)
        elif not isinstance(event, (ev.Undo, ev.Amend, ev.Access, ev.Disclosure, ev.Directed)):
            # To whom hole cards are given, on which terms, and what the broadcast shows is for the auditor of
            # the record and no line.
            self._lines.append(self._line(entry, event))

    def all(self) -> tuple[LineView, ...]:
        """The lines of the hand, the oldest first."""
        return tuple(self._lines)

    def shown(self) -> tuple[LineView, ...]:
        """As many of the newest as go into a message."""
        shown: deque[LineView] = deque()
        left = _SHOWN_BYTES
        for line in reversed(self._lines):
            left -= (
                len(line.line.encode())
                + len(line.ignored.encode())
                + _LINE_BYTES
                + sum(len(found.sentence.encode()) + _LINE_BYTES for found in line.findings)
            )
            if left < 0 or len(shown) == _SHOWN:
                break
            shown.appendleft(line)
        return tuple(shown)

    def said(self, entries: Iterable[int], undo: int | None) -> str:
        """A sentence for the person who wrote these entries: what the correction did, or what was ignored."""
        if undo is not None:
            return self._taken_back(self._undos.get(undo, undo))
        return " ".join(
            f"Ignored: {line.ignored}" for line in self._lines if line.ignored and line.entry in entries
        )

    def _taken_back(self, about: int) -> str:
        """What became of a line, or of the change of one, that an undo was about in the end."""
        did = "Taken back" if about in self._table.taken_back else "Back in force"
        for line in self._lines:
            if line.entry == about:
                return f"{did}: {line.line}"
        for entry in self._table.log:
            if entry.id == about and isinstance(entry.event, ev.Amend):
                return f"{did}: the change to {self._text(entry, entry.event.instead)}"
        return ""

    def _text(self, entry: ev.Entry, event: ev.TableEvent) -> str:
        """An event of an entry as people may know it, as a line."""
        known = self._table.known(msgspec.structs.replace(entry, event=event))
        return shortened(line_of(known), _LONGEST)

    def _line(self, entry: ev.Entry, event: ev.TableEvent) -> LineView:
        text = self._text(entry, event)
        self._written[entry.id] = text
        if len(self._written) > _KEPT:
            del self._written[next(iter(self._written))]
        kind: Literal["script", "note"] = "note" if isinstance(event, _NOTES) else "script"
        return self._said(LineView(entry.id, text, entry.basis, entry.by, kind))

    def _insert(self, entry: ev.Entry, event: ev.Insert) -> None:
        """A line that was left out, before the line that it was left out before."""
        place = next((at for at, line in enumerate(self._lines) if line.entry == event.entry), None)
        if place is None:
            return
        if len(self._lines) == _KEPT:
            self._lines.popleft()
            place = max(0, place - 1)
        line = self._line(entry, event.inserted)
        self._lines.insert(place, msgspec.structs.replace(line, inserted=True, note=event.note))

    def _correct(self) -> None:
        """The history is another now: which lines hold, in which form, and what there is to say of each."""
        undone, amended = self._table.taken_back, self._table.amended
        lines = [
            self._changed(_undone(line, undone.get(line.entry)), amended.get(line.entry))
            for line in self._lines
        ]
        self._lines.clear()
        self._lines.extend(map(self._said, lines))

    def _changed(self, line: LineView, amendment: ev.Entry | None) -> LineView:
        """The line in the form that a person gave it, or as it was written. What sensing finds out later of
        its own lines is no change.
        """
        written = self._written.get(line.entry, line.line)
        if amendment is None or amendment.basis not in ev.TYPED or not isinstance(amendment.event, ev.Amend):
            return msgspec.structs.replace(line, line=written, was="", changed_by="", changed_wall_ns=0)
        return msgspec.structs.replace(
            line,
            line=self._text(amendment, amendment.event.instead),
            was=written,
            changed_by=amendment.by,
            changed_wall_ns=amendment.at.wall_ns,
            note=amendment.event.note or line.note,
        )

    def _said(self, line: LineView) -> LineView:
        findings, ignored = self._table.said_of(line.entry)
        return msgspec.structs.replace(line, ignored=ignored, findings=tuple(map(_found, findings)))


def _undone(line: LineView, undo: ev.Entry | None) -> LineView:
    """The line, taken back by this undo or by none."""
    if undo is None or not isinstance(undo.event, ev.Undo):
        return msgspec.structs.replace(line, undone=False, undone_entry=0, undone_by="", undone_wall_ns=0)
    return msgspec.structs.replace(
        line,
        undone=True,
        undone_entry=undo.id,
        undone_by=undo.by,
        undone_wall_ns=undo.at.wall_ns,
        note=undo.event.note or line.note,
    )


def _found(finding: Finding) -> FoundView:
    return FoundView(
        finding.finding,
        finding.severity,
        sentence_of(finding),
        finding.rulebook,
        finding.rule,
        finding.cause,
        finding.text,
        finding.args,
    )
