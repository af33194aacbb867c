"""The design sheet of the overlay: pictures of recorded hands, each a state that a theme must show well.

A file `*.table` is a table script. A line `#= NAME TITLE` takes the picture as it is there, with
the faces and what follows from them; `# names:` names the players.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play
from tablebridge.engine.table import Table
from tablebridge.engine.views import overlay_view
from tablebridge.model.instant import START
from tablebridge.model.overlay import OverlayPicture
from tablebridge.odds.picture import with_odds

_HERE: Final = Path(__file__).parent
_MARK: Final = "#= "
_NAMES: Final = "# names:"


class State(msgspec.Struct, frozen=True):
    """One state of the overlay. `hand`: the recorded hand that it is of."""

    name: str
    title: str
    hand: str
    picture: OverlayPicture


@cache
def states() -> tuple[State, ...]:
    """All states, in the order of the files and of the lines in them."""
    return tuple(state for path in sorted(_HERE.glob("*.table")) for state in _states(path))


def _states(path: Path) -> Iterator[State]:
    lines = path.read_text(encoding="utf-8").splitlines()
    names = next((_named(line) for line in lines if line.startswith(_NAMES)), {})
    for at, line in enumerate(lines):
        if line.startswith(_MARK):
            name, title = line.removeprefix(_MARK).split(" ", 1)
            yield State(name, title, path.stem, _picture("\n".join(lines[:at]), names))


def _picture(script: str, names: dict[int, str]) -> OverlayPicture:
    table = Table("gallery")
    for _ in play(read(script + "\n", "gallery"), table):
        pass
    view = overlay_view(table, START)
    seats = tuple(msgspec.structs.replace(seat, name=names.get(seat.seat, "")) for seat in view.seats)
    return with_odds(msgspec.structs.replace(view, seats=seats))


def _named(line: str) -> dict[int, str]:
    pairs = (pair.split(maxsplit=1) for pair in line.removeprefix(_NAMES).split(";"))
    return {int(seat): name for seat, name in pairs}
