"""How the names of a room and the stakes of its level reach the tables: a command of the floor to each table
whose own are others, recorded there under the person's name.
"""

import hashlib
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import msgspec

from tablebridge.model.rooms import Row
from tablebridge.model.views import TableView
from tablebridge.web.api.commands import answered, command_of
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk
from tablebridge.web.guard import Denied
from tablebridge.web.heard import heard
from tablebridge.web.status import TableStatus


class Named(msgspec.Struct, frozen=True):
    """What became of it at one table. `sentence`: why the table refused."""

    table: str
    ok: bool
    sentence: str = ""


def names_at(rows: Sequence[Row], table: TableView) -> dict[int, str]:
    """What the players of the table are called: as the room does; where the room has no name, as the table
    does, unless that player sits elsewhere.
    """
    playing = [row for row in rows if not row.first]
    taken = {row.name for row in playing}
    here = {row.seat: row.name for row in playing if row.table == table.table}
    own = {seat.seat: seat.name for seat in table.seats}
    return {
        seat: name
        for seat in sorted(here)
        if (name := here[seat] or ("" if own.get(seat) in taken else own.get(seat, "")))
    }


async def bring(
    desk: Desk,
    me: Token,
    id: str,
    stakes: tuple[int, int] | None,
    rows: Sequence[Row],
    tables: Iterable[TableStatus],
) -> AsyncIterator[Named]:
    """Send what is others at a table, table after table."""
    for status in tables:
        view = status.view
        if view is None or not any(row.table == status.name and not row.first for row in rows):
            continue
        wanted = names_at(rows, view)
        what: list[dict[str, Any]] = []
        if wanted != {seat.seat: seat.name for seat in view.seats if seat.name}:
            what.append({"names": wanted})
        if stakes is not None and stakes != (view.level.stakes if view.level else view.stakes):
            what.append({"lines": (f"level {stakes[0]}/{stakes[1]}",)})
        refused = [said for part in what if (said := await _refusal(desk, me, id, status.name, part))]
        if what:
            yield Named(status.name, not refused, " ".join(refused))


async def _refusal(desk: Desk, me: Token, id: str, table: str, what: dict[str, Any]) -> str:
    """Why the table does not do it; empty if it does."""
    # The same command, if the person repeats it: a repetition is done once at each table.
    key = hashlib.sha256(f"{id} {table} {min(what)}".encode()).hexdigest()[:40]
    try:
        reply = await answered(desk.hub.requests.command(table, command_of(key, me, **what)))
    except Denied as denied:
        return denied.sentence(desk.texts)
    return "" if reply.ok else heard(desk.texts, reply.sentence)
