"""A table learns of its antennas while it is played.

The engine's process counts, saves (`antenna_counts.py`) and learns; nobody else writes what it knows. What a
person measured with one card it takes between two hands, and records that. To learn from the counts of many
nights takes half a second of one core, for which no table should wait: a thread of its own does it, one table
after the other. It follows the antennas by what it found when it began, see `antennas/drift.py`.
"""

import contextlib
import logging
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tablebridge.antennas.calibration import Calibration, learn
from tablebridge.antennas.drift import Drift, FailingAntenna
from tablebridge.antennas.dwell import AntennaName, DwellCounter, DwellCounts
from tablebridge.app.antenna_counts import (
    calibration_path,
    handed_over,
    load_counts,
    places_of,
    save_counts,
)
from tablebridge.app.calibration_records import CalibrationRecords
from tablebridge.bus.messages import MOST_ANTENNAS, MOST_CROSS, AntennaMap, AntennaRate, CrossRate
from tablebridge.journal.records import CalibrationRecord
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.model.learnt import LoneCard
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.site import Site, Table

SAVE_HANDS: Final = 5
LOOK_NS: Final = 1_000_000_000
"""How often the keeper looks for something that was measured."""
_MOST_TAKEN: Final = 16
"""Names of measurements that are remembered, so that none counts twice."""
_log: Final = logging.getLogger(__name__)
_LEARNING: Final = ThreadPoolExecutor(1, thread_name_prefix="learning")


class Measurement(NamedTuple):
    """What was measured with one card, and the file in which it waits."""

    path: Path
    counts: DwellCounts
    lone: dict[AntennaName, LoneCard]

    def record(self, at: Instant) -> CalibrationRecord:
        """What the journal says of it."""
        stays = {antenna: sum(counts.values()) for antenna, counts in self.counts.stays.items()}
        return CalibrationRecord(self.path.stem, stays, at, self.lone)


class CalibrationKeeper:
    """Learns for one table. What cannot be kept is logged: play does not stop for it."""

    def __init__(self, site: Site, table: Table) -> None:
        self._state_dir, self._table = site.state_dir, table.name
        self._look_ns = 0
        self._path = calibration_path(site, table)
        self._places = places_of(table)
        try:
            counts = load_counts(self._path)
        except ConfigError as error:
            _log.warning("the calibration of table %s begins anew: %s", table.name, error)
            counts = DwellCounts()
        self._before: DwellCounts | None = counts
        self._drift: Drift | None = None
        self._learning: Future[Calibration | None] | None = None
        self._collector = DwellCounter(table.antenna_places, counts)
        self._hand: int | None = None
        self._unsaved = 0

    def readings(self, arrived: Iterable[Stamped]) -> None:
        """Readings, in the order in which they come."""
        for reading in arrived:
            if isinstance(reading.reading, Sweep):
                self._collector.count_report(reading.device, reading.reading, reading.at.monotonic_ns)

    def hand(self, number: int) -> list[FailingAntenna]:
        """This hand is under way or was the last one. A new number: the one before is over. The antennas that
        fail now.
        """
        if number == self._hand:
            return []
        began, self._hand = self._hand is None, number
        if began:
            self._learn()
            return []
        cards = self._collector.end_hand()
        self._unsaved += 1
        if self._unsaved >= SAVE_HANDS:
            self.save()
            self._learn()
        return self._drift.judge_hand(cards) if self._drift is not None else []

    def measured(self, now: Instant) -> list[Measurement]:
        """What was measured with one card and is to be taken; looked for once per second."""
        if now.monotonic_ns < self._look_ns:
            return []
        self._look_ns = now.monotonic_ns + LOOK_NS
        found = []
        for path in handed_over(self._state_dir, self._table):
            try:
                counts = load_counts(path)
                found.append(Measurement(path, counts, counts.lone_cards()))
            except (ConfigError, ValueError) as error:
                _log.warning("what was measured at table %s is put aside: %s", self._table, error)
                _moved(path)
        return found

    def take_measured(self, records: CalibrationRecords, now: Instant) -> None:
        """Record and take what was measured. To be called between hands."""
        for measured in self.measured(now):
            records.add(measured.record(now), now)
            self.take(measured)

    def take(self, measured: Measurement) -> None:
        """Add what was measured, keep it, and learn from it. A measurement counts once, whatever was killed
        when.
        """
        counts, name = self._collector.counts, measured.path.stem
        if name not in counts.taken:
            counts.add(measured.counts)
            counts.taken = (*counts.taken, name)[-_MOST_TAKEN:]
        self._unsaved = max(1, self._unsaved)
        if self.save():
            measured.path.unlink(missing_ok=True)
        self._learn()

    def learnt(self, wall_ns: int) -> AntennaMap | None:
        """What was learnt since the last call, None if that is nothing."""
        if self._learning is None or not self._learning.done():
            return None
        done, self._learning = self._learning, None
        if done.exception() is not None:
            _log.warning("nothing is learnt of the antennas from %s: %s", self._path, done.exception())
            return None
        known = done.result()
        if self._before is not None:
            # Of earlier nights: the antennas of this one are held against it.
            self._drift, self._before = None if known is None else Drift(known, self._before), None
        return None if known is None else map_of(known, wall_ns)

    def save(self) -> bool:
        """Writes what was counted since it was written last. Returns whether all is on disk."""
        if self._unsaved:
            self._unsaved = 0
            self._collector.counts.age()
            try:
                save_counts(self._path, self._collector.counts)
            except ConfigError as error:
                _log.warning("what was learnt of the antennas is not kept: %s", error)
                return False
        return True

    def _learn(self) -> None:
        """Begin to learn from the counts as they are now. While it is learning it learns nothing newer."""
        if self._learning is None:
            counts = msgspec.json.decode(msgspec.json.encode(self._collector.counts), type=DwellCounts)
            self._before = counts if self._before is not None else None
            self._learning = _LEARNING.submit(learn, counts, self._places)


def _moved(path: Path) -> None:
    """Put a file aside that cannot be read, so that nobody looks at it again."""
    with contextlib.suppress(OSError):
        path.rename(path.with_suffix(".damaged"))


def map_of(known: Calibration, wall_ns: int) -> AntennaMap:
    """What is published: all antennas, and as many of the strongest cross-reads as a message holds."""
    antennas = [
        AntennaRate(spot, antenna.place, antenna.hit, antenna.stays)
        for spot, antenna in known.antennas.items()
    ]
    cross = [
        CrossRate(spot, other, rate) for spot, others in known.cross.items() for other, rate in others.items()
    ]
    cross.sort(key=lambda read: -read.rate)
    return AntennaMap(wall_ns, tuple(antennas[:MOST_ANTENNAS]), tuple(cross[:MOST_CROSS]))
