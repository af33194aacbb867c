"""What is asked of an engine and changes nothing: its answer, or why there is none."""

from collections.abc import Awaitable
from typing import TypeVar

from tablebridge.web.guard import Denied
from tablebridge.web.requests import ANSWER_S

P = TypeVar("P")


async def read(table: str, answer: Awaitable[P]) -> P:
    """The page that the engine of the table answers with. Raises Denied 504 if there is none."""
    try:
        return await answer
    except ConnectionError:
        raise Denied(
            504, "The engine of table %(table)s is away; ask again when it is back.", table=table
        ) from None
    except TimeoutError:
        raise Denied(
            504, "The engine did not answer within %(seconds)s s; ask again.", seconds=round(ANSWER_S)
        ) from None
