"""What graphics programs read of one table: flat rows of the delayed picture, and the texts of graphics. They
cannot deal with an error, and go on showing what they had: without a picture, rows are answered that are
empty.
"""

import re
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from tablebridge.model.overlay import OverlayPicture
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.feeds.formats import FORMATS
from tablebridge.web.feeds.rows import Row, Show, seat_rows, table_row
from tablebridge.web.guard import Denied

router = APIRouter(include_in_schema=False)

Broadcaster = Annotated[Token, Depends(requires("overlay"))]
_SUFFIX: Final = re.compile(r"(\.[A-Za-z][A-Za-z0-9]{0,19})?")
_CARD: Final = re.compile(r"(Card|Board|FirstBoard)\d")
_FEEDS: Final = ("seats", "table")


@router.get("/feeds/{table}/words.json")
async def texts(desk: TheDesk, table: str, me: Broadcaster) -> Response:
    """The texts of the overlay, for graphics that run elsewhere."""
    return Response(desk.assets.block("overlay_texts").strip(), media_type="application/json")


@router.get("/feeds/{table}/players/{file}")
async def player_picture(desk: TheDesk, table: str, file: str, me: Broadcaster) -> Response:
    """The picture of a player."""
    picture = desk.players.picture(file)
    if picture is None:
        raise Denied(404, "There is no picture %(name)s: PNG, JPEG or WebP of at most 2 MiB.", name=file)
    return Response(picture.body, media_type=picture.media_type)


@router.get("/feeds/{table}/{name}")
async def feed(
    request: Request, desk: TheDesk, table: str, name: str, me: Broadcaster, suffix: str = "", cards: str = ""
) -> Response:
    """`seats` or `table`, as JSON, CSV or XML. `suffix`: what the names of columns end with, such as `.Text`;
    those of pictures end with `.Source` then. `cards=url`: cards as addresses of pictures.
    """
    kind, _, ending = name.partition(".")
    if kind not in _FEEDS or ending not in FORMATS:
        raise Denied(
            404,
            "There is no feed %(name)s. The feeds are seats and table, as .json, .csv and .xml.",
            name=name,
        )
    if not _SUFFIX.fullmatch(suffix):
        raise Denied(400, "A suffix is a point and letters, such as .Text.")
    pictures = cards == "url"
    picture = await _picture(desk, table, me)
    show = _address(request) if pictures else _text
    rows = seat_rows(picture, show, desk.texts) if kind == "seats" else [table_row(picture, show)]
    made = FORMATS[ending]
    return Response(made.write([_named(row, suffix, pictures) for row in rows]), media_type=made.media_type)


@router.get("/cards/{name}.png")
async def card(desk: TheDesk, name: str) -> Response:
    """The picture of a card, such as `Ah`, or of its back."""
    body = desk.assets.cards.get(name)
    if body is None:
        raise Denied(404, "There is no card %(name)s. Cards are such as Ah and Tc, and back.", name=name)
    return Response(body, media_type="image/png", headers={"cache-control": "public, max-age=86400"})


async def _picture(desk: Desk, table: str, me: Token) -> OverlayPicture | None:
    """What may be shown now, once it is recorded who is given it; None if nothing may."""
    if desk.table(table).overlay is None or not await desk.card_access.record(me, table, "rows"):
        return None
    return None if desk.hub.away_s([table]) else desk.picture(table)


def _address(request: Request) -> Show:
    base = str(request.base_url).rstrip("/")
    return lambda face: f"{base}/cards/{face.rstrip('*')}.png" if face else ""


def _text(face: str) -> str:
    return "" if face == "back" else face.rstrip("*")


def _named(row: Row, suffix: str, pictures: bool) -> Row:
    of_pictures = ".Source" if suffix and pictures else suffix
    return {name + (of_pictures if _CARD.match(name) else suffix): text for name, text in row.items()}
