"""The incidents of the floor, what waits on the shelf, and what is out of service."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.bus.messages import Reply
from tablebridge.floor.flood import Flood
from tablebridge.floor.incidents import Incident
from tablebridge.floor.inhibition import Hidden
from tablebridge.model.alerts import Alert, AlertIds
from tablebridge.model.floor_marks import (
    LONGEST_SHELF_MIN,
    EndService,
    FloorMark,
    OutOfService,
    ResumeService,
    Shelve,
    Unshelve,
)
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as, command_of, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires

router = APIRouter(prefix="/api")

StateReader = Annotated[Token, Depends(requires("state"))]
AlertWriter = Annotated[Token, Depends(requires("alerts-write"))]
Why = Annotated[str, msgspec.Meta(max_length=200)]


class IncidentList(msgspec.Struct):
    """What the floor goes to, most urgent first; what waits on the shelf; what is hidden because it is out of
    service (`out`, by table); the flood, if there is one.
    """

    incidents: list[Incident]
    shelved: list[Alert]
    unserved: list[Hidden]
    out: dict[str, tuple[OutOfService, ...]]
    flood: Flood | None


class ShelfBody(msgspec.Struct, forbid_unknown_fields=True):
    """Put alerts on the shelf for `minutes`, or take them from it (0 minutes)."""

    id: str
    alert: Annotated[str, msgspec.Meta(max_length=64)]
    minutes: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_SHELF_MIN)] = 0
    why: Why = ""
    also: AlertIds = ()


class ServiceBody(msgspec.Struct, forbid_unknown_fields=True):
    """Put a device, or the table if `device` is empty, out of service (`out`) or into it again."""

    id: str
    out: bool
    device: Annotated[str, msgspec.Meta(max_length=64)] = ""
    why: Why = ""


@router.get("/incidents", response_model=None)
async def incidents(desk: TheDesk, me: StateReader) -> Answer[IncidentList]:
    """The open alerts as the floor goes to them."""
    shown = desk.pictures.of(desk.hub, desk.names(me, "state"))
    out = {name: table.out for name, table in shown.tables.items() if table.out}
    return Answer(IncidentList(shown.incidents, shown.shelved, shown.unserved, out, shown.flood))


@router.post("/tables/{table}/shelf", response_model=None)
async def shelf(
    desk: TheDesk, table: str, me: AlertWriter, body: Annotated[ShelfBody, body_as(ShelfBody)]
) -> Answer[Reply]:
    """Put warnings on the shelf for at most 30 minutes, or take them from it."""
    desk.table(table)
    mark: FloorMark = Shelve(body.alert, body.minutes, body.why) if body.minutes else Unshelve(body.alert)
    return await run(desk, table, command_of(body.id, me, mark=mark, also=body.also))


@router.post("/tables/{table}/service", response_model=None)
async def service(
    desk: TheDesk, table: str, me: AlertWriter, body: Annotated[ServiceBody, body_as(ServiceBody)]
) -> Answer[Reply]:
    """Put a device or the table out of service, or into it again."""
    desk.table(table)
    mark: FloorMark = EndService(body.device, body.why) if body.out else ResumeService(body.device)
    return await run(desk, table, command_of(body.id, me, mark=mark))
