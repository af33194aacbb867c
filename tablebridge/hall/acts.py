"""What a person of the room does to an alert: the table's engine is asked, decides and answers."""

from typing import Literal, Protocol

from tablebridge.bus.messages import Reply
from tablebridge.stream.pictures import Place
from tablebridge.web.auth import Token
from tablebridge.web.guard import Denied

Act = Literal["acknowledged", "taken"]


class Acts(Protocol):
    """The way of a person's act to the engine of a table."""

    async def act(self, place: Place, alert: str, person: Token, act: Act, id: str) -> Reply:
        """Ask for it once per `id`, and return the engine's answer. Raises Denied if there is none."""
        ...


class NoActs:
    """A room from which no act reaches a table."""

    async def act(self, place: Place, alert: str, person: Token, act: Act, id: str) -> Reply:
        """Refuse it, and name who can do it."""
        raise Denied(503, "The room cannot answer alerts. Do it on the pages of the table's own box.")
