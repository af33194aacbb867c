"""The state of devices."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.web.answers import Answer
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.status import DeviceStatus

router = APIRouter(prefix="/api")

DevicesReader = Annotated[Token, Depends(requires("devices"))]


class DeviceRow(msgspec.Struct):
    """One device in the list of devices. `rejects`: counters by reason. `outbox`: readings not yet
    acknowledged.
    """

    table: str
    device: str
    driver: str
    state: str
    why: str
    alive_wall_ns: int
    rejects: dict[str, int]
    outbox: int


class DeviceList(msgspec.Struct):
    """The devices of all tables that the person may see."""

    devices: list[DeviceRow]


@router.get("/devices", response_model=None)
async def devices(desk: TheDesk, me: DevicesReader) -> Answer[DeviceList]:
    """The devices of all tables that this person may see."""
    rows = [
        _row(name, device)
        for name in desk.names(me, "devices")
        for device in desk.hub.tables[name].devices.values()
    ]
    return Answer(DeviceList(rows))


def _row(table: str, device: DeviceStatus) -> DeviceRow:
    return DeviceRow(
        table=table,
        device=device.name,
        driver=device.driver,
        state=device.state,
        why=device.why,
        alive_wall_ns=device.alive_wall_ns,
        rejects=device.health.rejects if device.health else {},
        outbox=device.health.outbox if device.health else 0,
    )
