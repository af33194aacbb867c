"""What guards every route: headers, refusal of writes from other sites, and the secret that a request shows.

People have an HttpOnly cookie, programs a bearer header; broadcast programs, which can send neither, have a
key in the address. Addresses are therefore never logged with their query.
"""

import logging
from typing import Any, Final
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablebridge.languages.texts import Texts
from tablebridge.web.heard import heard
from tablebridge.web.wording import term

log = logging.getLogger(__name__)

COOKIE: Final = "tablebridge"
BODY_CEILING: Final = 16_384
DIRECTOR: Final = "/api/director"
"""Below it are the writes that a key in the address may do: a stream deck sends nothing else."""
_FEEDS: Final = ("/feeds/", "/cards/", "/graphics/", "/live/overlay/")
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'{style}; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors {ancestors}"
)


class Denied(Exception):
    """A request that is not served: an HTTP status and one sentence for the person who sent it, in English
    with the values of its fields, `%(name)s`. Without values it may be that of a process. The value of
    `role` is a word of the sentence's language.
    """

    def __init__(self, status: int, sentence: str, /, **values: Any) -> None:
        super().__init__(sentence % values if values else sentence)
        self.status = status
        self._sentence = sentence
        self._values = values

    def sentence(self, texts: Texts) -> str:
        """The sentence in this language."""
        found = texts.lookup(self._sentence)
        if not self._values:
            return heard(texts, found)
        values = dict(self._values)
        if "role" in values:
            values["role"] = term(texts, "role", values["role"])
        return found % values


def _is_feed(path: str) -> bool:
    """Whether this is read by graphics of other hosts: what anybody may have, or what a feed key opens."""
    return path.startswith(_FEEDS) or (path.startswith("/api/tables/") and path.endswith("/overlay"))


def same_origin(headers: Headers, scheme: str) -> bool:
    """Whether a browser sent this write from one of our pages (or a person typed it)."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and origin == f"{scheme}://{headers.get('host', '')}"


class Guard:
    """ASGI middleware: the security headers of every answer, and no write from another site. What shows a
    token and no cookie was not sent by a browser that is signed in.

    `ancestors`: who may show the overlay in a frame. OBS puts its own style sheet into the overlay, the only
    page that may have one.
    """

    def __init__(self, app: ASGIApp, ancestors: str) -> None:
        self._app = app
        self._policy = _POLICY.format(style="", ancestors="'none'")
        self._overlay_policy = _POLICY.format(style=" 'unsafe-inline'", ancestors=ancestors)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        path: str = scope["path"]

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                out["content-security-policy"] = (
                    self._overlay_policy if path.startswith("/overlay/") else self._policy
                )
                out["x-content-type-options"] = "nosniff"
                out["referrer-policy"] = "no-referrer"
                out.setdefault("cache-control", "no-store")
                if _is_feed(path):
                    # Graphics run on other hosts. A browser sends no cookie along for this, only a key.
                    out["access-control-allow-origin"] = "*"
                log.debug("%s %s %d", scope["method"], path, message["status"])
            await send(message)

        keyed = path.startswith(f"{DIRECTOR}/") and b"key=" in scope["query_string"]
        bearer = ("authorization" in headers or keyed) and "cookie" not in headers
        if scope["method"] not in _SAFE and not bearer and not same_origin(headers, scope["scheme"]):
            refusal = JSONResponse(
                {"sentence": "This was sent from another site and is refused. Open the page itself."}, 403
            )
            await refusal(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)


def secret_of(request: Request, *, in_address: bool) -> str:
    """The secret with which the request proves who sent it: the key in the address if one is allowed there,
    else bearer or cookie; or empty.
    """
    if in_address and (key := request.query_params.get("key")):
        return key
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    return request.cookies.get(COOKIE, "")


async def read_body(request: Request) -> bytes:
    """The body of the request. Raises Denied 413 if it is longer than `BODY_CEILING`."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > BODY_CEILING:
            raise Denied(413, "That is more than %(bytes)s bytes. Send less at a time.", bytes=BODY_CEILING)
    return bytes(body)


def local_path(text: str) -> str:
    """A path of this site to go to after signing in; `/` for anything that leads elsewhere."""
    parts = urlsplit(text)
    fits = (
        text.startswith("/") and not text.startswith(("//", "/\\")) and not parts.scheme and not parts.netloc
    )
    return text if fits and text.isprintable() else "/"
