"""The console of one table: the hand, its record, and the entry line of the operator."""

from collections.abc import Iterable
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.live import StreamEvent
from tablebridge.web.operators import PEOPLE

router = APIRouter(include_in_schema=False)

ConsoleReader = Annotated[Token, Depends(requires("console"))]

_PHRASES: Final = ("call", "raise", "all in", "bet", "check", "fold", "pot")
"""Usual declarations at a table, by the digits of the console."""


@router.get("/console/{table}")
async def console(desk: TheDesk, table: str, me: ConsoleReader) -> Response:
    """The whole page."""
    return desk.page(
        "console.html",
        me,
        f"console/{table}",
        status=desk.table(table),
        write=me.may("lines-write"),
        alerts=desk.hub.open_alerts([table]),
        phrases=_PHRASES,
        people=desk.operators.of(table),
    )


@router.get("/live/tables/{table}")
async def live_table(desk: TheDesk, table: str, me: ConsoleReader) -> Response:
    """The blocks of the page as they change."""
    status, assets = desk.table(table), desk.assets

    def render(changed: set[str]) -> Iterable[StreamEvent]:
        rev = str(status.rev)
        if f"state:{table}" in changed:
            yield StreamEvent("block", assets.block("drawing", status), rev)
            yield StreamEvent("block", assets.block("turn", status), rev)
            yield StreamEvent("block", assets.block("questions", status, me.may("lines-write")), rev)
            yield StreamEvent("block", assets.block("lines", status, me.name), rev)
            yield StreamEvent("block", assets.block("flags", status), rev)
        if f"{PEOPLE}:{table}" in changed:
            yield StreamEvent("block", assets.block("people", desk.operators.of(table), me.id), rev)
        if changed & {f"alerts:{table}", f"devices:{table}"}:
            html = assets.block("beside", status, desk.hub.open_alerts([table]))
            yield StreamEvent("block", html, rev)

    kinds = ("state", "alerts", "devices", PEOPLE)
    here = desk.operators.at(table, me) if me.may("lines-write") else None
    return desk.stream(me, (table,), kinds, render, all_must_run=True, while_open=here)
