"""What was found at a table, from its record."""

import secrets
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Query

from tablebridge.bus.messages import FindingMessage, HistoryRequest
from tablebridge.web.answers import Answer
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.reading import read

router = APIRouter(prefix="/api/tables")

StateReader = Annotated[Token, Depends(requires("state"))]
Before = Annotated[int, Query(ge=0, le=2**53, description="the `before` of the page before; 0: the latest")]


class FindingList(msgspec.Struct):
    """Findings in the record of a table, the latest first, without hidden faces. `rev`: the record up to
    which they are complete. `before`: a request with it gets earlier ones; 0 if there are none. A list may be
    empty though there are.
    """

    findings: tuple[FindingMessage, ...]
    rev: int
    before: int


@router.get(
    "/{table}/findings",
    response_model=None,
    responses={
        400: {"description": "before is no number of a record"},
        504: {"description": "the engine is away or did not answer in time"},
    },
)
async def findings(desk: TheDesk, table: str, me: StateReader, before: Before = 0) -> Answer[FindingList]:
    """What was found at this table, a page at a time."""
    desk.table(table)
    request = HistoryRequest(f"findings-{secrets.token_hex(8)}", "findings", before)
    page = await read(table, desk.hub.requests.history(table, request))
    return Answer(FindingList(page.findings, page.rev, page.before))
