"""How many live streams there may be: per token, per address, in all. Places are kept for the floor.

A stream that is refused gets status 429 and a sentence; the script of the page tries again every few seconds,
as after any other fault.
"""

from collections import Counter
from typing import Final

from fastapi import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tablebridge.web.guard import secret_of
from tablebridge.web.reception import Keys

PER_TOKEN: Final = 8
PER_ADDRESS: Final = 64
IN_ALL: Final = 512
FOR_FLOOR: Final = 16
"""How many of the places of an address, and of all places, only the floor page may use."""
_FLOOR: Final = "/live/floor"
_KEYED: Final = ("/live/overlay/", "/live/preview/", "/live/director/")


class StreamLimits:
    """ASGI middleware that counts the streams under `/live` of signed-in persons. Others get no stream
    anyway.
    """

    def __init__(self, app: ASGIApp, tokens: Keys) -> None:
        self._app = app
        self._tokens = tokens
        self._per_token: Counter[str] = Counter()
        self._per_address: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope.get("path", "")
        if scope["type"] != "http" or not path.startswith("/live/"):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        secret = secret_of(request, in_address=path.startswith(_KEYED))
        token = self._tokens.known(secret) if secret else None
        if token is None:
            await self._app(scope, receive, send)
            return
        address = request.client.host if request.client else ""
        refusal = self._refusal(token.id, address, FOR_FLOOR if path != _FLOOR else 0)
        if refusal:
            await JSONResponse({"sentence": refusal}, 429)(scope, receive, send)
            return
        self._per_token[token.id] += 1
        self._per_address[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            for counts, key in ((self._per_token, token.id), (self._per_address, address)):
                counts[key] -= 1
                if not counts[key]:
                    del counts[key]

    def _refusal(self, token: str, address: str, kept: int) -> str:
        """Why there is no place for another stream; empty if there is. `kept`: places that this stream may
        not use.
        """
        if self._per_token[token] >= PER_TOKEN:
            return f"{PER_TOKEN} pages are open with this token already. Close one, or ask for another token."
        if self._per_address[address] >= PER_ADDRESS - kept:
            return f"{self._per_address[address]} pages are open from this address already. Close one."
        if self._per_token.total() >= IN_ALL - kept:
            count = self._per_token.total()
            return f"{count} pages are open already, which is all that this box serves. Close one."
        return ""
