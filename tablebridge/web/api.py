"""REST: the state of tables, alerts and devices, and the commands of people. Every refusal is `{"sentence":
...}`.
"""

import re
import time
from typing import Annotated, Any, Final, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from tablebridge.bus.messages import Command
from tablebridge.model.alerts import AlertChange, AlertState
from tablebridge.model.bounds import MOST_COMMAND_LINES
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, as_json
from tablebridge.web.guard import Denied, needs, read_body
from tablebridge.web.hub import ANSWER_S, TableNow

_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")
_CHANGES: Final[dict[str, AlertState]] = {
    "acknowledged": "acknowledged",
    "taken": "taken",
    "ruled": "ruled",
    "closed": "closed",
}

T = TypeVar("T")


Line = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class LinesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Lines of table script. `turn`: the turn for which they are meant, as the state of the table
    names it.
    """

    id: str
    lines: Annotated[list[Line], msgspec.Meta(min_length=1, max_length=MOST_COMMAND_LINES)]
    turn: Annotated[str, msgspec.Meta(max_length=100)] = ""


class UndoBody(msgspec.Struct, forbid_unknown_fields=True):
    """The number of the entry to take back; without one it is the person's own last line."""

    id: str
    entry: Annotated[int, msgspec.Meta(ge=1, le=2**53)] | None = None


class RedoBody(msgspec.Struct, forbid_unknown_fields=True):
    id: str


class ChangeBody(msgspec.Struct, forbid_unknown_fields=True):
    """`line`: one of the choices that the table offers for this alert. `over`: in the place of the person who
    took it.
    """

    id: str
    note: Annotated[str, msgspec.Meta(max_length=500)] = ""
    line: Annotated[str, msgspec.Meta(max_length=100)] = ""
    over: bool = False


async def _body(request: Request, kind: type[T]) -> T:
    try:
        body = msgspec.json.decode(await read_body(request), type=kind)
    except msgspec.ValidationError as error:
        raise Denied(400, f"This cannot be understood: {error}.") from None
    except ValueError:
        raise Denied(400, "This is not JSON. Send an object with an id.") from None
    if not _ID.fullmatch(getattr(body, "id", "")):
        raise Denied(
            400,
            "Give an id of 8 to 64 letters, digits, - or _: a new one for every command, the same when repeated.",
        )
    return body


def routes(desk: Desk) -> APIRouter:
    """All routes under `/api`."""
    api = APIRouter(prefix="/api")
    hub = desk.hub
    state = needs(desk.tokens, "state")

    async def done(table: str, command: Command) -> Response:
        try:
            reply = await hub.command(table, command)
        except ConnectionError:
            raise Denied(
                504, "The engine cannot be reached. Nothing was written; try again when the page is live."
            ) from None
        except TimeoutError:
            raise Denied(
                504,
                f"The engine did not answer within {ANSWER_S:.0f} s. Look whether it was done before you send "
                "it again.",
            ) from None
        return as_json(reply, 200 if reply.ok else 409)

    def command(body: Any, me: Token, **what: Any) -> Command:
        deadline = time.time_ns() + round(ANSWER_S * 1e9)
        return Command(id=body.id, by=me.name, role=me.role, deadline_wall_ns=deadline, **what)

    @api.get("/tables")
    async def tables(me: Annotated[Token, Depends(state)]) -> Response:
        return as_json({"tables": [_row(desk, hub.tables[name]) for name in desk.names(me, "state")]})

    @api.get("/tables/{table}/state")
    async def table_state(table: str, me: Annotated[Token, Depends(state)]) -> Response:
        view = desk.table(table).view
        if view is None:
            raise Denied(404, f"Nothing is known of table {table} yet: its engine has not spoken.")
        return as_json(view)

    @api.get("/tables/{table}/overlay")
    async def table_overlay(
        table: str, me: Annotated[Token, Depends(needs(desk.tokens, "overlay"))]
    ) -> Response:
        view = desk.table(table).overlay
        if view is None or hub.away_s([table]):
            raise Denied(404, f"There is no picture of table {table} to show.")
        if not await desk.accesses.record(me, table, "picture"):
            raise Denied(
                504,
                "The engine has not recorded that you are given this picture, so it is not shown. Try again.",
            )
        return as_json(view)

    @api.get("/alerts")
    async def alerts(me: Annotated[Token, Depends(state)]) -> Response:
        names = desk.names(me, "state")
        return as_json({"alerts": hub.open_alerts(names), "more": hub.more_alerts(names)})

    @api.get("/devices")
    async def devices(me: Annotated[Token, Depends(needs(desk.tokens, "devices"))]) -> Response:
        return as_json(
            {
                "devices": [
                    {
                        "table": name,
                        "device": device.name,
                        "driver": device.driver,
                        "state": device.state,
                        "why": device.why,
                        "alive_wall_ns": device.alive_wall_ns,
                        "rejects": device.health.rejects if device.health else {},
                        "outbox": device.health.outbox if device.health else 0,
                    }
                    for name in desk.names(me, "devices")
                    for device in hub.tables[name].devices.values()
                ]
            }
        )

    @api.post("/tables/{table}/lines")
    async def lines(
        request: Request, table: str, me: Annotated[Token, Depends(needs(desk.tokens, "rule"))]
    ) -> Response:
        desk.table(table)
        body = await _body(request, LinesBody)
        return await done(table, command(body, me, lines=tuple(body.lines), turn=body.turn))

    @api.post("/tables/{table}/undo")
    async def undo(
        request: Request, table: str, me: Annotated[Token, Depends(needs(desk.tokens, "rule"))]
    ) -> Response:
        desk.table(table)
        body = await _body(request, UndoBody)
        what = {"last": "undo"} if body.entry is None else {"undo": body.entry}
        return await done(table, command(body, me, **what))

    @api.post("/tables/{table}/redo")
    async def redo(
        request: Request, table: str, me: Annotated[Token, Depends(needs(desk.tokens, "lines-write"))]
    ) -> Response:
        desk.table(table)
        return await done(table, command(await _body(request, RedoBody), me, last="redo"))

    @api.post("/tables/{table}/alerts/{alert}/{to}")
    async def change(
        request: Request,
        table: str,
        alert: str,
        to: str,
        me: Annotated[Token, Depends(needs(desk.tokens, "alerts-write"))],
    ) -> Response:
        desk.table(table)
        if to not in _CHANGES:
            raise Denied(404, f"An alert cannot become {to!r}; it becomes {', '.join(_CHANGES)}.")
        body = await _body(request, ChangeBody)
        wanted = AlertChange(alert, _CHANGES[to], me.name, body.note, body.line, body.over)
        return await done(table, command(body, me, alert=wanted))

    return api


def _row(desk: Desk, now: TableNow) -> dict[str, Any]:
    view = now.view
    return {
        "table": now.name,
        "engine": "online" if now.runs else "offline",
        "away_s": round(desk.hub.away_s([now.name]), 1),
        "rev": now.rev,
        "hand": view.hand if view else 0,
        "street": view.street if view else "",
        "pot": view.pot if view else 0,
        "to_act": view.to_act if view else None,
        "alerts": len(now.alerts) + now.more_alerts,
        "devices": {device.name: device.state for device in now.devices.values()},
    }
