"""The director's orders of each table, and what they leave of a picture.

Theory. The process of the pages is the only writer: it applies an order to what all overlays and feeds are
sent from then on, and keeps it in a file, so that a restart shows nothing that was hidden. What takes
something off the air is applied at once, whatever else fails. What brings something on is applied last: when
it is in the record of the table and in the file. If the file cannot be read, hole cards are hidden.
"""

import logging
from pathlib import Path

import msgspec

from tablebridge import private
from tablebridge.model.direction import CLOSED, Direction
from tablebridge.model.errors import ConfigError
from tablebridge.model.overlay import OverlayPicture
from tablebridge.settings.state import DIRECTIONS

log = logging.getLogger(__name__)


class _File(msgspec.Struct):
    tables: dict[str, Direction]
    schema: int = 1


class Directions:
    """What the orders of each table come to."""

    def __init__(self, state_dir: Path) -> None:
        self._path = DIRECTIONS.path(state_dir)
        self._unknown = Direction()
        self._tables: dict[str, Direction] = {}
        try:
            self._tables = msgspec.json.decode(self._path.read_bytes(), type=_File).tables
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            log.error(
                "%s cannot be read (%s): hole cards are hidden until the director shows them",
                self._path,
                error,
            )
            self._unknown = CLOSED

    def of(self, table: str) -> Direction:
        """What holds at this table."""
        return self._tables.get(table, self._unknown)

    def apply(self, table: str, direction: Direction) -> None:
        """Let this hold from now on, without keeping it."""
        self._tables[table] = direction

    def keep(self, table: str, direction: Direction) -> None:
        """Write it down beside those of the other tables. Raises ConfigError if it cannot be written."""
        try:
            private.own_folder(self._path.parent)
            private.write(self._path, msgspec.json.encode(_File({**self._tables, table: direction})))
        except OSError as error:
            raise ConfigError(
                f"{self._path} cannot be written ({error.strerror}): give the folder to the user of the pages"
            ) from None


def directed(picture: OverlayPicture, direction: Direction) -> OverlayPicture:
    """What these orders leave of the picture: nothing but its number, or no face and nothing that follows
    from one, or all of it.
    """
    if not direction.picture:
        return OverlayPicture(picture.table, rev=picture.rev, direction=direction)
    if direction.hole_cards:
        return msgspec.structs.replace(picture, direction=direction)
    return msgspec.structs.replace(
        picture,
        direction=direction,
        seats=tuple(msgspec.structs.replace(seat, faces=()) for seat in picture.seats),
        hands=(),
        boards=0,
        error=0.0,
    )
