"""What was found about records and nobody has settled, beside the floor; and that somebody has settled it.

It is asked for by the page after it is shown: the floor needs no database.
"""

import asyncio
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import HTMLResponse, Response

from tablebridge.archive.settling import LONGEST_WHY
from tablebridge.bus.messages import Reply
from tablebridge.hall.desk import AlertWriter, FloorReader, TheHall
from tablebridge.model.errors import Refused
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as
from tablebridge.web.guard import Denied
from tablebridge.web.heard import heard

router = APIRouter(include_in_schema=False)

MOST: Final = 50
"""Findings that are shown."""


class SettleBody(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody has looked into a finding. `why`: what came out."""

    id: str
    why: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_WHY)]


@router.get("/floor/found")
async def found(desk: TheHall, me: FloorReader) -> Response:
    """The block of what is open, the newest first."""
    try:
        listed = await asyncio.to_thread(desk.findings.listed)
    except SQLAlchemyError:
        raise Denied(
            503,
            "The archive cannot be asked now, so its history is missing. Floor and wall go on without it.",
        ) from None
    shown = listed[: -MOST - 1 : -1]
    block = desk.assets.block("hall_records", shown, len(listed) - len(shown), me.may("alerts-write"))
    return HTMLResponse(block)


@router.post("/api/found/{number}/settled", response_model=None)
async def settled(
    desk: TheHall, number: int, me: AlertWriter, body: Annotated[SettleBody, body_as(SettleBody)]
) -> Answer[Reply]:
    """Settle a finding in the name of who asks; the same again is answered as settled already."""
    try:
        await asyncio.to_thread(desk.findings.settle, number, f"{me.name} (room)", body.why)
    except Refused as error:
        return Answer(Reply(body.id, False, heard(desk.texts, str(error))), 409)
    except SQLAlchemyError:
        raise Denied(503, "The archive cannot be asked now, so nothing was written. Try again.") from None
    return Answer(Reply(body.id, True, ""), 200)
