"""The choice of a language, which the browser keeps."""

from typing import Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from tablebridge.web.guard import Denied, local_path, read_body
from tablebridge.web.language import COOKIE, is_language

router = APIRouter(include_in_schema=False)

_YEAR_S: Final = 365 * 86_400


@router.post("/language")
async def choose(request: Request) -> Response:
    """Keep the language in this browser, and go back to the page."""
    form = parse_qs((await read_body(request)).decode(errors="replace"))
    language = form.get("language", [""])[0]
    if not is_language(language):
        raise Denied(400, "The pages do not have this language. Choose one of those that a page offers.")
    answer = RedirectResponse(local_path(form.get("next", ["/"])[0]), 303)
    answer.set_cookie(
        COOKIE,
        language,
        max_age=_YEAR_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer
