"""What the room asks of tables of this box: handed to their engines, and answered with what those answer.

Only acts on alerts are handed over. The engine does them as it does those of the floor page, once for each
id, and records the person. The owner of the box may switch this off (`tablebridge join --commands off`).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from tablebridge.bus.access import UPLINK
from tablebridge.bus.messages import FarAct, Reply, Unreadable, decode
from tablebridge.bus.messages import encode as encode_for_engine
from tablebridge.bus.topics import FAR_ACT, FAR_REPLY, parse
from tablebridge.stream.commands import LONGEST_S, Acted, asked_table, commands_of_box, encode, read_act

MOST_WAITING: Final = 64
"""Acts that wait for the engines at once; more are refused."""
UNREADABLE: Final = "This is no act that the box knows; nothing was done."
SWITCHED_OFF: Final = "This box takes nothing from the room: whoever owns it has switched that off."
NO_TABLE: Final = "There is no such table at this box; nothing was done."
TOO_LATE: Final = (
    "It came too late and was not done: try again. If that stays so, the clock of the box is wrong."
)
TOO_MANY: Final = "Too much waits for the tables of this box; nothing was done. Try again."
NO_BROKER: Final = "The box cannot reach its table at the moment; nothing was done. Try again."
NO_ENGINE: Final = "The engine of the table did not answer: look at the table, or try the same again."
_log: Final = logging.getLogger(__name__)


Send = Callable[[str, bytes], None]
"""Publishes on a topic of the box. Raises ConnectionError if nobody would hear it."""


class FarActs:
    """Acts on alerts of these tables of the site called `site` at this box. `allowed`: whether the owner of
    the box lets the room act; `wall_ns`: the clock of the box; `send`: the way to the engines, which whoever
    holds the connection sets.
    """

    def __init__(
        self,
        site: str,
        tables: Collection[str],
        allowed: Callable[[], bool],
        wall_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._site = site
        self._tables = frozenset(tables)
        self.send: Send = _nowhere
        self._allowed = allowed
        self._wall_ns = wall_ns
        self._waiting: dict[tuple[str, str], asyncio.Future[Reply]] = {}
        self._answering: set[asyncio.Task[None]] = set()

    async def listen(self, client: Client, site: str, box: str) -> None:
        """Take what the room asks of this box on its connection. Raises nats.errors.Error."""
        await client.subscribe(commands_of_box(site, box), cb=self._asked)

    def filters(self) -> tuple[str, ...]:
        """The topics on which engines answer."""
        return tuple(FAR_REPLY.filter(self._site, table, UPLINK) for table in sorted(self._tables))

    def take(self, topic: str, payload: bytes) -> None:
        """An engine has answered."""
        known = parse(topic)
        try:
            reply = decode(payload, Reply)
        except Unreadable:
            return
        waiting = None if known is None else self._waiting.get((known.table, reply.id))
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    async def done(self, subject: str, payload: bytes) -> Acted:
        """Have what was asked on this subject done; what came of it."""
        try:
            act = read_act(payload)
        except ValueError:
            return Acted("", False, UNREADABLE)
        table = asked_table(subject)
        left_s = (act.deadline_wall_ns - self._wall_ns()) / 1e9
        if not self._allowed():
            return Acted(act.id, False, SWITCHED_OFF)
        if table not in self._tables:
            return Acted(act.id, False, NO_TABLE)
        if left_s <= 0:
            return Acted(act.id, False, TOO_LATE)
        if len(self._waiting) >= MOST_WAITING and (table, act.id) not in self._waiting:
            return Acted(act.id, False, TOO_MANY)
        return await self._handed_over(table, act, min(left_s, LONGEST_S))

    async def _handed_over(self, table: str, act: FarAct, within_s: float) -> Acted:
        key = (table, act.id)
        waiting = self._waiting.get(key)
        try:
            if waiting is None:
                self.send(FAR_ACT.of(self._site, table, UPLINK), encode_for_engine(act))
                waiting = self._waiting[key] = asyncio.get_running_loop().create_future()
            reply = await asyncio.wait_for(asyncio.shield(waiting), within_s)
        except ConnectionError:
            return Acted(act.id, False, NO_BROKER)
        except TimeoutError:
            return Acted(act.id, False, NO_ENGINE, unsure=True)
        finally:
            self._waiting.pop(key, None)
        return Acted(act.id, reply.ok, reply.sentence)

    async def _asked(self, message: Msg) -> None:
        """Answer beside what else comes: an engine that is away must not hold up the others."""
        task = asyncio.create_task(self._answer(message))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, message: Msg) -> None:
        acted = await self.done(message.subject, message.data)
        try:
            await message.respond(encode(acted))
        except (nats.errors.Error, OSError) as error:
            _log.warning("the room does not get the answer to an act: %s", error or type(error).__name__)


def _nowhere(_topic: str, _payload: bytes) -> None:
    raise ConnectionError
