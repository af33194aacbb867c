"""That a table took what was measured of its antennas, in its record."""

from tablebridge.app.command_desk import Transaction
from tablebridge.journal.records import CalibrationRecord
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant
from tablebridge.tracking.tracker import Tracker


class CalibrationRecords:
    """Writes them into the journal of a table."""

    def __init__(self, journal: Journal, transaction: Transaction, tracker: Tracker) -> None:
        self._journal = journal
        self._transaction = transaction
        self._tracker = tracker

    def add(self, measured: CalibrationRecord, now: Instant) -> None:
        """Record that the table takes this, and have sensing know it from the next hand on."""
        with self._transaction(now):
            self._journal.record("calibration", measured)
            self._tracker.measured(measured.lone)
