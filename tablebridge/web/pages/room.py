"""The page of a tournament's room: what is due at its tables, and what the floor writes of it."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.engine.games import FORMS, banked
from tablebridge.rulebooks import BOOKS
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.live import StreamEvent

router = APIRouter(include_in_schema=False)

_GAMES: Final = tuple(name for name, form in FORMS.items() if form not in banked.GAMES)
RoomReader = Annotated[Token, Depends(requires("room"))]


@router.get("/room")
async def room(desk: TheDesk, me: RoomReader) -> Response:
    """The whole page."""
    return desk.page(
        "room.html",
        me,
        "room",
        view=desk.hub.room.view,
        games=_GAMES,
        names=tuple(desk.hub.tables),
        books=tuple(BOOKS),
    )


@router.get("/live/room")
async def live_room(desk: TheDesk, me: RoomReader) -> Response:
    """The blocks of the page as they change."""
    blocks = RoomBlocks(desk)
    return desk.stream(me, tuple(desk.hub.tables), ("room",), blocks.render, all_must_run=False)


class RoomBlocks:
    """The blocks of one page that change, and what its stream was sent, so that nothing is sent twice."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._sent: dict[str, str] = {}

    def render(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The blocks that these changes have made others."""
        if changed:
            yield from self._if_new("room_due")
            yield from self._if_new("room_tables")
            yield from self._if_new("room_state")
            yield from self._if_new("room_out")
            yield from self._if_new("room_duties")

    def _if_new(self, block: str) -> Iterator[StreamEvent]:
        view = self._desk.hub.room.view
        html = self._desk.assets.block(block, view)
        if self._sent.get(block) != html:
            self._sent[block] = html
            yield StreamEvent("block", html, str(view.rev if view else 0))
