"""The ways of some boxes to the nats-servers, so that they can be cut: bytes pass through this process."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

_WAIT_S: Final = 10.0
_CHUNK: Final = 1 << 16


class Links:
    """A port of this machine for each of these addresses, `nats://HOST:PORT`. To be closed."""

    def __init__(self, servers: Sequence[str]) -> None:
        self._targets = [urlsplit(server) for server in servers]
        self._ways: set[asyncio.Task[None]] = set()
        self._cut = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="links", daemon=True)
        self._thread.start()
        self._servers = [
            self._run(self._listening(str(target.hostname), int(target.port or 0)))
            for target in self._targets
        ]

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses to be used instead of the servers' own."""
        ports = [server.sockets[0].getsockname()[1] for server in self._servers]
        return tuple(f"nats://127.0.0.1:{port}" for port in ports)

    def cut(self) -> None:
        """End every connection; each that is begun ends at once, until `restore`."""
        self._cut = True
        self._run(self._end())

    def restore(self) -> None:
        """Let connections pass again."""
        self._cut = False

    def close(self) -> None:
        """End all of it."""
        self.cut()
        self._run(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_WAIT_S)
        self._loop.close()

    async def _listening(self, host: str, port: int) -> asyncio.Server:
        async def begun(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._ways.add(task)
            try:
                if not self._cut:
                    await _carried(reader, writer, host, port)
            except (OSError, asyncio.CancelledError):
                pass
            finally:
                self._ways.discard(task)
                await _closed(writer)

        return await asyncio.start_server(begun, "127.0.0.1", 0)

    async def _shut(self) -> None:
        for server in self._servers:
            server.close()
            await server.wait_closed()

    async def _end(self) -> None:
        ways = list(self._ways)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)

    def _run(self, what: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(_WAIT_S)


async def _carried(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int) -> None:
    """Carry bytes both ways until one side ends."""
    far_reader, far_writer = await asyncio.open_connection(host, port)
    ways = [
        asyncio.create_task(_copied(reader, far_writer)),
        asyncio.create_task(_copied(far_reader, writer)),
    ]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        await _closed(far_writer)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
