"""Import from tournament software, and export to it: CSV and JSON.

| import | meaning |
| --- | --- |
| `table,seat,player,stack` | a player sits there; who sits elsewhere moves |
| `level` | the number of the level that is played |
| `stakes` | its small and big blind |

As CSV the first line names the columns, in any order; `stack` may be left out. As JSON it is an object with
`players`, a list of objects with these names, `level`, `stakes`, and `prizes`. Nothing is taken unless all of
it can be.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import msgspec

from tablebridge.model.bounds import Amount, Seat, Word
from tablebridge.model.rooms import Row
from tablebridge.room import events as ev
from tablebridge.room.room import Room

MOST_PLAYERS: Final = 2_000
_COLUMNS: Final = ("table", "seat", "player", "stack")
_NEEDED: Final = ("table", "seat", "player")


class Unfit(Exception):
    """Why a file cannot be imported, with its line if it has one."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One player of an import."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    seat: Annotated[int, msgspec.Meta(ge=1, le=10)]
    player: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    stack: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


class Import(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole import. `stakes`: of the level; `prizes`: the first place first; none are changed if there are
    none here.
    """

    players: Annotated[tuple[Entry, ...], msgspec.Meta(max_length=MOST_PLAYERS)] = ()
    level: Annotated[int, msgspec.Meta(ge=1, le=1_000)] | None = None
    stakes: tuple[Amount, Amount] | None = None
    prizes: Annotated[tuple[Amount, ...], msgspec.Meta(max_length=ev.MOST_PRIZES)] = ()


class Result(msgspec.Struct, frozen=True):
    """One player of an export. `place` is empty while it plays; places that are shared are `3-5`."""

    player: Word
    table: Word
    seat: Seat
    stack: Amount | None
    place: Word
    prize: Amount


def read_json(text: str) -> Import:
    """An import. Raises Unfit."""
    try:
        wanted = _once(msgspec.json.decode(text, type=Import))
    except msgspec.MsgspecError as error:
        raise Unfit(f"This is no import: {error}.") from None
    if wanted.stakes is not None and wanted.level is None:
        raise Unfit("Stakes are those of a level: name its number as level.")
    return wanted


def read_csv(text: str) -> Import:
    """An import. Raises Unfit, with the line."""
    rows = csv.reader(text.removeprefix("\ufeff").splitlines(keepends=True))
    try:
        head = [name.strip().lower() for name in next(rows, [])]
        missing = [name for name in _NEEDED if name not in head]
        if missing or len(set(head)) != len(head):
            raise Unfit(f"Line 1: the columns are {', '.join(_COLUMNS)}, each once; stack may be left out.")
        unknown = [name for name in head if name not in _COLUMNS]
        if unknown:
            raise Unfit(f"Line 1: no column is called {unknown[0]!r}; they are {', '.join(_COLUMNS)}.")
        players = []
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(head):
                raise Unfit(f"Line {rows.line_num}: {len(row)} cells, and the first line has {len(head)}.")
            players.append(_entry(dict(zip(head, row, strict=True)), rows.line_num))
            if len(players) > MOST_PLAYERS:
                raise Unfit(f"Line {rows.line_num}: {MOST_PLAYERS} players at most in one import.")
    except csv.Error as error:
        raise Unfit(f"Line {rows.line_num}: this is no CSV ({error}).") from None
    return _once(Import(tuple(players)))


def events_of(room: Room, wanted: Import) -> Iterator[ev.Event]:
    """What makes the room agree with an import. Each is to be applied before the next is asked for."""
    if wanted.prizes:
        yield ev.Prizes(wanted.prizes)
    level = room.level if wanted.level is None else wanted.level
    if level and (level != room.level or wanted.stakes not in (None, room.stakes)):
        yield ev.Level(level, wanted.stakes)
    for table in dict.fromkeys(entry.table for entry in wanted.players):
        if table not in room.tables.tables:
            yield ev.Seated(table, ())
    for entry in wanted.players:
        sits = room.tables.named.get(entry.player)
        if sits is None:
            there = room.tables.tables[entry.table].players.get(entry.seat)
            if there is not None and not there.name:
                yield ev.Called(entry.table, entry.seat, entry.player)
            else:
                yield ev.Sits(entry.table, entry.seat, entry.player, entry.stack)
        elif sits != (entry.table, entry.seat):
            yield ev.Moves(*sits, entry.table, entry.seat)
        if (
            entry.stack is not None
            and room.tables.tables[entry.table].players[entry.seat].stack != entry.stack
        ):
            yield ev.Chips(entry.table, {entry.seat: entry.stack})


def rows(room: Room) -> list[Row]:
    """All players: those who play by table and seat, then those who are out, the best place first."""
    playing = [
        Row(player.name, name, seat, player.stack, prize=room.prize((name, seat)))
        for (name, seat), player in room.tables.playing()
    ]
    gone = [
        Row(player.name, name, seat, 0, player.first, player.last, room.prize_of(player))
        for (name, seat), player in reversed(room.tables.gone)
    ]
    return [*playing, *sorted(gone, key=lambda row: row.first)]


def results(players: Iterable[Row]) -> list[Result]:
    """The rows as an export has them."""
    return [Result(row.name, row.table, row.seat, row.stack, _place(row), row.prize) for row in players]


def write_csv(players: Iterable[Row]) -> str:
    """The export as CSV. A name that a spreadsheet would take for a formula begins with an apostrophe."""
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(Result.__struct_fields__)
    for result in results(players):
        writer.writerow(_plain(value) for value in msgspec.structs.astuple(result))
    return "".join(lines)


class _Lines(list[str]):
    """What a writer of CSV has written."""

    def write(self, text: str) -> None:
        """Keep a line."""
        self.append(text)


def _entry(cells: dict[str, str], line: int) -> Entry:
    try:
        given = {name: value.strip() for name, value in cells.items() if value.strip()}
        return msgspec.convert(given, Entry, strict=False)
    except msgspec.ValidationError as error:
        raise Unfit(f"Line {line}: {error}.") from None


def _once(wanted: Import) -> Import:
    names: set[str] = set()
    places: set[tuple[str, int]] = set()
    for entry in wanted.players:
        if not entry.player.isprintable():
            raise Unfit(f"The name of seat {entry.seat} of {entry.table} has a character that is not shown.")
        if entry.player in names:
            raise Unfit(f"{entry.player} stands twice; nobody sits twice.")
        if (entry.table, entry.seat) in places:
            raise Unfit(f"Two players are to sit in seat {entry.seat} of {entry.table}.")
        names.add(entry.player)
        places.add((entry.table, entry.seat))
    return wanted


def _place(row: Row) -> str:
    if not row.first:
        return ""
    return str(row.first) if row.first == row.last else f"{row.first}-{row.last}"


def _plain(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
