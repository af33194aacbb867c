"""What a technician wants done by the set-up process."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.model.bounds import Word
from tablebridge.steps.picture import Wanted, Wish
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.guard import Denied

router = APIRouter(prefix="/api")

Technician = Annotated[Token, Depends(requires("setup"))]


class WishBody(msgspec.Struct, forbid_unknown_fields=True):
    """A wish for the set-up process. The same id is done once."""

    id: Word
    wish: Wish


class WishDone(msgspec.Struct, frozen=True):
    """The wish was done."""

    id: str
    sentence: str = ""


@router.post("/setup", response_model=None)
async def setup(
    desk: TheDesk, me: Technician, body: Annotated[WishBody, body_as(WishBody)]
) -> Answer[WishDone]:
    """Have the set-up process do something. 409 with the reason if it cannot be done, 503 if the process does
    not run.
    """
    try:
        answer = await desk.setup.send(Wanted(body.id, me.name, body.wish))
    except ConnectionError:
        raise Denied(
            503, "The set-up process does not run: start it on the box with tablebridge setup --browser."
        ) from None
    except TimeoutError:
        raise Denied(504, "The set-up process does not answer. Look before you press it again.") from None
    if answer.sentence:
        raise Denied(409, answer.sentence)
    return Answer(WishDone(answer.id))
