"""The director's orders: addresses without a body, which a stream deck can post to."""

import secrets
import time
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.model.direction import (
    CHOICES,
    OF_A_SEAT,
    ORDERS,
    REVEALING,
    Directed,
    Direction,
    Order,
    after,
)
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import command_of, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.guard import DIRECTOR, Denied

router = APIRouter(prefix=DIRECTOR + "/{table}")

Director = Annotated[Token, Depends(requires("direct"))]
_MOST_SEATS: Final = 10
_SEATS: Final = frozenset(map(str, range(_MOST_SEATS + 1)))


class Ordered(msgspec.Struct, frozen=True):
    """What holds after an order. `recorded`: whether the order is in the record of the table; if not,
    `sentence` says why. What hides something holds all the same.
    """

    direction: Direction
    recorded: bool
    sentence: str = ""


@router.get("", response_model=None)
async def direction(desk: TheDesk, table: str, me: Director) -> Answer[Direction]:
    """What the director's orders so far come to."""
    desk.table(table)
    return Answer(desk.directions.of(table))


@router.post("/{order}", response_model=None)
async def direct(desk: TheDesk, table: str, order: str, me: Director) -> Answer[Ordered]:
    """Give an order that names nothing."""
    return await _ordered(desk, me, table, _known(order, None))


@router.post("/{order}/{what}", response_model=None)
async def direct_what(desk: TheDesk, table: str, order: str, what: str, me: Director) -> Answer[Ordered]:
    """Give an order that names a seat, 0 for none, or chooses a theme or layout."""
    return await _ordered(desk, me, table, _known(order, what))


async def _ordered(desk: Desk, me: Token, table: str, event: Directed) -> Answer[Ordered]:
    desk.table(table)
    reveals = event.order in REVEALING
    if not reveals:
        _apply(desk, me, table, event)
    recorded, sentence = await _recorded(desk, me, table, event)
    if reveals:
        if not recorded:
            raise Denied(
                504, "Nothing is shown, because the order is not in the record. %(why)s", why=sentence
            )
        _apply(desk, me, table, event)
    return Answer(Ordered(desk.directions.of(table), recorded, sentence))


def _known(name: str, what: str | None) -> Directed:
    """The order with this name. Raises Denied 404 for another, and if what it names is missing, too much, or
    not there.
    """
    order: Order | None = next((each for each in ORDERS if each == name), None)
    names = order in OF_A_SEAT or order in CHOICES
    if order is None or names != (what is not None):
        raise Denied(
            404, "There is no such order. The orders are %(orders)s.", orders=", ".join(map(_written, ORDERS))
        )
    if what is None:
        return Directed(order)
    if order in CHOICES:
        if what not in CHOICES[order]:
            raise Denied(
                404,
                "There is no %(order)s %(what)s. There are %(choices)s.",
                order=order,
                what=what,
                choices=", ".join(CHOICES[order]),
            )
        return Directed(order, choice=what)
    if what not in _SEATS:
        raise Denied(
            404, "There is no seat %(seat)s. Give 1 to %(most)s, or 0 for none.", seat=what, most=_MOST_SEATS
        )
    return Directed(order, int(what))


def _written(order: Order) -> str:
    """The order as it stands in an address."""
    if order in CHOICES:
        return f"{order}/{order.upper()}"
    return f"{order}/SEAT" if order in OF_A_SEAT else order


def _apply(desk: Desk, me: Token, table: str, event: Directed) -> None:
    """Let the order hold: what reveals when it is written down, anything else in any case. Raises ConfigError
    if it cannot be written down.
    """
    new = after(desk.directions.of(table), event, me.name, time.time_ns())
    if event.order not in REVEALING:
        _show(desk, table, new)
    desk.directions.keep(table, new)
    _show(desk, table, new)


def _show(desk: Desk, table: str, direction: Direction) -> None:
    desk.directions.apply(table, direction)
    desk.hub.touch("overlay", table)


async def _recorded(desk: Desk, me: Token, table: str, event: Directed) -> tuple[bool, str]:
    """Whether the order is in the record of the table, and if not why."""
    command = command_of(secrets.token_hex(8), me, direction=event)
    try:
        answer = await run(desk, table, command)
    except Denied as denied:
        return False, denied.sentence(desk.texts)
    reply = answer.value
    return reply.ok, reply.sentence
