"""What all routes share: the hub, the tokens, the pages, and the answers that they give.

A view function names what it needs in its parameters: `desk: TheDesk`, and `me: Annotated[Token,
Depends(requires(RIGHT))]` for the signed-in person.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from fastapi import Depends, Request
from fastapi.sse import EventSourceResponse
from starlette.responses import Response

from tablebridge.model.overlay import OverlayPicture
from tablebridge.web.auth import Right, Token, Tokens
from tablebridge.web.card_access import CardAccess
from tablebridge.web.directions import Directions, directed
from tablebridge.web.drawn import Drawn
from tablebridge.web.floor_picture import FloorPictures
from tablebridge.web.guard import COOKIE, Denied, secret_of
from tablebridge.web.hands import Hands
from tablebridge.web.hub import Hub
from tablebridge.web.language import language_of, named
from tablebridge.web.live import Render, beat, stream
from tablebridge.web.operators import Operators
from tablebridge.web.pins import Tries
from tablebridge.web.players import Players
from tablebridge.web.reception import Reception
from tablebridge.web.setup_link import SetupLink
from tablebridge.web.status import TableStatus


@dataclass(frozen=True, kw_only=True)
class Desk(Reception):
    """Everything that the routes of one site work with."""

    tokens: Tokens
    hub: Hub
    card_access: CardAccess
    directions: Directions
    players: Players
    hands: Hands
    operators: Operators
    setup: SetupLink
    tries: Tries = field(default_factory=Tries)
    pictures: FloorPictures = field(default_factory=FloorPictures)
    drawn: Drawn = field(default_factory=Drawn)

    def table(self, name: str) -> TableStatus:
        """The table with this name. Raises Denied 404 if the site has none."""
        status = self.hub.tables.get(name)
        if status is None:
            raise Denied(
                404,
                "There is no table %(name)s here. The tables are %(tables)s.",
                name=repr(name),
                tables=", ".join(self.hub.tables) or "none",
            )
        return status

    def picture(self, table: str) -> OverlayPicture | None:
        """What the broadcast may show of the table: its delayed picture, as far as the director leaves it."""
        picture = self.table(table).overlay
        return None if picture is None else directed(self.players.noted(picture), self.directions.of(table))

    def names(self, me: Token, right: Right) -> tuple[str, ...]:
        """The tables at which this person has that right, in the order of the room."""
        return tuple(name for name in self.hub.tables if me.may(right, name))

    def with_pins(self, table: str) -> list[Token]:
        """The floor persons who have a PIN, and the right to change alerts at this table, by name."""
        return sorted(
            (
                token
                for token in self.tokens.all()
                if token.pin and token.may("alerts-write", table) and not self.tokens.expired(token)
            ),
            key=lambda token: (token.name, token.id),
        )

    def page(
        self, name: str, me: Token | None, here: str = "", *, http_status: int = 200, **values: Any
    ) -> Response:
        tables = [] if me is None else [table for table in self.hub.tables if me.table in (None, table)]
        has_room = self.hub.room.view is not None
        return super().page(
            name, me, here, http_status=http_status, tables=tables, has_room=has_room, **values
        )

    def stream(
        self,
        me: Token,
        tables: tuple[str, ...],
        kinds: tuple[str, ...],
        render: Render,
        *,
        all_must_run: bool,
        while_open: AbstractContextManager[None] | None = None,
    ) -> Response:
        """The live stream of a page that shows these kinds of things of these tables (see `live.stream`).
        `while_open` is entered when it begins and left when it ends.
        """
        keys = tuple(f"{kind}:{table}" for table in tables for kind in kinds)
        return EventSourceResponse(
            stream(
                self.hub,
                keys,
                render,
                lambda: beat(self.hub, tables, self.assets, all_must_run),
                may_continue=lambda: self.tokens.is_valid(me),
                while_open=while_open,
            )
        )


def desk_of(request: Request) -> Desk:
    """The desk of the application that serves the request, in the language of its answer."""
    desk: Desk = request.app.state.desk
    # The REST interface answers a program in English unless its address names a language, and the scripts of
    # a page as the page is.
    is_program = COOKIE not in request.cookies and not wants_page(request)
    language = (named(request) or "en") if is_program else language_of(request, desk.language)
    path = request.url.path if request.method == "GET" else "/"
    return replace(desk, assets=desk.assets.in_language(language), path=path)


async def _the_desk(request: Request) -> Desk:
    return desk_of(request)


_IN_ADDRESS: Final[tuple[Right, ...]] = ("overlay", "direct")
TheDesk = Annotated[Desk, Depends(_the_desk)]


def requires(right: Right) -> Callable[[Request], Token]:
    """A FastAPI dependency: the token of a person who has this right, at the table in the path if there is
    one.

    It raises Denied 401 for nobody, 403 for somebody else. A key in the address opens the overlay and what
    the director does only.
    """

    def dependency(request: Request) -> Token:
        tokens = desk_of(request).tokens
        secret = secret_of(request, in_address=right in _IN_ADDRESS)
        token = tokens.find(secret) if secret else None
        if token is None:
            raise Denied(
                401,
                "You are not signed in, or your token was revoked or has expired. Ask for a new link and "
                "open it.",
            )
        if not token.may(right):
            raise Denied(
                403,
                "%(name)s is signed in as %(role)s, which does not open this.",
                name=token.name,
                role=token.role,
            )
        if not token.may(right, request.path_params.get("table")):
            raise Denied(
                403,
                "The token of %(name)s is for table %(table)s only.",
                name=token.name,
                table=token.table,
            )
        return token

    return dependency


def signed_in(desk: Reception, request: Request) -> Token | None:
    """The person whose cookie or bearer token the request carries, None if nobody is signed in."""
    secret = secret_of(request, in_address=False)
    return desk.tokens.known(secret) if secret else None


_DATA: Final = ("/api/", "/live/", "/feeds/", "/cards/", "/graphics/", "/static/", "/health", "/metrics")


def wants_page(request: Request) -> bool:
    """Whether an error is answered as a page and not as JSON."""
    return not request.url.path.startswith(_DATA)
