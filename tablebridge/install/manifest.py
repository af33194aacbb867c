"""What an installation left on the disk: `/etc/tablebridge/installed.json`.

It is written before the first file is, with the digests of what stands there and of what will, and once more
at the end: whatever moment the power fails at, the next installation knows its own files from those that
somebody changed.
"""

from pathlib import Path
from typing import Final, Literal

import msgspec

from tablebridge.model.errors import ConfigError

PLACE: Final = "etc/tablebridge/installed.json"
SITE: Final = "etc/tablebridge/site.toml"

PORT: Final = 1883
"""Where the broker of an installed box listens, as `files/mosquitto.conf` says."""

Origin = Literal["deb", "pip"]


class Manifest(msgspec.Struct):
    """An installation. `program`: its command; `state`: the layout of the state folder that it writes;
    `ended`: false from the first change to the last; `files`: the digests of what was written, by path below
    the root; `units`: those that were enabled, so that a unit that somebody disabled stays so.
    """

    version: str
    origin: Origin
    program: str
    state: int
    ended: bool = False
    files: dict[str, list[str]] = {}
    units: list[str] = []

    def encoded(self) -> bytes:
        """The file, a key on each line: the scripts of the Debian package read it without Python."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def load(root: Path) -> Manifest | None:
    """The manifest of the installation below `root`; None if there is none. Raises ConfigError."""
    path = root / PLACE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise ConfigError(
            f"{path} is damaged ({error}): delete it and install again; changed files are kept."
        ) from None
