"""The open alerts, and what persons do to them."""

from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.bus.messages import Reply
from tablebridge.model.alerts import Alert, AlertChange, AlertIds, AlertState, Ticked
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as, command_of, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.guard import Denied

router = APIRouter(prefix="/api")

StateReader = Annotated[Token, Depends(requires("state"))]
AlertWriter = Annotated[Token, Depends(requires("alerts-write"))]

_CHANGES: Final[dict[str, AlertState]] = {
    "acknowledged": "acknowledged",
    "taken": "taken",
    "released": "acknowledged",
    "ruled": "ruled",
    "closed": "closed",
}


class ChangeBody(msgspec.Struct, forbid_unknown_fields=True):
    """The change of an alert. `line`: one of the choices that the table offers for it. `over`: in the place
    of the person who took it. `also`: other alerts of the table that are changed likewise, as far as they can
    be. `done`: the steps of its remedy that were ticked, counted from 1.
    """

    id: str
    note: Annotated[str, msgspec.Meta(max_length=500)] = ""
    line: Annotated[str, msgspec.Meta(max_length=100)] = ""
    over: bool = False
    also: AlertIds = ()
    done: Ticked = ()


class AlertList(msgspec.Struct):
    """Alerts that are not closed, most severe first, then oldest. `more`: how many more are open."""

    alerts: list[Alert]
    more: int


class ClosedAlertList(msgspec.Struct):
    """Alerts that were closed, the latest first; each says in its `life` who did what."""

    alerts: list[Alert]


Change = Annotated[ChangeBody, body_as(ChangeBody)]


@router.get("/alerts", response_model=None)
async def alerts(desk: TheDesk, me: StateReader) -> Answer[AlertList]:
    """The alerts that are not closed, most severe first, then oldest, and how many more there are."""
    names = desk.names(me, "state")
    return Answer(AlertList(desk.hub.open_alerts(names), desk.hub.more_alerts(names)))


@router.get("/alerts/closed", response_model=None)
async def closed_alerts(desk: TheDesk, me: StateReader) -> Answer[ClosedAlertList]:
    """The alerts that were closed last, the latest first: 50 of each table."""
    return Answer(ClosedAlertList(desk.hub.closed_alerts(desk.names(me, "state"))))


@router.post("/tables/{table}/alerts/{alert}/{to}", response_model=None)
async def change(
    desk: TheDesk,
    table: str,
    alert: str,
    to: str,
    me: AlertWriter,
    body: Annotated[ChangeBody, body_as(ChangeBody)],
) -> Answer[Reply]:
    """Acknowledge an alert, take it, say that nobody goes after all (`released`), rule on it or close it."""
    desk.table(table)
    if to not in _CHANGES:
        raise Denied(
            404,
            "An alert cannot become %(state)s; it becomes %(states)s.",
            state=repr(to),
            states=", ".join(_CHANGES),
        )
    wanted = AlertChange(alert, _CHANGES[to], me.name, body.note, body.line, body.over, body.done)
    command = command_of(body.id, me, alert=wanted, also=body.also, back=to == "released")
    return await run(desk, table, command)
