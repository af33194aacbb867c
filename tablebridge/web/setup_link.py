"""The pages' end of the set-up process: a UNIX socket, over which its picture comes and wishes go.

There is no set-up process most of the time. Then the page says how it is started, and nothing is sent.
"""

import asyncio
import contextlib
import time
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.steps.picture import LONGEST_LINE, Answered, Picture, Sent, Wanted
from tablebridge.web.watch import Watch, Watches

_AGAIN_S: Final = 1.0
ANSWER_S: Final = 20.0
"""How long an answer is waited for: a port that is closed takes a while."""
_KEY: Final = "setup:"


class SetupLink:
    """The connection to the set-up process at the socket `path`. `picture`: how far the set-up is, None if
    there is no process.
    """

    def __init__(self, path: Path) -> None:
        self.picture: Picture | None = None
        self._path = path
        self._away_since = time.monotonic()
        self._watches = Watches()
        self._writer: asyncio.StreamWriter | None = None
        self._waiting: dict[str, asyncio.Future[Answered]] = {}
        self._decoder = msgspec.json.Decoder(Sent)

    @property
    def away_s(self) -> float:
        """For how long the process has been away, in seconds; 0 if it is there."""
        return 0.0 if self.picture is not None else time.monotonic() - self._away_since

    def watch(self) -> Watch:
        """Whoever wants to know when the picture changes; to be given back with `unwatch`."""
        return self._watches.add([_KEY])

    def unwatch(self, watch: Watch) -> None:
        """Nobody waits for this any more."""
        self._watches.discard(watch)

    async def run(self) -> None:
        """Hold the connection for ever."""
        while True:
            with contextlib.suppress(OSError, ValueError, msgspec.MsgspecError):
                await self._receive()
            self._gone()
            await asyncio.sleep(_AGAIN_S)

    async def send(self, wanted: Wanted) -> Answered:
        """Send a wish and wait for the answer. Raises ConnectionError if there is no process, TimeoutError if
        no answer came in time.
        """
        if self._writer is None:
            raise ConnectionError
        waiting = self._waiting.setdefault(wanted.id, asyncio.get_running_loop().create_future())
        self._writer.write(msgspec.json.encode(wanted) + b"\n")
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._writer.drain()
                return await asyncio.shield(waiting)
        finally:
            self._waiting.pop(wanted.id, None)

    async def _receive(self) -> None:
        reader, self._writer = await asyncio.open_unix_connection(str(self._path), limit=LONGEST_LINE)
        try:
            while line := await reader.readline():
                self._take(self._decoder.decode(line))
        finally:
            self._writer.close()

    def _take(self, sent: Sent) -> None:
        if sent.picture is not None:
            self.picture = sent.picture
            self._watches.touch("setup", "")
        if sent.answer is not None:
            waiting = self._waiting.get(sent.answer.id)
            if waiting is not None and not waiting.done():
                waiting.set_result(sent.answer)

    def _gone(self) -> None:
        """The process is away; what it was sent stays without an answer."""
        self._writer = None
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError())
        if self.picture is not None:
            self.picture, self._away_since = None, time.monotonic()
            self._watches.touch("setup", "")


__all__ = ["SetupLink"]
