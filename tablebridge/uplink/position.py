"""How far the records of a table are in the room: the last record that the stream has acknowledged.

The file is a hint. If it is missing, or says too little, records are sent twice and the room knows them; if
it says too much, the stream's own last message of the table says so.
"""

from pathlib import Path
from typing import Final

import msgspec

from tablebridge import private
from tablebridge.model.bounds import Count


class Position(msgspec.Struct, frozen=True):
    """The record with this number and hash, which has the place `sequence` in the stream, and all before it
    are in the room.
    """

    number: Count
    hash: bytes
    sequence: Count = 0


_DECODER: Final = msgspec.json.Decoder(Position)


def load_position(path: Path) -> Position | None:
    """What was noted last; None if nothing was or the file cannot be read."""
    try:
        return _DECODER.decode(path.read_bytes())
    except (OSError, ValueError):
        return None


def save_position(path: Path, position: Position) -> None:
    """Note it; it is on the disk when this returns. Raises OSError."""
    private.write(path, msgspec.json.encode(position))
