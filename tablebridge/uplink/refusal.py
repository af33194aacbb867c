"""What `tablebridge site take` refused, noted beside the site file, for the uplink to say it to the room.

Whoever takes a configuration knows what the uplink cannot see: which room signed before. He may not write in
the uplink's folder, and the uplink may not write here.
"""

from pathlib import Path
from typing import Annotated, Final

import msgspec

from tablebridge.stream.configuration import Fault, Number, Version

MOST_FAULTS: Final = 50
LONGEST_FAULT: Final = 500


class Refusal(msgspec.Struct, frozen=True):
    """The version with this number was refused at the box. `faults`: why, one line each."""

    number: Number
    faults: Annotated[tuple[Fault, ...], msgspec.Meta(max_length=MOST_FAULTS)]

    @staticmethod
    def of(version: Version, why: str) -> "Refusal":
        """The refusal of a version; `why`: one line per fault."""
        return Refusal(version.number, faults_of(why))


_DECODER: Final = msgspec.json.Decoder(Refusal)


def faults_of(why: str) -> tuple[str, ...]:
    """The lines of a refusal, within the bounds of a report."""
    return tuple(line[:LONGEST_FAULT] for line in why.splitlines()[:MOST_FAULTS])


def refusal_file(site_file: Path) -> Path:
    """Where it is noted."""
    return site_file.with_name(f"{site_file.name}.refused")


def noted_refusal(site_file: Path) -> Refusal | None:
    """What was refused last; None if nothing was, or it cannot be read."""
    try:
        return _DECODER.decode(refusal_file(site_file).read_bytes())
    except (OSError, ValueError):
        return None
