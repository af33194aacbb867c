"""The commands of people to a table: how they are read, sent and answered."""

import re
import time
from collections.abc import Awaitable
from typing import Any, Final, Protocol, TypeVar

import msgspec
from fastapi import Depends, Request

from tablebridge.bus.messages import Command, Reply
from tablebridge.web.answers import Answer
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk
from tablebridge.web.guard import Denied, read_body
from tablebridge.web.heard import heard
from tablebridge.web.requests import ANSWER_S, TooManyWaiting

_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")


class HasId(Protocol):
    """The body of a command: all have an id, under which a repetition is recognised."""

    id: str


A = TypeVar("A")
B = TypeVar("B", bound=HasId)


def body_as(kind: type[B]) -> Any:
    """A FastAPI dependency: the body of the request as a command of this kind. It raises Denied 400 if the
    body is none, or has no proper id.
    """

    async def dependency(request: Request) -> B:
        try:
            body = msgspec.json.decode(await read_body(request), type=kind)
        except msgspec.ValidationError as error:
            raise Denied(400, "This cannot be understood: %(error)s.", error=error) from None
        except ValueError:
            raise Denied(400, "This is not JSON. Send an object with an id.") from None
        if not _ID.fullmatch(body.id):
            raise Denied(
                400,
                "Give an id of 8 to 64 letters, digits, - or _: a new one for every command, the same when "
                "repeated.",
            )
        return body

    return Depends(dependency)


def command_of(id: str, me: Token, **what: Any) -> Command:
    """A command by this person, which must be done before the person's waiting ends."""
    deadline = time.time_ns() + round(ANSWER_S * 1e9)
    return Command(id=id, by=me.name, role=me.role, deadline_wall_ns=deadline, **what)


async def run(desk: Desk, table: str, command: Command) -> Answer[Reply]:
    """Send a command to a table and answer with the engine's reply. Raises Denied 504 if there is none."""
    reply = await answered(desk.hub.requests.command(table, command))
    said = msgspec.structs.replace(reply, sentence=heard(desk.texts, reply.sentence))
    return Answer(said, 200 if reply.ok else 409)


async def answered(answer: Awaitable[A]) -> A:
    """The engine's answer. Raises Denied 504 if there is none, 429 if the person waits for too many."""
    try:
        return await answer
    except TooManyWaiting:
        raise Denied(429, "Wait for the answers to your last previews before you ask for another.") from None
    except ConnectionError:
        raise Denied(
            504, "The engine cannot be reached. Nothing was written; try again when the page is live."
        ) from None
    except TimeoutError:
        raise Denied(
            504,
            "The engine did not answer within %(seconds)s s. Check whether it was done before you send it "
            "again.",
            seconds=round(ANSWER_S),
        ) from None
