"""The application: `create_app(site, hub)` joins guard, pages and REST. There is no application at import."""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tablebridge.languages.texts import Texts
from tablebridge.model.errors import TablebridgeError
from tablebridge.settings.site import Site, Web
from tablebridge.settings.state import SETUP_SOCKET
from tablebridge.web.answers import Answer, Refusal
from tablebridge.web.api import alerts as api_alerts
from tablebridge.web.api import dealer as api_dealer
from tablebridge.web.api import description as api_description
from tablebridge.web.api import devices as api_devices
from tablebridge.web.api import director as api_director
from tablebridge.web.api import findings as api_findings
from tablebridge.web.api import hands as api_hands
from tablebridge.web.api import incidents as api_incidents
from tablebridge.web.api import lines as api_lines
from tablebridge.web.api import notifications as api_notifications
from tablebridge.web.api import room as api_room
from tablebridge.web.api import setup as api_setup
from tablebridge.web.api import tables as api_tables
from tablebridge.web.assets import Assets
from tablebridge.web.auth import Tokens
from tablebridge.web.card_access import CardAccess
from tablebridge.web.desk import Desk, desk_of, signed_in, wants_page
from tablebridge.web.directions import Directions
from tablebridge.web.guard import Denied, Guard, local_path
from tablebridge.web.hands import Hands
from tablebridge.web.hub import Hub
from tablebridge.web.operators import Operators
from tablebridge.web.pages import (
    console,
    dealer,
    devices,
    director,
    feeds,
    figures,
    files,
    floor,
    graphics,
    languages,
    overlay,
    preview,
    room,
    service,
    setup,
    signing_in,
    style,
    timeline,
)
from tablebridge.web.players import Players
from tablebridge.web.reception import Reception
from tablebridge.web.setup_link import SetupLink
from tablebridge.web.stream_limits import StreamLimits

log = logging.getLogger(__name__)

ROUTERS: Final = (
    service.router,
    files.router,
    signing_in.router,
    languages.router,
    floor.router,
    figures.router,
    devices.router,
    console.router,
    dealer.router,
    overlay.router,
    director.router,
    room.router,
    preview.router,
    feeds.router,
    graphics.router,
    style.router,
    timeline.router,
    setup.router,
    api_tables.router,
    api_alerts.router,
    api_room.router,
    api_incidents.router,
    api_findings.router,
    api_hands.router,
    api_devices.router,
    api_lines.router,
    api_director.router,
    api_notifications.router,
    api_dealer.router,
    api_setup.router,
    api_description.router,
)


def create_app(site: Site, hub: Hub) -> FastAPI:
    """The web application of one site. Without a token it serves signing in, liveness and scripts, nothing
    else.
    """
    desk = make_desk(site, hub, Tokens(site.state_dir), SetupLink(SETUP_SOCKET.path(site.state_dir)))
    return application(desk, ROUTERS, site.web)


def make_desk(site: Site, hub: Hub, tokens: Tokens, setup: SetupLink) -> Desk:
    """What the pages of a site work with."""
    return Desk(
        hub=hub,
        tokens=tokens,
        assets=Assets(),
        card_access=CardAccess(hub),
        directions=Directions(site.state_dir),
        players=Players(Path(site.web.players) if site.web.players else None),
        hands=Hands(hub.requests),
        operators=Operators(hub.touch),
        setup=setup,
        language=site.web.language,
    )


def application(desk: Reception, routers: Iterable[APIRouter], web: Web) -> FastAPI:
    """An application with these routes."""
    app = FastAPI(title="tablebridge", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.desk = desk
    app.add_exception_handler(Denied, _denied)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(TablebridgeError, _our_error)
    for router in routers:
        app.include_router(router)
    app.add_middleware(StreamLimits, tokens=desk.tokens)
    app.add_middleware(Guard, ancestors=web.overlay_frame_ancestors)
    return app


async def _denied(request: Request, error: Exception) -> Response:
    assert isinstance(error, Denied)
    return _refusal(request, error)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    if status == 404:
        why = Denied(404, "There is no such page. Check the address, or go back to the first page.")
    elif status == 405:
        why = Denied(
            405,
            "This address does not accept such a request. Open the page that you need from the first page.",
        )
    else:
        why = Denied(status, "This cannot be done.")
    return _refusal(request, why)


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = "; ".join(f"{fault['loc'][-1]}: {fault['msg']}" for fault in error.errors())
    return _refusal(request, Denied(400, "This cannot be understood: %(error)s.", error=wrong))


async def _our_error(request: Request, error: Exception) -> Response:
    log.error("%s %s: %s", request.method, request.url.path, error)
    why = Denied(503, "The pages cannot be served now; the service's log has the reason.")
    return _refusal(request, why)


def _refusal(request: Request, why: Denied) -> Response:
    """The answer to a request that is not served: a page, an empty overlay, or JSON."""
    desk, status = desk_of(request), why.status
    if not wants_page(request):
        return Answer(Refusal(why.sentence(desk.texts)), status)
    sentence = why.sentence(desk.texts)
    if request.url.path.startswith("/overlay/"):
        # Whatever is wrong, the picture may be on the air: nothing is shown, and the reason is in the
        # console.
        return desk.page("overlay_off.html", None, http_status=status, sentence=sentence)
    following = local_path(request.url.path) if request.method == "GET" else "/"
    return desk.page(
        "notice.html",
        signed_in(desk, request),
        http_status=status,
        heading=_heading(desk.texts, status),
        sentence=sentence,
        login=status == 401,
        next=following if status == 401 else "",
        start=status in (404, 405),
    )


def _heading(texts: Texts, status: int) -> str:
    """What stands above the reason for which a page is not shown."""
    return {
        401: texts.gettext("Not signed in"),
        403: texts.gettext("Not allowed"),
        404: texts.gettext("Not found"),
        405: texts.gettext("Method not allowed"),
        413: texts.gettext("Too large"),
    }.get(status, texts.gettext("Not done"))
