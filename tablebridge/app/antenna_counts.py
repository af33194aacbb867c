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
from tablebridge.settings.state import CALIBRATION_FILE, write_private

_DECODER: Final = msgspec.json.Decoder(DwellCounts)


def calibration_path(site: Site, table: Table) -> Path:
    """The path of the counts of a table."""
    return CALIBRATION_FILE.path(site.state_dir, table.name)


def places_of(table: Table) -> dict[AntennaName, Place]:
    """By antenna: the place at which it looks."""
    return {antenna_name(device, antenna): place for (device, antenna), place in table.antenna_places.items()}


def load_counts(path: Path) -> DwellCounts:
    """The counts in this file, none where there is no file. Raises ConfigError if it cannot be read."""
    try:
        return _DECODER.decode(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return DwellCounts()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); check its permissions.") from None
    except msgspec.DecodeError:
        raise ConfigError(f"{path}: holds no calibration; put it aside, and the table learns anew.") from None


def save_counts(path: Path, counts: DwellCounts) -> None:
    """Write the counts. Raises ConfigError if that cannot be done."""
    write_private(path, msgspec.json.encode(counts).decode() + "\n")
