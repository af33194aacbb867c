"""What is asked of the engines: commands of people, and what has happened at a table. Each waits for the
answer with its id.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from tablebridge.bus import topics
from tablebridge.bus.messages import (
    Command,
    HistoryPage,
    HistoryRequest,
    Reply,
    TimelinePage,
    TimelineRequest,
    encode,
)
from tablebridge.bus.topics import Topic
from tablebridge.model.preview import Preview

ANSWER_S: Final = 5.0
"""How long the engine's answer is waited for, in seconds."""

MOST_PREVIEWS: Final = 4
"""Answers that a person may wait for at once: more than one, since a person may have several pages."""

Send = Callable[[Topic, str, bytes], None]
"""Sends a message to the engine of a table. Raises ConnectionError if it cannot be reached."""


class TooManyWaiting(Exception):
    """The person waits for the answers to other such requests."""


class Answer(Protocol):
    """The answer to what was asked under this id."""

    @property
    def id(self) -> str: ...


A = TypeVar("A", bound=Answer)


class Requests:
    """What waits for an answer of the engines. Nothing is kept for later."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._replies = Answers[Reply]()
        self._pages = Answers[HistoryPage]()
        self._timelines = Answers[TimelinePage]()
        self._previews = Answers[Preview]()
        # Who waits for a preview: it costs the engine as much as folding two hands.
        self._previewing = Counter[str]()

    async def command(self, table: str, command: Command) -> Reply:
        """Send a command and wait for the reply; a second call with an id under way gets the same reply.

        Raises ConnectionError if it was not sent because the broker or the engine is away, TimeoutError if no
        reply came in time.
        """
        return await self._replies.wait(
            command.id, lambda: self._send(topics.COMMAND, table, encode(command))
        )

    async def preview(self, table: str, command: Command, person: str) -> Preview:
        """Ask what would come of a command. Raises as `command`, and TooManyWaiting if the person waits for
        `MOST_PREVIEWS` answers.
        """
        if self._previewing[person] >= MOST_PREVIEWS:
            raise TooManyWaiting
        self._previewing[person] += 1
        try:
            return await self._previews.wait(
                command.id, lambda: self._send(topics.PREVIEW, table, encode(command))
            )
        finally:
            self._previewing -= Counter([person])

    async def history(self, table: str, request: HistoryRequest) -> HistoryPage:
        """Ask what has happened at a table. Raises as `command`."""
        return await self._pages.wait(request.id, lambda: self._send(topics.HISTORY, table, encode(request)))

    async def timeline(self, table: str, request: TimelineRequest) -> TimelinePage:
        """Ask for a part of what the record says of a hand. Raises as `command`."""
        return await self._timelines.wait(
            request.id, lambda: self._send(topics.TIMELINE, table, encode(request))
        )

    def replied(self, reply: Reply) -> None:
        """The engine has answered a command."""
        self._replies.settle(reply)

    def paged(self, page: HistoryPage) -> None:
        """The engine has answered what has happened."""
        self._pages.settle(page)

    def shown(self, page: TimelinePage) -> None:
        """The engine has answered what the record says of a hand."""
        self._timelines.settle(page)

    def previewed(self, preview: Preview) -> None:
        """The engine has answered what would come of a command."""
        self._previews.settle(preview)

    @property
    def commands_waiting(self) -> int:
        """How many commands wait for the engine's reply."""
        return len(self._replies)


class Answers(Generic[A]):
    """Those who wait for answers of one type, by the id."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[A]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def settle(self, answer: A) -> None:
        """Hand the answer to those who wait for it, if there are any."""
        waiting = self._waiting.get(answer.id)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    async def wait(self, id: str, send: Callable[[], None]) -> A:
        """Call `send` and wait for the answer; a second call with an id under way sends nothing and gets the
        same answer. Raises TimeoutError if none came within `ANSWER_S`, and what `send` raises.
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
