"""The room of tables: what is due, and the exchange with tournament software."""

import secrets
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.model.rooms import LONGEST_FILE, RoomCommand, RoomReply, RoomView, Row
from tablebridge.room.exchange import Result, results, write_csv
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import answered, body_as
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.guard import Denied
from tablebridge.web.heard import heard
from tablebridge.web.room_link import deadline
from tablebridge.web.room_names import Named, bring

router = APIRouter()

Reader = Annotated[Token, Depends(requires("room"))]
Namer = Annotated[Token, Depends(requires("room-names"))]
Writer = Annotated[Token, Depends(requires("room-write"))]


class RoomBody(msgspec.Struct, forbid_unknown_fields=True):
    """What is to be done in the room: lines of a room script, or an import of this form. `trial`: it is tried
    and nothing is written.
    """

    id: str
    lines: Annotated[tuple[str, ...], msgspec.Meta(max_length=200)] = ()
    form: Literal["", "csv", "json"] = ""
    file: Annotated[str, msgspec.Meta(max_length=LONGEST_FILE)] = ""
    trial: bool = False


class SeedBody(msgspec.Struct, forbid_unknown_fields=True):
    """The table that is to be broken."""

    id: str
    table: Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9_-]{0,31}$")]


class NamesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Nothing further: the room knows the names."""

    id: str


class TablesNamed(msgspec.Struct):
    """What became of the room's names and stakes at each table whose own were others."""

    tables: list[Named]


class RoomPlayers(msgspec.Struct):
    """All players: those who play by table and seat, then those who are out, the best place first."""

    players: list[Result]


@router.get("/api/room", response_model=None)
async def room(desk: TheDesk, me: Reader) -> Answer[RoomView]:
    """The room: who moves where, which table halts, who is out. 404 while no process follows the tables."""
    view = _followed(desk)
    clashes = tuple(heard(desk.texts, clash) for clash in view.clashes)
    return Answer(msgspec.structs.replace(view, clashes=clashes))


@router.post("/api/room", response_model=None)
async def write(desk: TheDesk, me: Writer, body: Annotated[RoomBody, body_as(RoomBody)]) -> Answer[RoomReply]:
    """Write lines of a room script, or import seats and names: as a whole or not at all, once for the id."""
    _followed(desk)
    command = RoomCommand(
        body.id,
        me.name,
        "floor",
        deadline(),
        lines=body.lines,
        form=body.form,
        file=body.file,
        trial=body.trial,
    )
    reply = await answered(desk.hub.room.ask(command))
    said = msgspec.structs.replace(reply, sentence=heard(desk.texts, reply.sentence))
    return Answer(said, 200 if reply.ok else 409)


@router.post("/api/room/seed", response_model=None)
async def seed(desk: TheDesk, me: Writer, body: Annotated[SeedBody, body_as(SeedBody)]) -> Answer[RoomReply]:
    """Make the seed from which the break of a table will be drawn, and record it before the draw. A table has
    one.
    """
    _followed(desk)
    line = f"seed {body.table} {secrets.token_hex(8)}"
    reply = await answered(
        desk.hub.room.ask(RoomCommand(body.id, me.name, "floor", deadline(), lines=(line,)))
    )
    return Answer(reply, 200 if reply.ok else 409)


@router.post("/api/room/names", response_model=None)
async def names(
    desk: TheDesk, me: Namer, body: Annotated[NamesBody, body_as(NamesBody)]
) -> Answer[TablesNamed]:
    """Bring the room's names and the stakes of its level to the tables, each in its own record. A table that
    refuses stays as it is and says why.
    """
    view = _followed(desk)
    rows = await _rows(desk, me)
    tables = [desk.hub.tables[name] for name in desk.names(me, "room-names")]
    return Answer(TablesNamed([named async for named in bring(desk, me, body.id, view.stakes, rows, tables)]))


@router.get("/api/room/players", response_model=None)
async def players(desk: TheDesk, me: Reader) -> Answer[RoomPlayers]:
    """All players with their places, stacks and prizes."""
    return Answer(RoomPlayers(results(await _rows(desk, me))))


@router.get("/room/players.csv", include_in_schema=False)
async def players_csv(desk: TheDesk, me: Reader) -> Response:
    """The same as a table for a spreadsheet."""
    return Response(
        write_csv(await _rows(desk, me)),
        media_type="text/csv",
        headers={"Content-Disposition": 'attachment; filename="players.csv"'},
    )


async def _rows(desk: Desk, me: Token) -> list[Row]:
    _followed(desk)
    return await answered(desk.hub.room.rows(me.name, me.role))


def _followed(desk: Desk) -> RoomView:
    """The room as it was published last. Raises Denied 404 while no process follows the tables."""
    if desk.hub.room.view is None:
        raise Denied(404, "No room is followed here: start tablebridge room.")
    return desk.hub.room.view
