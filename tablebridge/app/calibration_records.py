"""That a table took what was measured of its antennas, in its record."""

from tablebridge.app.command_desk import Transaction
from tablebridge.journal.records import CalibrationRecord
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant


class CalibrationRecords:
    """Writes them into the journal of a table."""

    def __init__(self, journal: Journal, transaction: Transaction) -> None:
        self._journal = journal
        self._transaction = transaction

    def add(self, measured: CalibrationRecord, now: Instant) -> None:
        """Record that the table takes this."""
        with self._transaction(now):
            self._journal.record("calibration", measured)
