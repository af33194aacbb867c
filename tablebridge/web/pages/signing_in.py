"""The first page, signing in and signing out."""

import asyncio
from typing import Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from tablebridge.web.desk import Desk, TheDesk, signed_in
from tablebridge.web.guard import COOKIE, local_path, read_body

router = APIRouter(include_in_schema=False)

_YEAR_S: Final = 365 * 86_400


@router.get("/")
async def index(desk: TheDesk, request: Request) -> Response:
    """The pages that the signed-in person may open."""
    me = signed_in(desk, request)
    return RedirectResponse("/login", 303) if me is None else desk.page("index.html", me)


@router.get("/login")
async def login(desk: TheDesk, request: Request, token: str = "", next: str = "/") -> Response:
    """Sign in by a link with a token, or show the form for one."""
    if token:
        return await _sign_in(desk, request, token, local_path(next))
    sentence = desk.texts.gettext("Enter the token that you were given, or open the link that came with it.")
    return _login_form(desk, 200, desk.texts.gettext("Sign in"), sentence, local_path(next))


@router.post("/login")
async def login_form(desk: TheDesk, request: Request) -> Response:
    """Sign in by the form."""
    form = parse_qs((await read_body(request)).decode(errors="replace"))
    following = local_path(form.get("next", ["/"])[0])
    return await _sign_in(desk, request, form.get("token", [""])[0].strip(), following)


@router.post("/logout")
async def logout(desk: TheDesk) -> Response:
    """Sign out on this browser."""
    sentence = desk.texts.gettext("The token is still valid: enter it again to come back.")
    answer = _login_form(desk, 200, desk.texts.gettext("Signed out"), sentence, "/")
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def _login_form(desk: Desk, status: int, heading: str, sentence: str, following: str) -> Response:
    return desk.page(
        "notice.html",
        None,
        http_status=status,
        heading=heading,
        sentence=sentence,
        login=True,
        next=following,
    )


async def _sign_in(desk: Desk, request: Request, secret: str, following: str) -> Response:
    """Set the cookie and go on to `following`, or show the form again with 401."""
    found = await asyncio.to_thread(desk.tokens.exchange, secret)
    if found is None:
        sentence = desk.texts.gettext(
            "This token is invalid, was revoked or has expired. Check it, or ask for a new one."
        )
        return _login_form(desk, 401, desk.texts.gettext("Not signed in"), sentence, following)
    me, kept = found
    # A page of its own and no redirect: a strict cookie is not sent along a redirect that began on another
    # site.
    answer = desk.page("signed_in.html", me, next=following)
    answer.set_cookie(
        COOKIE,
        kept,
        max_age=_YEAR_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer
