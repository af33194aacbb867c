"""The dealer's page of one table: what comes next, which seats are read, and the call of the floor."""

from collections.abc import Iterable
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.web.auth import Token
from tablebridge.web.dealer_picture import picture
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.live import StreamEvent

router = APIRouter(include_in_schema=False)

DealerReader = Annotated[Token, Depends(requires("dealer"))]

_BLOCKS: Final = ("dealer_now", "dealer_notice", "dealer_past", "dealer_ring", "dealer_call", "dealer_back")


@router.get("/dealer/{table}")
async def dealer(desk: TheDesk, table: str, me: DealerReader, board: str = "on") -> Response:
    """The whole page. `board`: `off` for a tablet that is to show no card at all."""
    shown = picture(desk.table(table), desk.with_pins(table), shows_board=board != "off")
    return desk.page("dealer.html", me, shown=shown)


@router.get("/live/dealer/{table}")
async def live_dealer(desk: TheDesk, table: str, me: DealerReader, board: str = "on") -> Response:
    """The blocks of the page as they change."""
    status = desk.table(table)

    def render(changed: set[str]) -> Iterable[StreamEvent]:
        if changed:
            shown = picture(status, desk.with_pins(table), shows_board=board != "off")
            for block in _BLOCKS:
                yield StreamEvent("block", desk.assets.block(block, shown), str(status.rev))

    return desk.stream(me, (table,), ("state", "alerts", "devices"), render, all_must_run=True)
