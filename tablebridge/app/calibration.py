"""What a table learns of its antennas, on disk: `calibration/TABLE.json` in the state directory. It names antennas, no tags.

The engine's process counts and saves; what is learnt from the counts is computed by whoever wants it, since that takes a
moment. It follows the antennas by what it found when it began, see `sensing/drift.py`.
"""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.model.errors import ConfigError
from tablebridge.model.places import Place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.calibration import Calibration, learn
from tablebridge.sensing.drift import Drift, Failing
from tablebridge.sensing.stays import Collector, Counts, Spot, spot_of
from tablebridge.settings.decks import write_private
from tablebridge.settings.site import Site, Table

SAVE_HANDS: Final = 5
_log: Final = logging.getLogger(__name__)
_DECODER: Final = msgspec.json.Decoder(Counts)


def calibration_path(site: Site, table: Table) -> Path:
    """Where the counts of a table are kept."""
    return site.state_dir / "calibration" / f"{table.name}.json"


def places_of(table: Table) -> dict[Spot, Place]:
    """Which antenna looks where."""
    return {spot_of(device.name, antenna): place for device in table.devices for antenna, place in device.antennas.items()}


def load_counts(path: Path) -> Counts:
    """The counts in this file, none where there is no file. Raises ConfigError where it cannot be read."""
    try:
        return _DECODER.decode(path.read_bytes())
    except FileNotFoundError:
        return Counts()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); check its permissions.") from None
    except msgspec.DecodeError:
        raise ConfigError(f"{path}: holds no calibration; put it aside, and the table learns anew.") from None


def save_counts(path: Path, counts: Counts) -> None:
    """Writes the counts. Raises ConfigError where that cannot be done."""
    write_private(path, msgspec.json.encode(counts).decode() + "\n")


def learnt(site: Site, table: Table) -> Calibration | None:
    """What a table has learnt so far; None where nothing. Raises ConfigError."""
    return learn(load_counts(calibration_path(site, table)), places_of(table))


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
