"""The figures of the floor's work, from the record of the tables."""

import asyncio
import secrets
import time
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from tablebridge.bus.messages import HistoryRequest
from tablebridge.floor import figures as of_floor
from tablebridge.floor.figures import TableEvent, figures
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.hub import Hub

router = APIRouter(include_in_schema=False)

FloorReader = Annotated[Token, Depends(requires("floor"))]
_PAGES: Final = 100
"""Parts of a record that are asked for: far more than the longest time has."""


@router.get("/figures")
async def figures_page(
    desk: TheDesk, me: FloorReader, hours: Annotated[int, Query(ge=1, le=48)] = 12
) -> Response:
    """The whole page: the last hours, up to now."""
    names = desk.names(me, "floor")
    until_s = int(time.time()) + 1
    since_s = until_s - hours * 3600
    asked = await asyncio.gather(*(_events(desk.hub, name, since_s) for name in names))
    missing = [name for name, events in zip(names, asked, strict=True) if events is None]
    made = figures((event for events in asked for event in events or ()), since_s, until_s)
    return desk.page("figures.html", me, "figures", made=made, hours=hours, missing=missing, bounds=of_floor)


async def _events(hub: Hub, table: str, since_s: int) -> list[TableEvent] | None:
    """What happened to the alerts of a table since then; None if its engine does not answer."""
    found: list[TableEvent] = []
    before = 0
    for _ in range(_PAGES):
        request = HistoryRequest(f"figures-{secrets.token_hex(8)}", "alert-events", before)
        try:
            page = await hub.requests.history(table, request)
        except (ConnectionError, TimeoutError):
            return None
        found += [TableEvent(table, event) for event in page.events]
        before = page.before
        if not before or page.reached_wall_ns < since_s * 1_000_000_000:
            break
    return found
