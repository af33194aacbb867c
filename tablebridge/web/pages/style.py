"""The style sheet of the pages, shown by itself: every token with its value, and what is made of them."""

import re
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.web.assets import Assets
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires

router = APIRouter(include_in_schema=False)

Reader = Annotated[Token, Depends(requires("state"))]

_KINDS: Final = {
    "text": "size",
    "space": "space",
    "target": "space",
    "row": "space",
    "round": "shape",
    "font": "font",
    "quick": "motion",
    "slow": "motion",
}
"""How a token is shown, by the first word of its name; a colour if it is none of these."""


class Swatch(NamedTuple):
    """A token as it is shown. `kind`: what it is a value of; `light`: its value on light pages, if it has
    another there.
    """

    name: str
    kind: str
    value: str
    light: str


def tokens(css: str) -> list[Swatch]:
    """The tokens of the staff pages, read off the style sheet `css` itself, in its order."""
    staff = css[css.index("/* The staff pages:") :]
    dark, _, light = staff.partition("@media (prefers-color-scheme: light)")
    other = dict(_declared(light))
    return [Swatch(name, _kind(name), value, other.get(name, "")) for name, value in _declared(dark)]


def _kind(name: str) -> str:
    return "colour" if name == "text" else _KINDS.get(name.split("-")[0], "colour")


def _declared(css: str) -> list[tuple[str, str]]:
    return re.findall(r"--([a-z0-9-]+): ([^;]+);", css)


@router.get("/style")
async def style(desk: TheDesk, me: Reader) -> Response:
    """The page."""
    return desk.page(
        "style.html", me, "style", tokens=tokens(sheet(desk.assets)), icons=sorted(desk.assets.icons)
    )


def sheet(assets: Assets) -> str:
    """The sheet of tokens as browsers get it."""
    return assets.files["tokens.css"].body.decode()
