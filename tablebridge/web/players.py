"""What the broadcast shows of players beside their names: a flag, a line of text, a picture. A folder of the
site file holds `players.toml` and the pictures:

    [[player]]
    name = "Amina Diallo"    # as in public_names
    flag = "SEN"
    line = "Leads the field"
    picture = "amina.jpg"

`logo` and `sponsor`, each with the ending of its kind, are the pictures for these places. Everything has a
bound, and only files that begin as PNG, JPEG or WebP pictures do are served.
"""

import logging
import re
import tomllib
from pathlib import Path
from typing import Annotated, Final

import msgspec

from tablebridge.model.overlay import OverlayPicture, PlayerNote
from tablebridge.web.assets import Asset

log = logging.getLogger(__name__)

MOST_BYTES: Final = 2 * 1024 * 1024
MOST_PLAYERS: Final = 2_000
_LIST: Final = "players.toml"
_ENDINGS: Final = ("png", "jpg", "webp")
_FILE: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}")
_KINDS: Final = ((b"\x89PNG\r\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))

_Text = Annotated[str, msgspec.Meta(max_length=60)]


class _Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: _Text
    flag: Annotated[str, msgspec.Meta(max_length=3)] = ""
    line: _Text = ""
    picture: _Text = ""


class _List(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: Annotated[tuple[_Player, ...], msgspec.Meta(max_length=MOST_PLAYERS)] = ()


class Players:
    """The players of the folder; none without one. The list is read again when its file has changed; one that
    cannot be read is as if it were empty, and the log says why.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._stamp: tuple[int, int] | None = None
        self._players: dict[str, _Player] = {}

    def noted(self, picture: OverlayPicture) -> OverlayPicture:
        """The picture with what is to be shown of those who sit at the table, and of the site."""
        if self._folder is None:
            return picture
        self._read(self._folder / _LIST)
        known = [
            (seat.seat, self._players[seat.name]) for seat in picture.seats if seat.name in self._players
        ]
        notes = tuple(PlayerNote(seat, each.flag, each.line, each.picture) for seat, each in known)
        return msgspec.structs.replace(
            picture, players=notes, logo=self._place("logo"), sponsor=self._place("sponsor")
        )

    def picture(self, name: str) -> Asset | None:
        """The picture in the file of this name; None if there is none, it is too large, or no picture."""
        if self._folder is None or not _FILE.fullmatch(name):
            return None
        path = self._folder / name
        try:
            if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
                return None
            body = path.read_bytes()
        except OSError:
            return None
        kind = next((kind for begins, kind in _KINDS if body.startswith(begins)), None)
        return None if kind is None else Asset(body, kind)

    def _place(self, name: str) -> str:
        """The file with the picture for this place; empty if there is none."""
        files = (f"{name}.{ending}" for ending in _ENDINGS)
        return next((file for file in files if self._folder and (self._folder / file).is_file()), "")

    def _read(self, path: Path) -> None:
        try:
            stat = path.stat()
            if (stat.st_mtime_ns, stat.st_size) == self._stamp:
                return
            self._stamp = (stat.st_mtime_ns, stat.st_size)
            if stat.st_size > MOST_BYTES:
                raise ValueError(f"it is longer than {MOST_BYTES} bytes")
            found = msgspec.convert(tomllib.loads(path.read_text()), _List)
            self._players = {player.name: player for player in found.player}
        except FileNotFoundError:
            self._players = {}
        except (OSError, ValueError) as error:
            self._players = {}
            log.warning("%s cannot be read (%s): players are shown without it", path, error)
