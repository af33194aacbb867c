"""The application: `create_app(site, hub)` joins guard, pages and REST. There is no application at import."""

import logging
from collections.abc import Iterable
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tablebridge.model.errors import TablebridgeError
from tablebridge.settings.site import Site, Web
from tablebridge.settings.state import SETUP_SOCKET
from tablebridge.web.answers import Answer, Refusal
from tablebridge.web.api import alerts as api_alerts
from tablebridge.web.api import description as api_description
from tablebridge.web.api import devices as api_devices
from tablebridge.web.api import findings as api_findings
from tablebridge.web.api import lines as api_lines
from tablebridge.web.api import setup as api_setup
from tablebridge.web.api import tables as api_tables
from tablebridge.web.assets import Assets
from tablebridge.web.auth import Tokens
from tablebridge.web.card_access import CardAccess
from tablebridge.web.desk import Desk, desk_of, signed_in, wants_page
from tablebridge.web.guard import Denied, Guard, local_path
from tablebridge.web.hub import Hub
from tablebridge.web.pages import console, devices, floor, overlay, service, setup, signing_in
from tablebridge.web.setup_link import SetupLink
from tablebridge.web.stream_limits import StreamLimits

log = logging.getLogger(__name__)

ROUTERS: Final = (
    service.router,
    signing_in.router,
    floor.router,
    devices.router,
    console.router,
    overlay.router,
    setup.router,
    api_tables.router,
    api_alerts.router,
    api_findings.router,
    api_devices.router,
    api_lines.router,
    api_setup.router,
    api_description.router,
)

_SENTENCES: Final = {
    404: "There is no such page. Check the address, or go back to the first page.",
    405: "This address does not accept such a request. Open the page that you need from the first page.",
}
_HEADINGS: Final = {
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    413: "Too large",
}


def create_app(site: Site, hub: Hub) -> FastAPI:
    """The web application of one site. Without a token it serves signing in, liveness and scripts, nothing
    else.
    """
    link = SetupLink(SETUP_SOCKET.path(site.state_dir))
    desk = Desk(hub, Tokens(site.state_dir), Assets(), CardAccess(hub), link)
    return application(desk, ROUTERS, site.web)


def application(desk: Desk, routers: Iterable[APIRouter], web: Web) -> FastAPI:
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
    return _refusal(request, error.status, error.sentence)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _refusal(request, error.status_code, _SENTENCES.get(error.status_code, "This cannot be done."))


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = "; ".join(f"{fault['loc'][-1]}: {fault['msg']}" for fault in error.errors())
    return _refusal(request, 400, f"This cannot be understood: {wrong}.")


async def _our_error(request: Request, error: Exception) -> Response:
    log.error("%s %s: %s", request.method, request.url.path, error)
    return _refusal(request, 503, "The pages cannot be served now; the service's log has the reason.")


def _refusal(request: Request, status: int, sentence: str) -> Response:
    """The answer to a request that is not served: a page, an empty overlay, or JSON."""
    if not wants_page(request):
        return Answer(Refusal(sentence), status)
    desk = desk_of(request)
    if request.url.path.startswith("/overlay/"):
        # Whatever is wrong, the picture may be on the air: nothing is shown, and the reason is in the
        # console.
        return desk.page("overlay_off.html", None, http_status=status, sentence=sentence)
    following = local_path(request.url.path) if request.method == "GET" else "/"
    return desk.page(
        "notice.html",
        signed_in(desk, request),
        http_status=status,
        heading=_HEADINGS.get(status, "Not done"),
        sentence=sentence,
        login=status == 401,
        next=following if status == 401 else "",
        start=status in (404, 405),
    )
