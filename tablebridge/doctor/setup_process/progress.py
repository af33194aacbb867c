"""How far a set-up is, on disk: written after each change, so that a power cut loses nothing that was done.

The tags of cards are not in it: each is in its deck's file as soon as it is known.
"""

import hashlib
from pathlib import Path

import msgspec

from tablebridge import private
from tablebridge.antennas.guide import Measured
from tablebridge.model.errors import ConfigError
from tablebridge.settings.state import SETUP_PROGRESS
from tablebridge.steps.course import StepRow
from tablebridge.steps.people import Phone
from tablebridge.steps.site_text import Part


class Progress(msgspec.Struct):
    """A set-up so far. `base`: the digest of the site file that it goes on from; `ports`: those that a person
    named; `places`: those of the map, in their order; `claims`: their antennas, as device and number; `deck`:
    the one that is being enrolled, of this `kind`, on the antenna `spot`; `contacts`: device, number and
    meaning; `measuring`, `measured`: antennas and places of a calibration, and what is known of them;
    `lights`: by light the states that a person saw on it, and `sounds`: whether the page was heard; `phones`:
    people with a phone that are not in the file of people yet, whose server is `ntfy`, and their `pages`.
    """

    base: str = ""
    table: str = "table-1"
    seats: str = "1-9"
    ports: list[str] = []
    parts: list[Part] = []
    ignored: list[str] = []
    places: list[str] = []
    claims: dict[str, tuple[str, int]] = {}
    steps: tuple[StepRow, ...] = ()
    deck: str = ""
    kind: str = "52"
    spot: tuple[str, int] | None = None
    contacts: list[tuple[str, int, str]] = []
    lights: dict[str, list[str]] = {}
    sounds: bool = False
    measuring: dict[str, str] = {}
    measured: list[Measured] = []
    phones: list[Phone] = []
    ntfy: str = ""
    pages: str = ""


def digest(text: str) -> str:
    """What a site file's text is recognised by."""
    return hashlib.sha256(text.encode()).hexdigest()


def load_progress(state_dir: Path) -> Progress:
    """How far it was; the beginning if nothing is kept. Raises ConfigError if the file cannot be read."""
    path = SETUP_PROGRESS.path(state_dir)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Progress)
    except FileNotFoundError:
        return Progress()
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path} cannot be read ({error}): move it away, and the set-up begins again."
        ) from None


def save_progress(state_dir: Path, progress: Progress) -> None:
    """Write it down, whole or not at all. Raises ConfigError."""
    path = SETUP_PROGRESS.path(state_dir)
    try:
        private.folder(path.parent)
        private.write(path, msgspec.json.encode(progress))
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written ({error.strerror}): make room on the disk, or check its rights."
        ) from None


__all__ = ["Progress", "digest", "load_progress", "save_progress"]
