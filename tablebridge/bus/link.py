"""The connection of an asynchronous process to the broker: a thread of its own that sleeps in `select`, and
the receiver on the event loop.

The client is single-threaded, so everything that touches it happens in this thread. What the loop wants to
send waits in a queue and wakes the thread by a pipe. A command is sent at most once: while the broker is away
it is dropped, and the person who waits for the answer reads that nothing was written. A message that comes is
acknowledged when the receiver says that a restart loses nothing of it.
"""

import asyncio
import contextlib
import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from tablebridge.bus.account import account, client_id
from tablebridge.bus.client import Ack, BusClient
from tablebridge.settings.site import Site

log = logging.getLogger(__name__)


class Receiver(Protocol):
    """Who takes the messages, on the event loop. `send` publishes to the bus; the link sets it."""

    send: Callable[[str, bytes], None] | None

    def filters(self) -> tuple[str, ...]:
        """The topic filters to subscribe to."""
        ...

    def take(self, topic: str, payload: bytes, ack: Ack) -> None:
        """Take one message, and call `ack` when a restart loses nothing of it."""
        ...

    def bus(self, connected: bool) -> None:
        """The connection was made or lost."""
        ...


class ThreadedLink:
    """Joins a receiver to the broker from `start` to `stop`, as the account `name`. `loop` is the loop on
    which the receiver lives. `clean`: the broker keeps nothing for it while it is away. Raises ConfigError if
    the account's password cannot be read.
    """

    def __init__(
        self,
        site: Site,
        name: str,
        receiver: Receiver,
        loop: asyncio.AbstractEventLoop,
        *,
        clean: bool = False,
    ) -> None:
        user, password = account(site, name)
        self._client = BusClient(site.broker, client_id(name, password), user, password, clean=clean)
        self._receiver = receiver
        self._loop = loop
        self._out: deque[tuple[str, bytes]] = deque()
        self._acks: deque[Ack] = deque()
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)
        self._client.on_message = self._on_message
        self._client.on_up = lambda _: self._report(True)
        self._client.on_down = lambda _: self._report(False)
        self._client.subscribe(*receiver.filters())
        receiver.send = self._send

    def start(self) -> None:
        """Start the thread, which connects."""
        self._thread.start()

    def stop(self) -> None:
        """Disconnect from the broker and end the thread."""
        self._stopping.set()
        self._wake()
        self._thread.join(5)
        os.close(self._read)
        os.close(self._write)

    def _send(self, topic: str, payload: bytes) -> None:
        self._out.append((topic, payload))
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._write, b".")

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                if self._client.step(1.0, (self._read,)):
                    os.read(self._read, 4096)
            except Exception:  # one error must not leave the process without a bus for good
                log.exception("the connection to the broker met an unforeseen error and goes on")
                self._stopping.wait(1.0)
            self._acknowledge()
            while self._out:
                self._client.publish(*self._out.popleft())
        self._acknowledge()
        self._client.close()

    def _acknowledge(self) -> None:
        while self._acks:
            self._acks.popleft()()

    def _on_message(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        self._on_loop(lambda: self._take(topic, payload, lambda: self._taken(ack)))

    def _take(self, topic: str, payload: bytes, ack: Ack) -> None:
        try:
            self._receiver.take(topic, payload, ack)
        except Exception:  # what breaks the receiver would break it again
            ack()
            raise

    def _taken(self, ack: Ack) -> None:
        self._acks.append(ack)
        if not self._stopping.is_set():
            self._wake()

    def _report(self, connected: bool) -> None:
        self._on_loop(lambda: self._receiver.bus(connected))

    def _on_loop(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: the process is on its way out
            self._loop.call_soon_threadsafe(call)
