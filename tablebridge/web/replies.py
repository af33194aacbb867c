"""The commands that wait for the engine's reply."""

import asyncio
from collections.abc import Callable
from typing import Final

from tablebridge.bus.messages import Reply

ANSWER_S: Final = 5.0
"""How long a person waits for the engine's reply, in seconds."""


class Replies:
    """The waiting commands, by their id."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Reply]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def settle(self, reply: Reply) -> None:
        """Hand the reply to those who wait for it, if there are any."""
        waiting = self._waiting.get(reply.id)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    async def wait(self, id: str, send: Callable[[], None]) -> Reply:
        """Call `send` and wait for the reply; a second call with an id under way sends nothing and gets the
        same reply. Raises TimeoutError if none came within `ANSWER_S`, and what `send` raises.
        """
        waiting = self._waiting.get(id)
        if waiting is None:
            send()
            waiting = self._waiting[id] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ANSWER_S):
                return await asyncio.shield(waiting)
        finally:
            self._waiting.pop(id, None)
