"""What all routes share: the hub, the tokens, the pages, and the answers that they give.

A view function names what it needs in its parameters: `desk: TheDesk`, and `me: Annotated[Token,
Depends(requires(RIGHT))]` for the signed-in person.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.sse import EventSourceResponse
from starlette.responses import HTMLResponse, Response

from tablebridge.web.assets import Assets
from tablebridge.web.auth import Right, Token, Tokens
from tablebridge.web.card_access import CardAccess
from tablebridge.web.guard import Denied, secret_of
from tablebridge.web.hub import Hub
from tablebridge.web.live import Render, stream
from tablebridge.web.setup_link import SetupLink
from tablebridge.web.status import TableStatus


@dataclass(frozen=True)
class Desk:
    """Everything that the routes of one site work with."""

    hub: Hub
    tokens: Tokens
    assets: Assets
    card_access: CardAccess
    setup: SetupLink

    def table(self, name: str) -> TableStatus:
        """The table with this name. Raises Denied 404 if the site has none."""
        status = self.hub.tables.get(name)
        if status is None:
            raise Denied(
                404,
                f"There is no table {name!r} here. The tables are {', '.join(self.hub.tables) or 'none'}.",
            )
        return status

    def names(self, me: Token, right: Right) -> tuple[str, ...]:
        """The tables at which this person has that right, in the order of the room."""
        return tuple(name for name in self.hub.tables if me.may(right, name))

    def page(
        self, name: str, me: Token | None, here: str = "", *, http_status: int = 200, **values: Any
    ) -> Response:
        """A whole page. `me` is None if nobody is signed in; `here` is the entry of the navigation that is
        marked.
        """
        tables = [] if me is None else [table for table in self.hub.tables if me.table in (None, table)]
        return HTMLResponse(self.assets.page(name, me=me, here=here, tables=tables, **values), http_status)

    def stream(
        self,
        me: Token,
        tables: tuple[str, ...],
        kinds: tuple[str, ...],
        render: Render,
        *,
        all_must_run: bool,
    ) -> Response:
        """The live stream of a page that shows these kinds of things of these tables (see `live.stream`)."""
        keys = tuple(f"{kind}:{table}" for table in tables for kind in kinds)
        return EventSourceResponse(
            stream(
                self.hub,
                tables,
                keys,
                render,
                self.assets.version,
                may_continue=self._may_continue(me),
                all_must_run=all_must_run,
            )
        )

    def _may_continue(self, me: Token) -> Callable[[], bool]:
        return lambda: self.tokens.is_valid(me)


def desk_of(request: Request) -> Desk:
    """The desk of the application that serves the request."""
    desk: Desk = request.app.state.desk
    return desk


async def _the_desk(request: Request) -> Desk:
    return desk_of(request)


TheDesk = Annotated[Desk, Depends(_the_desk)]


def requires(right: Right) -> Callable[[Request], Token]:
    """A FastAPI dependency: the token of a person who has this right, at the table in the path if there is
    one.

    It raises Denied 401 for nobody, 403 for somebody else. A key in the address opens the overlay only.
    """

    def dependency(request: Request) -> Token:
        tokens = desk_of(request).tokens
        secret = secret_of(request, in_address=right == "overlay")
        token = tokens.find(secret) if secret else None
        if token is None:
            raise Denied(
                401,
                "You are not signed in, or your token was revoked or has expired. Ask for a new link and "
                "open it.",
            )
        if not token.may(right):
            raise Denied(403, f"{token.name} is signed in as {token.role}, which does not open this.")
        if not token.may(right, request.path_params.get("table")):
            raise Denied(403, f"The token of {token.name} is for table {token.table} only.")
        return token

    return dependency


def signed_in(desk: Desk, request: Request) -> Token | None:
    """The person whose cookie or bearer token the request carries, None if nobody is signed in."""
    secret = secret_of(request, in_address=False)
    return desk.tokens.find(secret) if secret else None


def wants_page(request: Request) -> bool:
    """Whether an error is answered as a page and not as JSON."""
    return not request.url.path.startswith(("/api/", "/live/", "/static/", "/health", "/metrics"))
