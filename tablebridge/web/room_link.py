"""What the pages know of the room of tables, and how they ask it: its process answers over the bus."""

import secrets
import time
from collections.abc import Callable
from typing import Final

from tablebridge.bus import topics
from tablebridge.bus.messages import encode
from tablebridge.model.rooms import RoomCommand, RoomReply, RoomView, Row
from tablebridge.web.requests import ANSWER_S, Answers

Send = Callable[[topics.Topic, bytes], None]
"""Sends a message to the room's process. Raises ConnectionError if the broker is away."""
_MOST_PAGES: Final = 20


def is_due(view: RoomView) -> bool:
    """Whether somebody is to do something in the room."""
    halts = any(table.halted for table in view.tables)
    return bool(view.move or view.final_table or halts or view.clashes or view.places)


class RoomLink:
    """The room of a site. `view`: as its process published it last, None if there is none. `changed` is
    called whenever it is another.
    """

    def __init__(self, send: Send, changed: Callable[[], None]) -> None:
        self._send = send
        self._changed = changed
        self._replies = Answers[RoomReply]()
        self.view: RoomView | None = None

    def take(self, view: RoomView) -> None:
        """The room's process shows the room."""
        self.view = view
        self._changed()

    def replied(self, reply: RoomReply) -> None:
        """The room's process has answered."""
        self._replies.settle(reply)

    async def ask(self, command: RoomCommand) -> RoomReply:
        """Send a command and wait for the reply. Raises ConnectionError, TimeoutError."""
        return await self._replies.wait(command.id, lambda: self._send(topics.ROOM_COMMAND, encode(command)))

    async def rows(self, by: str, role: str) -> list[Row]:
        """All players of the room. Raises ConnectionError, TimeoutError."""
        rows: list[Row] = []
        since: int | None = 0
        for _ in range(_MOST_PAGES):
            if since is None:
                break
            command = RoomCommand(f"rows-{secrets.token_hex(8)}", by, role, deadline(), rows_from=since)
            reply = await self.ask(command)
            rows += reply.rows
            since = reply.more
        return rows


def deadline() -> int:
    """Until when a command must be done, since the person waits no longer (wall ns)."""
    return time.time_ns() + round(ANSWER_S * 1e9)
