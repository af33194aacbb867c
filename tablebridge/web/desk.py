"""What all routes share: the hub, the tokens, the pages, and the answers they give."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from fastapi import Request
from starlette.responses import HTMLResponse, Response

from tablebridge.web.access import Accesses
from tablebridge.web.assets import Assets
from tablebridge.web.auth import Right, Token, Tokens
from tablebridge.web.guard import Denied
from tablebridge.web.hub import Hub, TableNow


@dataclass(frozen=True)
class Desk:
    hub: Hub
    tokens: Tokens
    assets: Assets
    accesses: Accesses

    def table(self, name: str) -> TableNow:
        """Raises Denied 404 for a table that the site has not."""
        now = self.hub.tables.get(name)
        if now is None:
            raise Denied(
                404,
                f"There is no table {name!r} here. The tables are {', '.join(self.hub.tables) or 'none'}.",
            )
        return now

    def names(self, me: Token, right: Right) -> tuple[str, ...]:
        """The tables at which this person has that right, in the order of the room."""
        return tuple(name for name in self.hub.tables if me.may(right, name))

    def stays(self, me: Token) -> Callable[[], bool]:
        """Whether a stream of this person may go on, asked again and again."""
        return lambda: self.tokens.good(me)

    def page(self, name: str, me: Token | None, here: str = "", status: int = 200, **values: Any) -> Response:
        """A whole page. `me` is None where nobody is signed in."""
        tables = [] if me is None else [table for table in self.hub.tables if me.table in (None, table)]
        return HTMLResponse(self.assets.page(name, me=me, here=here, tables=tables, **values), status)


def as_json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def wants_page(request: Request) -> bool:
    """Whether an error is answered as a page or as JSON."""
    return not request.url.path.startswith(("/api/", "/live/", "/static/", "/health", "/ready"))
