"""What a technician wants done by the set-up process."""

from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends

from tablebridge.model.bounds import Word
from tablebridge.steps.people import Given
from tablebridge.steps.picture import PeopleWish, Wanted, Wish
from tablebridge.web.addresses import qr_picture
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


class Shown(msgspec.Struct, frozen=True):
    """An address for a phone. `picture`: its QR code, as an address of its data."""

    what: Literal["sign in", "topic"]
    address: str
    picture: str


class ForPerson(msgspec.Struct, frozen=True):
    """What a new person gets. It is in this answer and nowhere else."""

    name: str
    shown: tuple[Shown, ...]


class WishDone(msgspec.Struct, frozen=True):
    """The wish was done."""

    id: str
    sentence: str = ""
    given: ForPerson | None = None


@router.post("/setup", response_model=None)
async def setup(
    desk: TheDesk, me: Technician, body: Annotated[WishBody, body_as(WishBody)]
) -> Answer[WishDone]:
    """Have the set-up process do something. 403 for tokens of people, unless it is the first start; 409 with
    the reason if it cannot be done, 503 if the process does not run.
    """
    if isinstance(body.wish, PeopleWish) and not me.may("people"):
        raise Denied(403, "Only who sits at the box gives out tokens, on its terminal: tablebridge token.")
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
    return Answer(WishDone(answer.id, given=_shown(answer.given)))


def _shown(given: Given | None) -> ForPerson | None:
    if given is None:
        return None
    links = [Shown("sign in", link, qr_picture(link)) for link in given.links]
    topics = [Shown("topic", given.topic, qr_picture(given.topic))] if given.topic else []
    return ForPerson(given.name, (*links, *topics))
