"""Lines of table script, and taking lines back."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.bus.messages import Reply
from tablebridge.model.bounds import MOST_COMMAND_LINES
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as, command_of, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires

router = APIRouter(prefix="/api/tables/{table}")

Ruler = Annotated[Token, Depends(requires("rule"))]
Operator = Annotated[Token, Depends(requires("lines-write"))]

Line = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class LinesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Lines of table script. `turn`: the turn for which they are meant, as the state of the table
    names it.
    """

    id: str
    lines: Annotated[list[Line], msgspec.Meta(min_length=1, max_length=MOST_COMMAND_LINES)]
    turn: Annotated[str, msgspec.Meta(max_length=100)] = ""


class UndoBody(msgspec.Struct, forbid_unknown_fields=True):
    """The number of the entry to take back; without it, the person's own last line is taken back."""

    id: str
    entry: Annotated[int, msgspec.Meta(ge=1, le=2**53)] | None = None


class RedoBody(msgspec.Struct, forbid_unknown_fields=True):
    """Bring back the line that the person took back last."""

    id: str


@router.post("/lines", response_model=None)
async def lines(
    desk: TheDesk, table: str, me: Ruler, body: Annotated[LinesBody, body_as(LinesBody)]
) -> Answer[Reply]:
    """Write lines into the record of the table."""
    desk.table(table)
    return await run(desk, table, command_of(body.id, me, lines=tuple(body.lines), turn=body.turn))


@router.post("/undo", response_model=None)
async def undo(
    desk: TheDesk, table: str, me: Ruler, body: Annotated[UndoBody, body_as(UndoBody)]
) -> Answer[Reply]:
    """Take back an entry, or the person's own last line."""
    desk.table(table)
    what: dict[str, Any] = {"last": "undo"} if body.entry is None else {"undo": body.entry}
    return await run(desk, table, command_of(body.id, me, **what))


@router.post("/redo", response_model=None)
async def redo(
    desk: TheDesk, table: str, me: Operator, body: Annotated[RedoBody, body_as(RedoBody)]
) -> Answer[Reply]:
    """Bring back the line that the person took back last."""
    desk.table(table)
    return await run(desk, table, command_of(body.id, me, last="redo"))
