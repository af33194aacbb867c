"""The page of devices, with the picture of what each table has learnt of its antennas."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.web.auth import Token
from tablebridge.web.crosstalk import draw
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.guard import Denied
from tablebridge.web.live import StreamEvent

router = APIRouter(include_in_schema=False)

DevicesReader = Annotated[Token, Depends(requires("devices"))]


@router.get("/devices")
async def devices(desk: TheDesk, me: DevicesReader) -> Response:
    """The whole page."""
    shown = [desk.hub.tables[name] for name in desk.names(me, "devices")]
    learnt = {status.name: status.antennas.learnt_wall_ns for status in shown if status.antennas}
    return desk.page("devices.html", me, "devices", shown=shown, learnt=learnt)


@router.get("/devices/{table}/antennas.svg")
async def antennas(desk: TheDesk, table: str, me: DevicesReader) -> Response:
    """The hit rates of a table's antennas, drawn."""
    learnt = desk.table(table).antennas
    if learnt is None:
        raise Denied(
            404,
            "Nothing has been learnt of the antennas of table %(table)s yet: play some hands, or calibrate "
            "it.",
            table=table,
        )
    return Response(draw(learnt), media_type="image/svg+xml")


@router.get("/live/devices")
async def live_devices(desk: TheDesk, me: DevicesReader) -> Response:
    """The table of devices whenever one changes."""
    names = desk.names(me, "devices")

    def render(changed: set[str]) -> Iterable[StreamEvent]:
        if changed:
            html = desk.assets.block("device_table", [desk.hub.tables[name] for name in names])
            yield StreamEvent("block", html, "0")

    return desk.stream(me, names, ("devices",), render, all_must_run=False)
