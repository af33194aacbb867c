"""The open alerts, and what persons do to them."""

from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from tablebridge.model.alerts import AlertChange, AlertState
from tablebridge.web.api.commands import command_of, read_command, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, as_json, requires
from tablebridge.web.guard import Denied

router = APIRouter(prefix="/api")

StateReader = Annotated[Token, Depends(requires("state"))]
AlertWriter = Annotated[Token, Depends(requires("alerts-write"))]

_CHANGES: Final[dict[str, AlertState]] = {
    "acknowledged": "acknowledged",
    "taken": "taken",
    "ruled": "ruled",
    "closed": "closed",
}


class ChangeBody(msgspec.Struct, forbid_unknown_fields=True):
    """The change of an alert. `line`: one of the choices that the table offers for it. `over`: in the place
    of the person who took it.
    """

    id: str
    note: Annotated[str, msgspec.Meta(max_length=500)] = ""
    line: Annotated[str, msgspec.Meta(max_length=100)] = ""
    over: bool = False


@router.get("/alerts")
async def alerts(desk: TheDesk, me: StateReader) -> Response:
    """The alerts that are not closed, most severe first, then oldest, and how many more there are."""
    names = desk.names(me, "state")
    return as_json({"alerts": desk.hub.open_alerts(names), "more": desk.hub.more_alerts(names)})


@router.post("/tables/{table}/alerts/{alert}/{to}")
async def change(
    desk: TheDesk, request: Request, table: str, alert: str, to: str, me: AlertWriter
) -> Response:
    """Acknowledge, take, rule on or close an alert."""
    desk.table(table)
    if to not in _CHANGES:
        raise Denied(404, f"An alert cannot become {to!r}; it becomes {', '.join(_CHANGES)}.")
    body = await read_command(request, ChangeBody)
    wanted = AlertChange(alert, _CHANGES[to], me.name, body.note, body.line, body.over)
    return await run(desk, table, command_of(body.id, me, alert=wanted))
