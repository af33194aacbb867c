"""The director's preview of one table: what happens now, before the delay is over, without any face."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.model.cards import UNKNOWN
from tablebridge.model.overlay import OverlayPicture, OverlaySeat
from tablebridge.model.views import SeatView, TableView
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.live import StreamEvent

router = APIRouter(include_in_schema=False)

Director = Annotated[Token, Depends(requires("direct"))]


@router.get("/preview/{table}")
async def preview(desk: TheDesk, table: str, me: Director) -> Response:
    """The page, marked as one that is not for the air."""
    return desk.page("preview.html", me, status=desk.table(table))


@router.get("/live/preview/{table}")
async def live_preview(desk: TheDesk, table: str, me: Director) -> Response:
    """The table as it is now, without any face."""
    status = desk.table(table)

    def render(changed: set[str]) -> Iterable[StreamEvent]:
        if changed and status.public is not None:
            picture = faceless(status.public)
            yield StreamEvent("table", msgspec.json.encode(picture).decode(), str(picture.rev))

    return desk.stream(me, (table,), ("public",), render, all_must_run=True)


def faceless(view: TableView) -> OverlayPicture:
    """The picture of what anybody at the table sees, all cards face down, those of the board too."""
    fields: dict[str, Any] = {name: getattr(view, name) for name in TableView.__struct_fields__}
    fields.update(
        seats=tuple(_seat(seat) for seat in view.seats),
        board=(UNKNOWN,) * len(view.board),
        first_board=(UNKNOWN,) * len(view.first_board),
        between_boards=tuple((UNKNOWN,) * len(board) for board in view.between_boards),
        lines=(),
        questions=(),
        tray=None,
        expects="",
    )
    return OverlayPicture(**fields, collected=view.pot - sum(seat.bet for seat in view.seats))


def _seat(seat: SeatView) -> OverlaySeat:
    fields = {name: getattr(seat, name) for name in SeatView.__struct_fields__}
    return OverlaySeat(**{**fields, "faces": ()})
