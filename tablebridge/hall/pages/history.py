"""The timeline of a table's day, and the figures of a day, from the archive."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from fastapi import APIRouter
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from tablebridge.hall.desk import FloorReader, TheHall, TimelineReader
from tablebridge.hall.tables import order_of
from tablebridge.web.guard import Denied

router = APIRouter(include_in_schema=False)

T = TypeVar("T")


@router.get("/timeline")
async def timeline(
    desk: TheHall, me: TimelineReader, table: str = "", day: str = "", kind: str = ""
) -> Response:
    """The hands of a table on a day, with what was found; `kind`: with this finding alone."""
    on = _day(day)
    known = await _asked(desk.history.tables)
    names = sorted(known, key=order_of)
    table = table or (names[0] if names else "")
    if table and table not in known:
        raise Denied(404, "The archive has no table %(name)s.", name=repr(table[:40]))
    night = await _asked(lambda: desk.history.night(known[table], on, kind[:64])) if table else None
    return desk.page(
        "hall/timeline.html",
        me,
        "timeline",
        names=names,
        table=table,
        kind=kind[:64],
        night=night,
        **_days(on),
    )


@router.get("/figures")
async def figures(desk: TheHall, me: FloorReader, day: str = "") -> Response:
    """Hands per hour of each table, alerts by kind, the links, and which configuration each box runs."""
    on = _day(day)
    made = await _asked(lambda: desk.history.day(on))
    pace = {one.table: one for one in made.pace}
    live = {name: desk.tables.seen(name) for name in desk.tables.names}
    heard = {name: desk.tables.heard_wall_ns(name) for name in live}
    names = sorted({*pace, *live}, key=order_of)
    boxes = sorted({seen.place.box for seen in live.values() if seen is not None})
    return desk.page(
        "hall/figures.html",
        me,
        "figures",
        names=names,
        pace=pace,
        live=live,
        heard=heard,
        made=made,
        configured=await desk.configurations.of(boxes),
        **_days(on),
    )


async def _asked(question: Callable[[], T]) -> T:
    """The archive's answer. Raises Denied 503 if there is none."""
    try:
        return await asyncio.to_thread(question)
    except SQLAlchemyError:
        raise Denied(
            503,
            "The archive cannot be asked now, so its history is missing. Floor and wall go on without it.",
        ) from None


def _day(text: str) -> date:
    """The day of an address; today if it names none. Raises Denied 400."""
    today = datetime.now(UTC).date()
    try:
        found = date.fromisoformat(text) if text else today
    except ValueError:
        found = date.min
    if not date(2000, 1, 2) <= found <= today + timedelta(days=1):
        raise Denied(400, "%(text)s is no day that has come. Write it as 2026-12-31.", text=repr(text[:20]))
    return found


def _days(on: date) -> dict[str, Any]:
    """The day of a page, the one before and the one after."""
    after = on + timedelta(days=1)
    return {
        "day": on,
        "before": on - timedelta(days=1),
        "after": after if after <= datetime.now(UTC).date() else None,
    }
