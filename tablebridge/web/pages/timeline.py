"""The timeline: the hands of a table as its record has them, for surveillance and disputes."""

import time
from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import Response

from tablebridge.timeline.hand import GAP_MS, LANES
from tablebridge.timeline.lane_table import table_of
from tablebridge.timeline.trace import trace_of
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.guard import Denied
from tablebridge.web.live import StreamEvent
from tablebridge.web.terms import TERMS
from tablebridge.web.wording import term

router = APIRouter(include_in_schema=False)

TimelineReader = Annotated[Token, Depends(requires("timeline"))]
Row = Annotated[int, Query(ge=0, le=2**53)]
HandNumber = Annotated[int, Path(ge=1, le=2**53)]
_MINUTE_S: Final = 60


@router.get("/timeline/{table}")
async def timeline(
    desk: TheDesk, table: str, me: TimelineReader, before: Row = 0, at_wall_ms: Row = 0
) -> Response:
    """The hands of the table, the latest first."""
    status = desk.table(table)
    hands, more = await desk.hands.last(table, before, at_wall_ms * 1_000_000)
    return desk.page(
        "timeline_hands.html", me, f"timeline/{table}", status=status, hands=hands, more=more, clock=_clock
    )


@router.get("/timeline/{table}/hands/{hand}")
async def timeline_hand(desk: TheDesk, table: str, hand: HandNumber, me: TimelineReader) -> Response:
    """One hand. The script of the page fetches and draws it."""
    return desk.page(
        "timeline.html",
        me,
        f"timeline/{table}",
        status=desk.table(table),
        hand=hand,
        lanes=LANES,
        gap_ms=GAP_MS,
        zone_min=time.localtime().tm_gmtoff // _MINUTE_S,
        faces=me.may("faces", table),
        values={
            f"{kind} {value}": term(desk.texts, kind, value)
            for kind in ("street", "severity", "basis", "action")
            for value in TERMS[kind]
        },
    )


@router.get("/live/timeline/{table}")
async def live_timeline(desk: TheDesk, table: str, me: TimelineReader) -> Response:
    """The beats: whether the engine can be asked. What has happened does not change."""
    desk.table(table)

    def render(changed: set[str]) -> Iterable[StreamEvent]:
        return ()

    return desk.stream(me, (table,), ("state",), render, all_must_run=True)


@router.get("/timeline/{table}/hands/{hand}/trace.json")
async def trace(desk: TheDesk, table: str, hand: HandNumber, me: TimelineReader) -> Response:
    """The hand as a trace for Perfetto, without faces."""
    desk.table(table)
    made = msgspec.json.encode(trace_of(await desk.hands.timeline(table, hand, me)))
    return _file(made, "application/json", f"{table}-hand-{hand}.trace.json")


@router.get("/timeline/{table}/hands/{hand}/bundle.zip")
async def bundle(desk: TheDesk, table: str, hand: HandNumber, me: TimelineReader) -> Response:
    """The hand as a bundle that anybody can check, without faces; `tablebridge journal prove` does."""
    desk.table(table)
    made = await desk.hands.bundle(table, hand, me)
    return _file(made, "application/zip", f"{table}-hand-{hand}.zip")


@router.get("/timeline/{table}/hands/{hand}/lane.csv")
async def lane(desk: TheDesk, table: str, hand: HandNumber, me: TimelineReader, lane: str) -> Response:
    """One lane of the hand as CSV, without faces."""
    desk.table(table)
    if lane not in LANES:
        raise Denied(
            400, "There is no lane %(name)s. The lanes are %(lanes)s.", name=lane[:40], lanes=", ".join(LANES)
        )
    made = table_of(await desk.hands.timeline(table, hand, me), lane).encode()
    return _file(made, "text/csv; charset=utf-8", f"{table}-hand-{hand}-{lane.replace(' ', '-')}.csv")


def _file(body: bytes, media_type: str, name: str) -> Response:
    return Response(
        body, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'}
    )


def _clock(wall_ns: int) -> str:
    """The house's time of day, with its zone."""
    at = time.localtime(wall_ns / 1e9)
    return time.strftime("%Y-%m-%d %H:%M:%S UTC%z", at)
