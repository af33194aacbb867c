"""What a person of the room does to an alert: the table's engine is asked, decides and answers."""

from collections.abc import Callable
from typing import Literal, Protocol

from nats.aio.client import Client

from tablebridge.bus.messages import Reply
from tablebridge.stream import asking
from tablebridge.stream.message import Address
from tablebridge.stream.pictures import Place
from tablebridge.web.auth import Token
from tablebridge.web.guard import Denied

Act = Literal["acknowledged", "taken"]


class Acts(Protocol):
    """The way of a person's act to the engine of a table."""

    async def act(self, place: Place, alert: str, person: Token, act: Act, id: str) -> Reply:
        """Ask for it once per `id`, and return the engine's answer. Raises Denied if there is none."""
        ...


class FarWay:
    """The way over the servers of the room called `site`. `client`: the present connection, None while there
    is none.
    """

    def __init__(self, site: str, client: Callable[[], Client | None]) -> None:
        self._site = site
        self._client = client

    async def act(self, place: Place, alert: str, person: Token, act: Act, id: str) -> Reply:
        """Have the table's engine do it, in the name of `person`."""
        client = self._client()
        if client is None:
            raise Denied(503, asking.NO_LINK)
        address = Address(self._site, place.box, place.table)
        acted = await asking.act(client, address, person=person.name, alert=alert, to=act, id=id)
        if acted.unsure:
            raise Denied(503, acted.sentence)
        return Reply(acted.id, acted.ok, acted.sentence)
