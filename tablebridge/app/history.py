"""What has happened at a table, for those who ask later: from its record, and with no other faces than staff
were shown at the time.

The pages keep nothing of this on disk, and no other process may read a journal: whoever was started later, or
had no connection for a while, asks. A page of findings is found by going back through a bounded number of
records, so no question holds up the engine, however long the record is.
"""

from tablebridge.app.alert_history import LOOKED_AT, alert_events
from tablebridge.bus.messages import (
    MOST_FOUND,
    FindingMessage,
    HistoryPage,
    HistoryRequest,
    history_page,
)
from tablebridge.floor.alerts import Alerts, for_staff
from tablebridge.journal.records import body_of, entry_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.findings import Finding


class History:
    """Answers what has happened at one table. Nothing changes by it."""

    def __init__(self, journal: Journal, alerts: Alerts) -> None:
        self._journal = journal
        self._alerts = alerts

    def page(self, request: HistoryRequest) -> HistoryPage:
        """The answer to this request."""
        rev = self._journal.next_number - 1
        if request.about == "closed-alerts":
            return history_page(request.id, rev, closed=self._alerts.closed_last())
        if request.about == "alert-events":
            events, reached_ns, before = alert_events(self._journal.backwards(request.before))
            return HistoryPage(request.id, rev, events=events, reached_wall_ns=reached_ns, before=before)
        findings, before = self._findings(request.before)
        return history_page(request.id, rev, findings=findings, before=before)

    def _findings(self, before: int) -> tuple[list[FindingMessage], int]:
        """Findings before this record, the latest first, and the record before which to go on; 0 if that is
        the beginning.
        """
        found: list[FindingMessage] = []
        undated: list[Record] = []
        for looked_at, record in enumerate(self._journal.backwards(before), 1):
            if record.kind == "finding":
                undated.append(record)
            elif undated and (entry := entry_of(record)) is not None:
                # An entry comes before its findings, which happened with it.
                for late in undated:
                    if isinstance(finding := body_of(late), Finding):
                        found.append(FindingMessage(for_staff(finding), entry.at, late.number))
                undated.clear()
            if not undated and (looked_at >= LOOKED_AT or len(found) >= MOST_FOUND):
                return found, record.number
        return found, 0
