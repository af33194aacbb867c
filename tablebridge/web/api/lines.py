"""Lines of table script, changing them and taking them back, what would come of it, and who is typing."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.bus.messages import Reply
from tablebridge.model.bounds import MOST_COMMAND_LINES
from tablebridge.model.preview import Preview
from tablebridge.web.answers import Answer, Typed
from tablebridge.web.api.commands import answered, body_as, command_of, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.heard import heard

router = APIRouter(prefix="/api/tables/{table}")

Ruler = Annotated[Token, Depends(requires("rule"))]
Operator = Annotated[Token, Depends(requires("lines-write"))]

Line = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


Entry = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Reason = Annotated[str, msgspec.Meta(max_length=200)]


class LinesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Lines of table script. `turn`: the turn for which they are meant, as the state of the table names it.
    `question`: the finding on which the lines rule; they are refused unless the table waits for that.
    `change`: the entry in whose place the one line stands; `before`: the entry before which the lines were
    left out; `reason`: why, which a hand that is over wants.
    """

    id: str
    lines: Annotated[list[Line], msgspec.Meta(min_length=1, max_length=MOST_COMMAND_LINES)]
    turn: Annotated[str, msgspec.Meta(max_length=100)] = ""
    question: Annotated[str, msgspec.Meta(max_length=100)] = ""
    change: Entry | None = None
    before: Entry | None = None
    reason: Reason = ""


class UndoBody(msgspec.Struct, forbid_unknown_fields=True):
    """The number of the entry to take back; without it, the person's own last line is taken back. `reason`:
    why.
    """

    id: str
    entry: Entry | None = None
    reason: Reason = ""


class PreviewBody(msgspec.Struct, forbid_unknown_fields=True):
    """What is not written yet: `lines`, perhaps a change, as for writing them, or the entry to `undo`."""

    id: str
    lines: Annotated[list[Line], msgspec.Meta(max_length=MOST_COMMAND_LINES)] = []
    change: Entry | None = None
    before: Entry | None = None
    undo: Entry | None = None
    reason: Reason = ""


class TypingBody(msgspec.Struct, forbid_unknown_fields=True):
    """The seat for which the person is typing, null for none."""

    id: str
    seat: Annotated[int, msgspec.Meta(ge=1, le=10)] | None = None


class RedoBody(msgspec.Struct, forbid_unknown_fields=True):
    """Bring back the line that the person took back last."""

    id: str


@router.post("/lines", response_model=None)
async def lines(
    desk: TheDesk, table: str, me: Ruler, body: Annotated[LinesBody, body_as(LinesBody)]
) -> Answer[Reply]:
    """Write lines into the record of the table."""
    desk.table(table)
    command = command_of(
        body.id,
        me,
        lines=tuple(body.lines),
        turn=body.turn,
        question=body.question,
        change=body.change,
        before=body.before,
        note=body.reason,
    )
    return await run(desk, table, command)


@router.post("/undo", response_model=None)
async def undo(
    desk: TheDesk, table: str, me: Ruler, body: Annotated[UndoBody, body_as(UndoBody)]
) -> Answer[Reply]:
    """Take back an entry, or the person's own last line."""
    desk.table(table)
    what: dict[str, Any] = {"last": "undo"} if body.entry is None else {"undo": body.entry}
    return await run(desk, table, command_of(body.id, me, note=body.reason, **what))


@router.post("/preview", response_model=None)
async def preview(
    desk: TheDesk, table: str, me: Operator, body: Annotated[PreviewBody, body_as(PreviewBody)]
) -> Answer[Preview]:
    """What would come of lines, a change or an undo. Nothing is written."""
    desk.table(table)
    command = command_of(
        body.id,
        me,
        lines=tuple(body.lines),
        undo=body.undo,
        change=body.change,
        before=body.before,
        note=body.reason,
    )
    foreseen = await answered(desk.hub.requests.preview(table, command, me.id))
    said = msgspec.structs.replace(foreseen, sentence=heard(desk.texts, foreseen.sentence))
    return Answer(said, 200 if foreseen.ok else 409)


@router.post("/typing", response_model=None)
async def typing(
    desk: TheDesk, table: str, me: Operator, body: Annotated[TypingBody, body_as(TypingBody)]
) -> Answer[Typed]:
    """The person types for a seat, or no longer: the other consoles of the table show it. Nothing is
    recorded.
    """
    desk.table(table)
    desk.operators.types(table, me, body.seat)
    return Answer(Typed())


@router.post("/redo", response_model=None)
async def redo(
    desk: TheDesk, table: str, me: Operator, body: Annotated[RedoBody, body_as(RedoBody)]
) -> Answer[Reply]:
    """Bring back the line that the person took back last."""
    desk.table(table)
    return await run(desk, table, command_of(body.id, me, last="redo"))
