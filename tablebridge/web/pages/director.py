"""The director's page of one table: what is on the air beside what happens now, and the orders."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple

import msgspec
from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.model.direction import Direction
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.live import StreamEvent
from tablebridge.web.pages.overlay import OverlayPictures
from tablebridge.web.pages.preview import faceless

router = APIRouter(include_in_schema=False)

Director = Annotated[Token, Depends(requires("direct"))]


class Controls(NamedTuple):
    """What the buttons are made of. `seats`: the seats with players, as number and name. `airs`: whether
    there is a picture that may be shown.
    """

    table: str
    direction: Direction
    seats: tuple[tuple[int, str], ...]
    airs: bool


@router.get("/director/{table}")
async def director(desk: TheDesk, table: str, me: Director) -> Response:
    """The page; its pictures come with its stream."""
    return desk.page("director.html", me, f"director/{table}", controls=controls(desk, table))


@router.get("/live/director/{table}")
async def live_director(desk: TheDesk, table: str, me: Director) -> Response:
    """Both pictures and the orders in force. What is on the air is sent once it is recorded who is given
    it.
    """
    status = desk.table(table)
    pictures = OverlayPictures(desk, table, me)

    def render(changed: set[str]) -> Iterable[StreamEvent]:
        of_overlay = {key for key in changed if key.startswith("overlay:")}
        yield from pictures.render(of_overlay)
        if status.public is not None and changed - of_overlay:
            picture = faceless(status.public)
            yield StreamEvent("now", msgspec.json.encode(picture).decode(), str(picture.rev))
        if changed:
            block = desk.assets.block("director_orders", controls(desk, table))
            yield StreamEvent("block", block, str(status.rev))

    return desk.stream(me, (table,), ("overlay", "public"), render, all_must_run=True)


def controls(desk: Desk, table: str) -> Controls:
    """The orders in force at the table, and who can be named in one."""
    status = desk.table(table)
    taken = status.public.seats if status.public is not None else ()
    seats = tuple((seat.seat, seat.name) for seat in taken if seat.state != "empty")
    return Controls(table, desk.directions.of(table), seats, status.overlay is not None)
