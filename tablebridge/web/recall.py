"""The alerts that were closed are asked of the engine whenever this process may have missed some: when it was
started, when the broker was away, and when another run of the engine has begun.

What is closed from then on comes by itself, so each is asked once, and again only until it is answered.
"""

import asyncio
import secrets
from typing import Final

from tablebridge.bus.messages import HistoryRequest
from tablebridge.web.hub import Hub
from tablebridge.web.status import TableStatus

_LOOK_S: Final = 0.5


class Recall:
    """Keeps the closed alerts of all tables complete."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._known: dict[str, tuple[int, str]] = {}

    async def run(self) -> None:
        """Do so until it is cancelled."""
        while True:
            await asyncio.gather(*(self._recall(status) for status in self._hub.tables.values()))
            await asyncio.sleep(_LOOK_S)

    async def _recall(self, status: TableStatus) -> None:
        """Ask for the closed alerts of this table, if they are not known."""
        if status.engine is None:
            return
        now = self._hub.connections, status.engine.epoch
        if self._known.get(status.name) == now:
            return
        request = HistoryRequest(f"recall-{secrets.token_hex(8)}", "closed-alerts")
        try:
            page = await self._hub.requests.history(status.name, request)
        except (ConnectionError, TimeoutError):
            return
        self._known[status.name] = now
        status.take_closed(page)
        self._hub.touch("alerts", status.name)
