"""The alerts of one table ring again when it is time, which is recorded before anybody hears it."""

from typing import Final

from tablebridge.app.folded import FoldedTable
from tablebridge.app.group_commit import GroupCommit
from tablebridge.app.outgoing import Outgoing
from tablebridge.floor.ladder import due
from tablebridge.journal.records import RingRecord
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant
from tablebridge.settings.site import Ringing

_LOOK_NS: Final = 500_000_000
"""How often the alerts are looked at: a table is ticked many times per second."""


class Bell:
    """Rings the alerts of one table."""

    def __init__(
        self,
        journal: Journal,
        folded: FoldedTable,
        outgoing: Outgoing,
        commits: GroupCommit,
        times: Ringing,
    ) -> None:
        self._journal = journal
        self._folded = folded
        self._outgoing = outgoing
        self._commits = commits
        self._times = times
        self._looked_ns = 0

    def tick(self, now: Instant) -> None:
        """Ring what is due, in one transaction."""
        alerts = self._folded.alerts
        if not len(alerts) or 0 <= now.monotonic_ns - self._looked_ns < _LOOK_NS:
            return
        self._looked_ns = now.monotonic_ns
        ringing = [
            (alert.id, ring)
            for alert in self._folded.standing()
            if (ring := due(alert, self._times, now)) is not None
        ]
        if ringing:
            with self._commits.transaction(now):
                for id, ring in ringing:
                    number = self._journal.record("ring", RingRecord(id, ring))
                    self._outgoing.alert(alerts.ring(id, ring), number)
