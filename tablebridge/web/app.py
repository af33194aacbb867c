"""The application: `create_app(site, hub)` joins guard, pages and REST. There is no application at import."""

import logging

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tablebridge.model.errors import TablebridgeError
from tablebridge.settings.site import Site
from tablebridge.web import api, pages
from tablebridge.web.access import Accesses
from tablebridge.web.assets import Assets
from tablebridge.web.auth import Tokens
from tablebridge.web.desk import Desk, as_json, wants_page
from tablebridge.web.guard import Denied, Guard, local_path, secret_of
from tablebridge.web.hub import Hub
from tablebridge.web.streams import StreamLimits

log = logging.getLogger(__name__)

_SENTENCES = {
    404: "There is no such page.",
    405: "This address does not do that.",
}
_HEADINGS = {401: "Not signed in", 403: "Not for you", 404: "Not here", 405: "Not so", 413: "Too much"}


def create_app(site: Site, hub: Hub) -> FastAPI:
    """The web application of one site. Nothing but signing in, liveness and scripts can be had without a
    token.
    """
    desk = Desk(hub, Tokens(site.state_dir), Assets(), Accesses(hub))
    app = FastAPI(title="tablebridge", docs_url=None, redoc_url=None, openapi_url=None)

    def refuse(request: Request, status: int, sentence: str) -> Response:
        if not wants_page(request):
            return as_json({"sentence": sentence}, status)
        if request.url.path.startswith("/overlay/"):
            # Whatever is wrong, a camera may be on: nothing is to be seen, and the reason stands in the
            # console.
            return desk.page("overlay_off.html", None, status=status, sentence=sentence)
        secret = secret_of(request, in_address=False)
        me = desk.tokens.find(secret) if secret else None
        following = local_path(request.url.path) if request.method == "GET" else "/"
        return desk.page(
            "notice.html",
            me,
            status=status,
            heading=_HEADINGS.get(status, "Not done"),
            sentence=sentence,
            login=status == 401,
            next="/" if status == 404 else following if status == 401 else "",
        )

    @app.exception_handler(Denied)
    async def denied(request: Request, error: Denied) -> Response:
        return refuse(request, error.status, error.sentence)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        return refuse(request, error.status_code, _SENTENCES.get(error.status_code, "This cannot be done."))

    @app.exception_handler(TablebridgeError)
    async def ours(request: Request, error: TablebridgeError) -> Response:
        log.error("%s %s: %s", request.method, request.url.path, error)
        return refuse(request, 503, "The pages cannot be served now; the service's log says why.")

    app.include_router(pages.routes(desk))
    app.include_router(api.routes(desk))
    app.add_middleware(StreamLimits, tokens=desk.tokens)
    app.add_middleware(Guard, ancestors=site.web.overlay_frame_ancestors)
    return app
