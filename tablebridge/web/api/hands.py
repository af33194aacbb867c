"""What the record says of hands that were played: the timeline, and what others may be given of it."""

from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Query

from tablebridge.bus.messages import Reply
from tablebridge.model.bounds import Line
from tablebridge.model.timeline import Chain, HandRow
from tablebridge.timeline.hand import HandTimeline
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as, command_of, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.guard import Denied

router = APIRouter(prefix="/api/tables/{table}")

TimelineReader = Annotated[Token, Depends(requires("timeline"))]
Unmasker = Annotated[Token, Depends(requires("faces"))]
Row = Annotated[int, Query(ge=0, le=2**53)]
HandNumber = Annotated[int, Path(ge=1, le=2**53)]
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    400: {"description": "a number is none"},
    504: {"description": "the engine is away or did not answer in time"},
}


class HandList(msgspec.Struct):
    """Hands of a table, the latest first. `before`: a request with it gets earlier ones; 0 if there are
    none.
    """

    hands: tuple[HandRow, ...]
    before: int


class ReasonBody(msgspec.Struct, forbid_unknown_fields=True):
    """Why somebody needs to see the cards of a hand."""

    id: str
    reason: Line


class ReviewBody(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody who looked at a hand has to say of it."""

    id: str
    kind: Literal["reviewed", "note"]
    note: Line = ""


class BookmarkBody(msgspec.Struct, forbid_unknown_fields=True):
    """The moment of the video, by the wall clock, and what for."""

    id: str
    at_wall_ms: Annotated[int, msgspec.Meta(ge=0, le=2**43)]
    note: Line = ""


@router.get("/hands", response_model=None, responses=_RESPONSES)
async def hands(
    desk: TheDesk, table: str, me: TimelineReader, before: Row = 0, at_wall_ms: Row = 0
) -> Answer[HandList]:
    """The hands of this table that began last, before the row `before`, or until the time `at_wall_ms`."""
    desk.table(table)
    found, more = await desk.hands.last(table, before, at_wall_ms * 1_000_000)
    return Answer(HandList(found, more))


@router.get("/hands/{hand}/timeline", response_model=None, responses=_RESPONSES)
async def timeline(
    desk: TheDesk, table: str, hand: HandNumber, me: TimelineReader, access: Row = 0
) -> Answer[HandTimeline]:
    """Everything that the record says of a hand. `access`: the row with which an access to its cards was
    recorded, by which hidden faces are in it; without one there are none.
    """
    desk.table(table)
    if access and not me.may("faces", table):
        raise Denied(
            403,
            "%(person)s is signed in as %(role)s, which may not see the cards of a hand.",
            person=me.name,
            role=me.role,
        )
    return Answer(await desk.hands.timeline(table, hand, me, access, desk.texts))


@router.get("/chain", response_model=None, responses=_RESPONSES)
async def chain(
    desk: TheDesk, table: str, me: TimelineReader, after: Row = 0, hash: str = ""
) -> Answer[Chain]:
    """Check a part of the chain of the whole record: the records after the one of this number and hash."""
    desk.table(table)
    if len(hash) > 64 or any(sign not in "0123456789abcdef" for sign in hash) or bool(hash) != bool(after):
        raise Denied(400, "after and hash are those of the answer before; leave both out to begin.")
    page = await desk.hands.page(table, "chain", number=after, hash=hash)
    return Answer(page.chain or Chain(0, ""))


@router.post("/hands/{hand}/access", response_model=None)
async def access(
    desk: TheDesk,
    table: str,
    hand: HandNumber,
    me: Unmasker,
    body: Annotated[ReasonBody, body_as(ReasonBody)],
) -> Answer[Reply]:
    """Record that this person is to see the cards of the hand, and why; the row of that is in `entries`."""
    desk.table(table)
    command = command_of(body.id, me, access="timeline", token=me.id, hand=hand, note=body.reason)
    return await run(desk, table, command)


@router.post("/hands/{hand}/review", response_model=None)
async def review(
    desk: TheDesk,
    table: str,
    hand: HandNumber,
    me: TimelineReader,
    body: Annotated[ReviewBody, body_as(ReviewBody)],
) -> Answer[Reply]:
    """Record that this person has reviewed the hand, or a note about it."""
    desk.table(table)
    return await run(desk, table, command_of(body.id, me, review=body.kind, hand=hand, note=body.note))


@router.post("/hands/{hand}/bookmark", response_model=None)
async def bookmark(
    desk: TheDesk,
    table: str,
    hand: HandNumber,
    me: TimelineReader,
    body: Annotated[BookmarkBody, body_as(BookmarkBody)],
) -> Answer[Reply]:
    """Have the video of the table marked at a moment of the hand; who asked is recorded first."""
    desk.table(table)
    answer = await run(desk, table, command_of(body.id, me, review="bookmark", hand=hand, note=body.note))
    if answer.status_code == 200:  # the engine has recorded it
        desk.hub.bookmarks.mark(table, body.id, "asked", hand, body.at_wall_ms * 1_000_000)
    return answer
