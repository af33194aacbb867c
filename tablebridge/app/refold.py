"""The records of a journal are folded again, one by one, exactly as they were folded when they were made."""

from tablebridge.app.folded import FoldedTable
from tablebridge.journal.payments import entry_in
from tablebridge.journal.records import CalibrationRecord, LearntRecord, body_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.tracking.tracker import Tracker


class Refold:
    """`add` each record in order, and `settle` at the end. An entry is settled when its findings, the records
    that follow it, have raised their alerts.
    """

    def __init__(self, tracker: Tracker, folded: FoldedTable, journal: Journal) -> None:
        self._journal = journal
        self._tracker = tracker
        self._folded = folded
        self._unsettled: Entry | None = None

    def add(self, record: Record, *, shown: bool) -> Entry | None:
        """Fold a record; the entry, if it is one. `shown`: its line is of the hand that is shown."""
        body = entry_in(self._journal, record) or body_of(record)
        if not isinstance(body, Finding):
            self.settle()
        if isinstance(body, LearntRecord):
            self._tracker.recall(body.learnt)
        elif isinstance(body, CalibrationRecord):
            self._tracker.measured(body.lone)
        if not isinstance(body, Entry):
            self._folded.replay(body)
            return None
        self._tracker.replay(body)
        self._folded.release(body.entered or body.at)
        self._folded.add(body, shown=shown)
        self._unsettled = body
        return body

    def settle(self) -> None:
        """No further findings of the last entry follow."""
        if self._unsettled is not None:
            self._folded.settle(self._unsettled)
            self._unsettled = None
