"""What the dealer reports: facts, calls of the floor, steps. And who settles a call at the table."""

import asyncio
import logging
import math
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.bus.messages import Reply
from tablebridge.engine.script.dealer import dealer_may_write
from tablebridge.engine.script.statements import parse_line
from tablebridge.model.errors import ScriptError
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as, command_of, run
from tablebridge.web.api.lines import Line
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.guard import Denied
from tablebridge.web.pins import LONGEST, is_pin

log = logging.getLogger(__name__)

router = APIRouter(prefix="/api/tables/{table}/dealer")

Dealer = Annotated[Token, Depends(requires("facts"))]


class FactsBody(msgspec.Struct, forbid_unknown_fields=True):
    """Lines of table script that a dealer may write."""

    id: str
    lines: Annotated[list[Line], msgspec.Meta(min_length=1, max_length=4)]


class BackBody(msgspec.Struct, forbid_unknown_fields=True):
    """The number of the entry of a fact to take back."""

    id: str
    entry: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class SettledBody(msgspec.Struct, forbid_unknown_fields=True):
    """The call is settled by a floor person at the table. `person`: the id of that person's token."""

    id: str
    person: Annotated[str, msgspec.Meta(max_length=16)]
    pin: Annotated[str, msgspec.Meta(max_length=LONGEST)]


@router.post("/lines", response_model=None)
async def dealer_lines(
    desk: TheDesk, table: str, me: Dealer, body: Annotated[FactsBody, body_as(FactsBody)]
) -> Answer[Reply]:
    """Report facts that no reader sees, call the floor, settle the call, or tick steps: no other line is
    taken.
    """
    desk.table(table)
    for line in body.lines:
        try:
            allowed = dealer_may_write(parse_line(line))
        except ScriptError as error:
            raise Denied(400, "This cannot be understood: %(error)s.", error=error) from None
        if not allowed:
            raise Denied(403, "A dealer reports facts without a face and calls the floor; this is neither.")
    return await run(desk, table, command_of(body.id, me, lines=tuple(body.lines)))


@router.post("/undo", response_model=None)
async def dealer_undo(
    desk: TheDesk, table: str, me: Dealer, body: Annotated[BackBody, body_as(BackBody)]
) -> Answer[Reply]:
    """Take back a fact that was reported within the last ten seconds."""
    desk.table(table)
    return await run(desk, table, command_of(body.id, me, undo=body.entry))


@router.post("/settled", response_model=None)
async def dealer_settled(
    desk: TheDesk, table: str, me: Dealer, body: Annotated[SettledBody, body_as(SettledBody)]
) -> Answer[Reply]:
    """Settle the call of the floor at the table, as a floor person who gives a PIN on the dealer's tablet."""
    desk.table(table)
    person = await _person(desk, table, me, body)
    return await run(desk, table, command_of(body.id, person, lines=("floor-settled",)))


async def _person(desk: Desk, table: str, me: Token, body: SettledBody) -> Token:
    """The floor person with this PIN. Raises Denied if there is none, or too many PINs were tried."""
    person = next((token for token in desk.with_pins(table) if token.id == body.person), None)
    if person is None:
        raise Denied(404, "This person has no PIN at this table; a PIN is set with `tablebridge token pin`.")
    keys = (person.id, me.id)
    locked_s = desk.tries.locked_s(*keys)
    if locked_s:
        raise Denied(
            429,
            "Too many wrong PINs: none is taken for %(minutes)s minutes. The dealer can settle the call, or "
            "the floor can close it on its own page with a reason.",
            minutes=math.ceil(locked_s / 60),
        )
    desk.tries.count(*keys)
    if not await asyncio.to_thread(is_pin, body.pin, person.pin):
        log.warning("table %s: a wrong PIN was given for %s on the tablet of %s", table, person.name, me.name)
        raise Denied(403, "This PIN is wrong. Type it again.")
    desk.tries.succeeded(*keys)
    return person
