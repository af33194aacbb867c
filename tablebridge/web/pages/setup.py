"""The set-up and the doctor: a page per step, which shows the picture of the set-up process as it changes."""

import time
from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

import msgspec
from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, format_sse_event
from starlette.responses import Response

from tablebridge.steps.course import STEPS, Step
from tablebridge.steps.picture import Picture
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.guard import Denied
from tablebridge.web.live import BEAT_S, CHECK_S, RETRY_MS, Beat

router = APIRouter(include_in_schema=False)

Technician = Annotated[Token, Depends(requires("setup"))]
Leaf = Literal[Step, "doctor", "finish"]
LEAVES: Final[tuple[Leaf, ...]] = (*STEPS, "doctor", "finish")


@router.get("/setup")
async def setup(desk: TheDesk, me: Technician) -> Response:
    """The first step that is open."""
    picture = desk.setup.picture
    leaf: Leaf = "devices"
    if picture is not None:
        leaf = next((row.step for row in picture.steps if row.state == "open"), "finish")
    return _page(desk, me, leaf)


@router.get("/setup/{leaf}")
async def setup_step(desk: TheDesk, leaf: str, me: Technician) -> Response:
    """One step."""
    return _page(desk, me, _known(leaf))


@router.get("/live/setup/{leaf}")
async def live_setup(desk: TheDesk, leaf: str, me: Technician) -> Response:
    """A step whenever it changes."""
    return EventSourceResponse(_stream(desk, me, _known(leaf)))


def _known(leaf: str) -> Leaf:
    """Raises Denied 404 for a step that does not exist."""
    found = next((known for known in LEAVES if known == leaf), None)
    if found is None:
        raise Denied(
            404, "There is no step %(name)s. The steps are %(steps)s.", name=leaf, steps=", ".join(LEAVES)
        )
    return found


def _page(desk: Desk, me: Token, leaf: Leaf) -> Response:
    here = "doctor" if leaf == "doctor" else "setup"
    return desk.page("setup.html", me, here, leaf=leaf, picture=desk.setup.picture)


async def _stream(desk: Desk, me: Token, leaf: Leaf) -> AsyncIterator[bytes]:
    watch = desk.setup.watch()
    try:
        yield format_sse_event(retry=RETRY_MS)
        changed, beat_due = {""}, time.monotonic()
        while not desk.hub.closing and desk.tokens.is_valid(me):
            if changed:
                for block in _blocks(desk, me, leaf, desk.setup.picture):
                    yield format_sse_event(event="block", data_str=block, id="0")
            if time.monotonic() >= beat_due:
                beat_due = time.monotonic() + BEAT_S
                yield _beat(desk)
            changed = await watch.wait(min(CHECK_S, beat_due - time.monotonic()))
    finally:
        desk.setup.unwatch(watch)


def _blocks(desk: Desk, me: Token, leaf: Leaf, picture: Picture | None) -> tuple[str, str]:
    steps = desk.assets.block("setup_steps", picture, leaf)
    return steps, desk.assets.block("setup_panel", picture, leaf, me.may("people"))


def _beat(desk: Desk) -> bytes:
    """The set-up process may be away for hours without being missed: the page says how it is started."""
    beat = Beat(time.time_ns() // 1_000_000, desk.assets.version, 0.0, 0)
    return format_sse_event(event="beat", data_str=msgspec.json.encode(beat).decode())
