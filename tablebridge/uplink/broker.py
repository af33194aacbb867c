"""The uplink's connection to the broker of its own box.

The client waits in `poll`, so each of its rounds is done in a thread, and what comes of it on the event loop:
nothing of it runs at the same time. Nothing is kept while the broker is away.
"""

import asyncio
import contextlib
import logging
import os
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from tablebridge.backoff import Backoff
from tablebridge.bus.access import UPLINK
from tablebridge.bus.account import account, client_id
from tablebridge.bus.client import Ack, BusClient
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Site

_ROUND_S: Final = 1.0
_log: Final = logging.getLogger(__name__)
Take = Callable[[str, bytes], None]


class BoxBroker:
    """The broker of `site`. What comes on `filters` is given to `take`, as topic and payload."""

    def __init__(self, site: Site, filters: Sequence[str], take: Take) -> None:
        self._site = site
        self._filters = filters
        self._take = take
        self._client: BusClient | None = None
        self._out: deque[tuple[str, bytes]] = deque()
        self._arrived: deque[tuple[str, bytes]] = deque()
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)

    @property
    def connected(self) -> bool:
        """Whether what is sent now arrives, and its answer."""
        return self._client is not None and self._client.subscribed

    def send(self, topic: str, payload: bytes) -> None:
        """Publish. Raises ConnectionError if the broker is away."""
        if not self.connected:
            raise ConnectionError
        self._out.append((topic, payload))
        with contextlib.suppress(BlockingIOError):
            os.write(self._write, b".")

    async def run(self) -> None:
        """Until it is cancelled."""
        try:
            client = self._client = await self._made()
            while True:
                try:
                    await self._round(client)
                except Exception:  # the records go on, whatever becomes of the acts
                    _log.exception("the connection to the box's broker met an unforeseen error and goes on")
                    await asyncio.sleep(_ROUND_S)
        finally:
            if self._client is not None:
                self._client.close(0.5)
            os.close(self._read)
            os.close(self._write)

    async def _round(self, client: BusClient) -> None:
        while self._out:
            client.publish(*self._out.popleft())
        if await asyncio.to_thread(client.step, _ROUND_S, (self._read,)):
            os.read(self._read, 4096)
        while self._arrived:
            self._take(*self._arrived.popleft())

    async def _made(self) -> BusClient:
        """The client, as soon as there is an account for it."""
        backoff, said = Backoff(random.random), ""
        while True:
            try:
                user, password = account(self._site, UPLINK)
                client = BusClient(self._site.broker, client_id(UPLINK, password), user, password, clean=True)
                break
            except ConfigError as error:
                if str(error) != said:
                    _log.warning("the room cannot act at this box yet: %s", error)
                said = str(error)
                backoff.failed(time.monotonic())
                await asyncio.sleep(max(0.0, backoff.due_s - time.monotonic()))
        client.on_message = self._message
        client.subscribe(*self._filters)
        return client

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        self._arrived.append((topic, payload))
        ack()
