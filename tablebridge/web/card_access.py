"""Nobody is given hole cards who is not in the record: the engine commits the access first, then the picture
is sent.

A feed may be asked for many times per minute, so one record stands for `EVERY_S` of the same token, table and
feed. No picture leaves until the engine has replied that the access is committed; a request without a reply
is sent again unchanged, under the same id, so that it is recorded once.
"""

import asyncio
import secrets
import time
from typing import Final, Literal

from tablebridge.bus.messages import Command
from tablebridge.web.auth import Token
from tablebridge.web.hub import Hub
from tablebridge.web.requests import ANSWER_S

EVERY_S: Final = 600.0

Feed = Literal["stream", "picture", "rows"]
_Key = tuple[str, str, Feed]


class CardAccess:
    """Who may be sent hole cards, because it is recorded."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._recorded: dict[_Key, float] = {}
        self._unanswered: dict[_Key, Command] = {}
        self._under_way: dict[_Key, asyncio.Task[bool]] = {}

    def recorded(self, me: Token, table: str, feed: Feed) -> bool:
        """Whether a picture of this table may be sent to this person now. If not, it is being recorded, and
        those who watch the overlay of the table are woken when that is done.
        """
        if not self._hub.away_s([table]) and self._is_recorded((me.id, table, feed)):
            return True
        self._record(me, table, feed)
        return False

    async def record(self, me: Token, table: str, feed: Feed) -> bool:
        """The same, after waiting for the engine's reply."""
        return self.recorded(me, table, feed) or await self._record(me, table, feed)

    def _is_recorded(self, key: _Key) -> bool:
        return time.monotonic() - self._recorded.get(key, -EVERY_S) < EVERY_S

    def _record(self, me: Token, table: str, feed: Feed) -> asyncio.Task[bool]:
        key = me.id, table, feed
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.get_running_loop().create_task(self._request(key, me))
            task.add_done_callback(lambda _: self._under_way.pop(key))
        return task

    async def _request(self, key: _Key, me: Token) -> bool:
        """Request the record from the engine, and say whether it is committed."""
        _, table, feed = key
        command = self._unanswered.setdefault(
            key,
            Command(
                secrets.token_hex(8),
                me.name,
                me.role,
                time.time_ns() + round(ANSWER_S * 1e9),
                access=feed,
                token=me.id,
            ),
        )
        try:
            reply = await self._hub.requests.command(table, command)
        except (ConnectionError, TimeoutError):
            return False
        del self._unanswered[key]
        if reply.ok:
            self._recorded[key] = time.monotonic()
            self._hub.touch("overlay", table)
        return reply.ok
