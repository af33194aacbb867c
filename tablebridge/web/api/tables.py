"""The state of tables, for staff and for the broadcast."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.model.overlay import OverlayPicture
from tablebridge.model.views import TableView
from tablebridge.web.answers import Answer
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.guard import Denied
from tablebridge.web.status import TableStatus

router = APIRouter(prefix="/api/tables")

StateReader = Annotated[Token, Depends(requires("state"))]
Broadcaster = Annotated[Token, Depends(requires("overlay"))]


class TableRow(msgspec.Struct):
    """One table in the list of tables. `devices`: the state of each. `away_s`: for how long its engine or the
    broker has been away.
    """

    table: str
    engine: str
    away_s: float
    rev: int
    hand: int
    street: str
    pot: int
    to_act: int | None
    alerts: int
    devices: dict[str, str]


class TableList(msgspec.Struct):
    """The tables that the person may see."""

    tables: list[TableRow]


@router.get("", response_model=None)
async def tables(desk: TheDesk, me: StateReader) -> Answer[TableList]:
    """The tables that this person may see."""
    return Answer(TableList([_row(desk, desk.hub.tables[name]) for name in desk.names(me, "state")]))


@router.get("/{table}/state", response_model=None)
async def table_state(desk: TheDesk, table: str, me: StateReader) -> Answer[TableView]:
    """The table as staff see it, without hidden faces."""
    view = desk.table(table).view
    if view is None:
        raise Denied(
            404, "Nothing is known of table %(table)s yet: its engine has not reported.", table=table
        )
    return Answer(view)


@router.get("/{table}/overlay", response_model=None)
async def table_overlay(desk: TheDesk, table: str, me: Broadcaster) -> Answer[OverlayPicture]:
    """The table for the broadcast, with hole cards, after the delay."""
    _picture(desk, table)
    if not await desk.card_access.record(me, table, "picture"):
        raise Denied(
            504, "The engine has not recorded that you are given this picture, so it is not shown. Try again."
        )
    return Answer(_picture(desk, table))


def _picture(desk: Desk, table: str) -> OverlayPicture:
    view = desk.picture(table)
    if view is None or desk.hub.away_s([table]):
        raise Denied(404, "There is no picture of table %(table)s to show.", table=table)
    return view


def _row(desk: Desk, status: TableStatus) -> TableRow:
    view = status.view
    return TableRow(
        table=status.name,
        engine="online" if status.runs else "offline",
        away_s=round(desk.hub.away_s([status.name]), 1),
        rev=status.rev,
        hand=view.hand if view else 0,
        street=view.street if view else "",
        pot=view.pot if view else 0,
        to_act=view.to_act if view else None,
        alerts=len(status.alerts) + status.more_alerts,
        devices={device.name: device.state for device in status.devices.values()},
    )
