"""The lines of the hand under way, as staff see them: what was entered, what was taken back by whom, what was
ignored.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

import msgspec

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
        # What each undo of the hand was about.
        self._undos: dict[int, int] = {}

    def add(self, entry: ev.Entry) -> None:
        event = entry.event
        if isinstance(event, ev.Hand):
            self._lines.clear()
            self._undos.clear()
        if isinstance(event, ev.Undo):
            self._undos[entry.id] = event.entry
            if len(self._undos) > _KEPT:
                del self._undos[next(iter(self._undos))]
        if isinstance(event, (ev.Undo, ev.Amend)) or (
            isinstance(event, ev.Ruling) and event.ruling == "play-on"
        ):
            self._correct()
        if isinstance(event, (ev.Undo, ev.Amend, ev.Access, ev.Disclosure, ev.Directed)):
            # To whom hole cards are given, on which terms, and what the broadcast shows is for the auditor of
            # the record and no line.
            return
        text = shortened(line_of(self._table.known(entry)), _LONGEST)
        kind = "note" if isinstance(event, _NOTES) else "script"
        self._lines.append(self._said(LineView(entry.id, text, entry.basis, entry.by, kind)))  # type: ignore[arg-type]

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
            about = self._undos.get(undo, undo)
            return next(
                (
                    f"{'Taken back' if line.undone else 'Back in force'}: {line.line}"
                    for line in self._lines
                    if line.entry == about
                ),
                "",
            )
        return " ".join(
            f"Ignored: {line.ignored}" for line in self._lines if line.ignored and line.entry in entries
        )

    def _correct(self) -> None:
        """The history is another now: which lines hold, and what there is to say of each."""
        undone = self._table.taken_back
        lines = [
            self._said(
                msgspec.structs.replace(
                    line,
                    undone=line.entry in undone,
                    undone_entry=undone[line.entry].id if line.entry in undone else 0,
                    undone_by=undone[line.entry].by if line.entry in undone else "",
                    undone_wall_ns=undone[line.entry].at.wall_ns if line.entry in undone else 0,
                )
            )
            for line in self._lines
        ]
        self._lines.clear()
        self._lines.extend(lines)

    def _said(self, line: LineView) -> LineView:
        findings, ignored = self._table.said_of(line.entry)
        return msgspec.structs.replace(line, ignored=ignored, findings=tuple(map(_found, findings)))


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
