"""What a table learns of its antennas, on disk: `calibration/TABLE.json` in the state directory. It names
antennas, no tags.
"""

from pathlib import Path
from typing import Final

import msgspec

from tablebridge.antennas.dwell import AntennaName, DwellCounts, antenna_name
from tablebridge.model.errors import ConfigError
from tablebridge.model.places import Place
from tablebridge.settings.site import Site, Table
from tablebridge.settings.state import CALIBRATION, part_of, write_private

_DECODER: Final = msgspec.json.Decoder(DwellCounts)


def calibration_path(site: Site, table: Table) -> Path:
    """Where the counts of a table are kept."""
    return part_of(site.state_dir, CALIBRATION) / f"{table.name}.json"


def places_of(table: Table) -> dict[AntennaName, Place]:
    """Which antenna looks where."""
    return {
        antenna_name(device.name, antenna): place
        for device in table.devices
        for antenna, place in device.antennas.items()
    }


def load_counts(path: Path) -> DwellCounts:
    """The counts in this file, none where there is no file. Raises ConfigError where it cannot be read."""
    try:
        return _DECODER.decode(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return DwellCounts()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); check its permissions.") from None
    except msgspec.DecodeError:
        raise ConfigError(f"{path}: holds no calibration; put it aside, and the table learns anew.") from None


def save_counts(path: Path, counts: DwellCounts) -> None:
    """Writes the counts. Raises ConfigError where that cannot be done."""
    write_private(path, msgspec.json.encode(counts).decode() + "\n")
