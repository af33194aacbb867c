"""The overlay of one table for the broadcast: pictures with hole cards, after the delay."""

from collections.abc import Iterable
from functools import cache
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.model.direction import THEMES
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.gallery import states
from tablebridge.web.live import StreamEvent

router = APIRouter(include_in_schema=False)

Broadcaster = Annotated[Token, Depends(requires("overlay"))]


@router.get("/overlay/gallery")
async def overlay_gallery(desk: TheDesk, me: Broadcaster) -> Response:
    """Every state of recorded hands in every theme: what a theme is made with. A table of this name has its
    overlay nowhere.
    """
    return desk.page("gallery.html", me, themes=THEMES, states=states(), pictures=_pictures())


@router.get("/overlay/{table}")
async def overlay(desk: TheDesk, table: str, me: Broadcaster, theme: str = "") -> Response:
    """The page, which draws what its stream sends. `theme`: another than the first one, if there is such."""
    return desk.page(
        "overlay.html", me, status=desk.table(table), theme=theme if theme in THEMES else THEMES[0]
    )


@router.get("/live/overlay/{table}")
async def live_overlay(desk: TheDesk, table: str, me: Broadcaster) -> Response:
    """The pictures, once it is recorded who receives them."""
    pictures = OverlayPictures(desk, table, me)
    return desk.stream(me, (table,), ("overlay",), pictures.render, all_must_run=True)


@cache
def _pictures() -> str:
    return msgspec.json.encode({state.name: state.picture for state in states()}).decode()


class OverlayPictures:
    """The pictures that one stream is sent. A picture that may not leave yet is owed until it may."""

    def __init__(self, desk: Desk, table: str, me: Token) -> None:
        self._status = desk.table(table)
        self._desk = desk
        self._me = me
        self._owed = False

    def render(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The latest picture, if one is owed and may be sent."""
        self._owed = self._owed or bool(changed)
        view = self._desk.picture(self._status.name)
        if not self._owed or view is None:
            return
        if self._desk.card_access.recorded(self._me, self._status.name, "stream"):
            self._owed = False
            yield StreamEvent("table", msgspec.json.encode(view).decode(), str(view.rev))
