"""Whoever is given hole cards is recorded: the engine writes it into the table's journal.

A feed may be asked for many times a minute, so one note stands for `EVERY_S` of the same token, table and feed. A note that
finds no engine is tried again with the next picture: none leaves without one for longer than the engine is away.
"""

import asyncio
import contextlib
import secrets
import time
from typing import Final

from tablebridge.bus.messages import Command
from tablebridge.web.auth import Token
from tablebridge.web.hub import ANSWER_S, Hub

EVERY_S: Final = 600.0


class Accesses:
    """Notes of who was given hole cards."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._noted: dict[tuple[str, str, str], float] = {}
        self._under_way: set[asyncio.Task[None]] = set()

    def note(self, me: Token, table: str, feed: str) -> None:
        """This person is being given hole cards of this table through `feed`."""
        key, now = (me.id, table, feed), time.monotonic()
        if now - self._noted.get(key, -EVERY_S) < EVERY_S:
            return
        self._noted[key] = now
        task = asyncio.get_running_loop().create_task(self._record(key, me))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _record(self, key: tuple[str, str, str], me: Token) -> None:
        _, table, feed = key
        deadline = time.time_ns() + round(ANSWER_S * 1e9)
        recorded = False
        with contextlib.suppress(ConnectionError, TimeoutError):
            reply = await self._hub.command(table, Command(secrets.token_hex(8), me.name, me.role, deadline, access=feed))
            recorded = reply.ok
        if not recorded:
            self._noted.pop(key, None)
