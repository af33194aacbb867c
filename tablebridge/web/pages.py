"""The pages and their streams."""

from collections.abc import Iterable
from typing import Annotated
from urllib.parse import parse_qs

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.sse import EventSourceResponse
from starlette.responses import RedirectResponse, Response

from tablebridge.model.alerts import Alert
from tablebridge.web.auth import Token
from tablebridge.web.crosstalk import draw
from tablebridge.web.deadman import away
from tablebridge.web.desk import Desk, as_json
from tablebridge.web.guard import COOKIE, Denied, local_path, needs, read_body, secret_of
from tablebridge.web.live import Piece, stream

_YEAR_S = 365 * 86_400
_PHRASES = ("call", "raise", "all in", "bet", "check", "fold", "pot")
"""Usual words at a table, by the digits of the console."""
_KINDS = ("state", "alerts", "devices")


def routes(desk: Desk) -> APIRouter:
    """All pages, signing in and out, static files, and the streams under `/live`."""
    web = APIRouter()
    _signing(web, desk)
    _floor(web, desk)
    _table(web, desk)
    return web


def _keys(names: Iterable[str], kinds: Iterable[str] = _KINDS) -> tuple[str, ...]:
    return tuple(f"{kind}:{name}" for name in names for kind in kinds)


def _signing(web: APIRouter, desk: Desk) -> None:
    hub, assets = desk.hub, desk.assets

    @web.get("/health")
    async def health() -> dict[str, bool]:
        return {"ok": not hub.closing}

    @web.get("/ready")
    async def ready() -> Response:
        lacks = away(hub, tuple(hub.tables))
        return as_json(
            {"ready": lacks is None, "sentence": f"{lacks.words}." if lacks else ""}, 503 if lacks else 200
        )

    @web.get("/static/{version}/{name}")
    async def static(version: str, name: str) -> Response:
        asset = assets.files.get(name)
        if asset is None:
            raise Denied(404, f"There is no file {name!r}.")
        # An address names its version, so that an old one may be kept and a new one is always fetched.
        keep = "public, max-age=31536000, immutable" if version == assets.version else "no-store"
        return Response(asset.body, media_type=asset.media_type, headers={"cache-control": keep})

    def sign_in(request: Request, secret: str, following: str) -> Response:
        me = desk.tokens.find(secret)
        if me is None:
            return desk.page(
                "notice.html",
                None,
                status=401,
                heading="Not signed in",
                login=True,
                next=following,
                sentence="This token is invalid, was taken back or has ended. Ask for a new one.",
            )
        # A page of its own and no redirect: a strict cookie is not sent along a redirect that began on
        # another site.
        answer = desk.page("signed_in.html", me, next=following)
        answer.set_cookie(
            COOKIE,
            secret,
            max_age=_YEAR_S,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer

    @web.get("/login")
    async def login(request: Request, token: str = "", next: str = "/") -> Response:
        if token:
            return sign_in(request, token, local_path(next))
        return desk.page(
            "notice.html",
            None,
            heading="Sign in",
            login=True,
            next=local_path(next),
            sentence="Enter the token that you were given, or open the link that came with it.",
        )

    @web.post("/login")
    async def login_form(request: Request) -> Response:
        form = parse_qs((await read_body(request)).decode(errors="replace"))
        return sign_in(request, form.get("token", [""])[0].strip(), local_path(form.get("next", ["/"])[0]))

    @web.post("/logout")
    async def logout() -> Response:
        answer = desk.page(
            "notice.html",
            None,
            heading="Signed out",
            login=True,
            next="/",
            sentence="The token is still good: enter it again to come back.",
        )
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer

    @web.get("/")
    async def index(request: Request) -> Response:
        secret = secret_of(request, in_address=False)
        me = desk.tokens.find(secret) if secret else None
        return RedirectResponse("/login", 303) if me is None else desk.page("index.html", me)


def _floor(web: APIRouter, desk: Desk) -> None:
    hub, assets = desk.hub, desk.assets
    may_floor, may_devices = needs(desk.tokens, "floor"), needs(desk.tokens, "devices")

    def closed(names: Iterable[str]) -> list[Alert]:
        return sorted(
            (alert for name in names for alert in hub.tables[name].closed),
            key=lambda alert: alert.life[-1].at.wall_ns if alert.life else 0,
            reverse=True,
        )

    @web.get("/floor")
    async def floor(me: Annotated[Token, Depends(may_floor)]) -> Response:
        names = desk.names(me, "floor")
        return desk.page(
            "floor.html",
            me,
            "floor",
            shown=[hub.tables[name] for name in names],
            alerts=hub.open_alerts(names),
            more=hub.more_alerts(names),
            closed=closed(names),
            alive=hub.alive(names),
            lacks=away(hub, names),
            write=me.may("alerts-write"),
            offered=hub.offered(names),
        )

    @web.get("/live/floor")
    async def live_floor(me: Annotated[Token, Depends(may_floor)]) -> Response:
        names = desk.names(me, "floor")
        write = me.may("alerts-write")
        shown = hub.offered(names)

        def pieces(changed: set[str]) -> Iterable[Piece]:
            for name in names:
                if {f"state:{name}", f"devices:{name}"} & changed:
                    now = hub.tables[name]
                    yield Piece("block", assets.block("tile", now), str(now.rev))
            nonlocal shown
            if any(key.startswith("state:") for key in changed):
                yield Piece("block", assets.block("deadman", away(hub, names)), "0")
            before, shown = shown, hub.offered(names)
            if before != shown or any(key.startswith("alerts:") for key in changed):
                rev = max((hub.tables[name].rev for name in names), default=0)
                yield Piece(
                    "block",
                    assets.block(
                        "queue",
                        hub.open_alerts(names),
                        closed(names),
                        hub.alive(names),
                        write,
                        shown,
                        hub.more_alerts(names),
                    ),
                    str(rev),
                )

        return EventSourceResponse(
            stream(
                hub, names, _keys(names), pieces, assets.version, may_go_on=desk.stays(me), all_must_run=False
            )
        )

    @web.get("/devices")
    async def devices(me: Annotated[Token, Depends(may_devices)]) -> Response:
        names = desk.names(me, "devices")
        return desk.page(
            "devices.html",
            me,
            "devices",
            shown=[hub.tables[name] for name in names],
            learnt={name: learnt.learnt_wall_ns for name in names if (learnt := hub.tables[name].antennas)},
        )

    @web.get("/devices/{table}/antennas.svg")
    async def antennas(table: str, me: Annotated[Token, Depends(may_devices)]) -> Response:
        learnt = desk.table(table).antennas
        if learnt is None:
            raise Denied(
                404,
                f"Nothing is learnt of the antennas of table {table} yet: play some hands, or calibrate it.",
            )
        return Response(draw(learnt), media_type="image/svg+xml")

    @web.get("/live/devices")
    async def live_devices(me: Annotated[Token, Depends(may_devices)]) -> Response:
        names = desk.names(me, "devices")

        def pieces(changed: set[str]) -> Iterable[Piece]:
            if changed:
                yield Piece("block", assets.block("device_table", [hub.tables[name] for name in names]), "0")

        return EventSourceResponse(
            stream(
                hub,
                names,
                _keys(names, ("devices",)),
                pieces,
                assets.version,
                may_go_on=desk.stays(me),
                all_must_run=False,
            )
        )


def _table(web: APIRouter, desk: Desk) -> None:
    hub, assets = desk.hub, desk.assets
    may_console, may_overlay = needs(desk.tokens, "console"), needs(desk.tokens, "overlay")

    @web.get("/console/{table}")
    async def console(table: str, me: Annotated[Token, Depends(may_console)]) -> Response:
        return desk.page(
            "console.html",
            me,
            f"console/{table}",
            now=desk.table(table),
            write=me.may("lines-write"),
            alerts=hub.open_alerts([table]),
            phrases=_PHRASES,
        )

    @web.get("/live/tables/{table}")
    async def live_table(table: str, me: Annotated[Token, Depends(may_console)]) -> Response:
        now = desk.table(table)

        def pieces(changed: set[str]) -> Iterable[Piece]:
            rev = str(now.rev)
            if f"state:{table}" in changed:
                yield Piece("block", assets.block("drawing", now), rev)
                yield Piece("block", assets.block("turn", now), rev)
                yield Piece("block", assets.block("lines", now, me.name), rev)
            if changed & {f"alerts:{table}", f"devices:{table}"}:
                yield Piece("block", assets.block("beside", now, hub.open_alerts([table])), rev)

        return EventSourceResponse(
            stream(
                hub,
                (table,),
                _keys((table,)),
                pieces,
                assets.version,
                may_go_on=desk.stays(me),
                all_must_run=True,
            )
        )

    @web.get("/overlay/{table}")
    async def overlay(table: str, me: Annotated[Token, Depends(may_overlay)]) -> Response:
        return desk.page("overlay.html", me, now=desk.table(table))

    @web.get("/live/overlay/{table}")
    async def live_overlay(table: str, me: Annotated[Token, Depends(may_overlay)]) -> Response:
        now = desk.table(table)

        owed = False

        def pieces(changed: set[str]) -> Iterable[Piece]:
            nonlocal owed
            owed = owed or bool(changed)
            if owed and now.overlay is not None and desk.accesses.recorded(me, table, "stream"):
                owed = False
                yield Piece("table", msgspec.json.encode(now.overlay).decode(), str(now.overlay.rev))

        return EventSourceResponse(
            stream(
                hub,
                (table,),
                _keys((table,), ("overlay",)),
                pieces,
                assets.version,
                may_go_on=desk.stays(me),
                all_must_run=True,
            )
        )
