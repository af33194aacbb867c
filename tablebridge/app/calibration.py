"""A table learns of its antennas while it is played.

The engine's process counts and saves (`journal/antennas.py`); what is learnt from the counts is computed by whoever wants it,
since that takes a moment. It follows the antennas by what it found when it began, see `sensing/drift.py`.
"""

import logging
from collections.abc import Iterable
from typing import Final

from tablebridge.journal.antennas import calibration_path, load_counts, places_of, save_counts
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.calibration import learn
from tablebridge.sensing.drift import Drift, Failing
from tablebridge.sensing.stays import Collector, Counts
from tablebridge.settings.site import Site, Table

SAVE_HANDS: Final = 5
_log: Final = logging.getLogger(__name__)


class CalibrationKeeper:
    """Learns for one table. What cannot be kept is logged: play does not stop for it."""

    def __init__(self, site: Site, table: Table) -> None:
        self._path = calibration_path(site, table)
        self._places = places_of(table)
        try:
            counts = load_counts(self._path)
        except ConfigError as error:
            _log.warning("the calibration of table %s begins anew: %s", table.name, error)
            counts = Counts()
        self._drift: Drift | None = None
        self._collector = Collector(
            {(device.name, antenna): place for device in table.devices for antenna, place in device.antennas.items()}, counts)
        self._hand: int | None = None
        self._unsaved = 0

    def readings(self, arrived: Iterable[Stamped]) -> None:
        """Readings, in the order in which they come."""
        for one in arrived:
            if isinstance(one.reading, Sweep):
                self._collector.sweep(one.device, one.reading, one.at.monotonic_ns)

    def hand(self, number: int) -> list[Failing]:
        """This hand is under way or was the last one. A new number: the one before is over. The antennas that fail now."""
        if number == self._hand:
            return []
        began, self._hand = self._hand is None, number
        if began:
            # It takes a moment, for which the start of the process should not wait.
            known = learn(self._collector.counts, self._places)
            self._drift = None if known is None else Drift(known, self._collector.counts)
            return []
        cards = self._collector.hand_over()
        self._unsaved += 1
        if self._unsaved >= SAVE_HANDS:
            self.save()
        return self._drift.hand(cards) if self._drift is not None else []

    def save(self) -> None:
        """Writes what was counted since it was written last."""
        if self._unsaved:
            self._unsaved = 0
            self._collector.counts.age()
            try:
                save_counts(self._path, self._collector.counts)
            except ConfigError as error:
                _log.warning("what was learnt of the antennas is not kept: %s", error)
