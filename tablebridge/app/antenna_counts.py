"""What is known of a table's antennas, on disk: `calibration/TABLE.json` in the state directory, which the
engine's process alone writes. What is measured with one card waits beside it, in a file of its own for each
measurement, until the engine takes it. The files name antennas, no tags.
"""

import re
import secrets
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.antennas.dwell import AntennaName, DwellCounts, antenna_name
from tablebridge.model.errors import ConfigError
from tablebridge.model.places import Place
from tablebridge.settings.site import Site, Table
from tablebridge.settings.state import CALIBRATION_FILE, CALIBRATION_MEASURED, write_private

_NAME_BYTES: Final = 8
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


def hand_over(state_dir: Path, table: str, measured: DwellCounts) -> None:
    """Leave what was measured for the engine. Raises ConfigError if that cannot be done."""
    folder = CALIBRATION_MEASURED.path(state_dir)
    save_counts(folder / f"{table}.{secrets.token_hex(_NAME_BYTES)}.json", measured)


def handed_over(state_dir: Path, table: str) -> list[Path]:
    """What was measured at this table and not taken yet."""
    is_ours = re.compile(re.escape(table) + rf"\.[0-9a-f]{{{2 * _NAME_BYTES}}}\.json")
    found = CALIBRATION_MEASURED.path(state_dir).glob("*.json")
    return sorted(path for path in found if is_ours.fullmatch(path.name))


def known_counts(state_dir: Path, table: str) -> DwellCounts:
    """What the table learnt, with what was measured and waits. Raises ConfigError if that cannot be read."""
    counts = load_counts(CALIBRATION_FILE.path(state_dir, table))
    for path in handed_over(state_dir, table):
        if path.stem not in counts.taken:
            counts.add(load_counts(path))
    return counts
