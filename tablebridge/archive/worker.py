"""An archive worker: takes batches from the stream, has them stored, acknowledges after the commit.

Any number of them share one durable consumer. What a worker does not acknowledge, another gets: it may be
killed at any moment.
"""

import asyncio
import contextlib
import logging
import random
import signal
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from sqlalchemy.exc import DataError, SQLAlchemyError

from tablebridge.archive.metrics import ArchiveMetrics
from tablebridge.archive.store import Incoming, Outcome, Store
from tablebridge.backoff import Backoff
from tablebridge.stream.layout import make_stream
from tablebridge.stream.message import CONSUMER, STREAM, Address, address_of, decode
from tablebridge.watchdog import Watchdog

BATCH: Final = 500
PATIENCE_S: Final = 40.0
"""How long a record waits before what it rests on counts as missing: longer than it takes until the batch of
a killed worker is delivered again.
"""
_SETTLE_S: Final = 5.0
_FETCH_S: Final = 0.5
_log: Final = logging.getLogger(__name__)


class Worker:
    """Stores what the stream of `site` holds until `stop`. `replicas`: of a stream that has to be made."""

    def __init__(
        self,
        store: Store,
        client: Client,
        site: str,
        metrics: ArchiveMetrics | None = None,
        *,
        replicas: int = 3,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._store = store
        self._client = client
        self._js: JetStreamContext = client.jetstream(timeout=10)
        self._site = site
        self.metrics = metrics or ArchiveMetrics()
        self._replicas = replicas
        self._patience_s = patience_s
        self._settled_s = 0.0
        self._subscription: JetStreamContext.PullSubscription | None = None
        self._watchdog = Watchdog()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Until SIGTERM, SIGINT or `stop`."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        self._watchdog.ready(f"records of {self._site}")
        backoff = Backoff(random.random)
        while not self._stopping.is_set():
            self._watchdog.worked()
            try:
                await self.step()
                backoff.worked()
                self.metrics.passed(is_up=self._client.is_connected)
            except (nats.errors.Error, TimeoutError, SQLAlchemyError, OSError) as error:
                _log.warning("records wait in the stream: %s", _short(error))
                self.metrics.failed()
                self.reset()
                backoff.failed(time.monotonic())
                with contextlib.suppress(TimeoutError):
                    wait_s = backoff.due_s - time.monotonic()
                    await asyncio.wait_for(self._stopping.wait(), max(0.0, wait_s))
        self._watchdog.stopping()

    def stop(self) -> None:
        """End `run` after the present batch."""
        self._stopping.set()

    def reset(self) -> None:
        """Subscribe again with the next batch, and make the stream again if it is gone."""
        self._subscription = None

    async def step(self) -> int:
        """Take a batch, and acknowledge what of it is stored; how many messages it had. Raises
        nats.errors.Error, SQLAlchemyError: then nothing was acknowledged.
        """
        if time.monotonic() - self._settled_s > min(_SETTLE_S, self._patience_s):
            await asyncio.to_thread(self._store.settle, self._patience_s)
            self._settled_s = time.monotonic()
        subscription = self._subscription or await self._subscribe()
        try:
            messages = await subscription.fetch(BATCH, timeout=_FETCH_S)
        except TimeoutError:
            if self._client.is_connected:
                self.metrics.pending(0)
            return 0
        if messages:
            self.metrics.pending(messages[-1].metadata.num_pending or 0)
        incoming = [(message, one) for message in messages if (one := await self._read(message)) is not None]
        if incoming:
            began = time.monotonic()
            outcome = await asyncio.to_thread(self._stored, [one for _, one in incoming])
            oldest = min(one.arrived for _, one in incoming)
            self.metrics.took(outcome, time.monotonic() - began, (datetime.now(UTC) - oldest).total_seconds())
            await self._answer([message for message, _ in incoming], outcome)
        return len(messages)

    async def _subscribe(self) -> JetStreamContext.PullSubscription:
        if await make_stream(self._js, self._site, replicas=self._replicas):
            await asyncio.to_thread(self._made)
        self._subscription = await self._js.pull_subscribe_bind(CONSUMER, STREAM)
        return self._subscription

    def _made(self) -> None:
        if self._store.has_tables(self._site):
            self._store.notice(Address(self._site, "", ""), "stream-made-again", int(time.time()))

    async def _read(self, message: Msg) -> Incoming | None:
        """The record in a message; None if there is none, which is written down and not delivered again."""
        address = address_of(message.subject)
        why = "its subject is that of no table"
        if address is not None and address.site == self._site:
            try:
                record = decode(message.data)
            except ValueError as error:
                why = str(error)[:200]
            else:
                if record.table == address.table:
                    return Incoming(address, record, message.metadata.timestamp)
                why = "it is of another table than its subject says"
        await asyncio.to_thread(self._unreadable, address or Address(self._site, "", ""), message, why)
        await message.term()
        return None

    def _unreadable(self, address: Address, message: Msg, why: str) -> None:
        self._store.notice(address, "unreadable-message", message.metadata.sequence.stream or 0, more=why)

    def _stored(self, batch: Sequence[Incoming]) -> Outcome:
        """Store a batch. What the database cannot take, whoever has sent it, is left out alone."""
        try:
            return self._store.store(batch)
        except DataError as error:
            if len(batch) == 1:
                self._store.notice(
                    batch[0].address, "unreadable-message", batch[0].message.number, more=_short(error)
                )
                return Outcome([], [], [], [0], 1)
        middle = len(batch) // 2
        first, second = self._stored(batch[:middle]), self._stored(batch[middle:])
        return Outcome(
            first.stored + [middle + key for key in second.stored],
            first.doubles + [middle + key for key in second.doubles],
            first.waiting + [middle + key for key in second.waiting],
            first.refused + [middle + key for key in second.refused],
            first.noticed + second.noticed,
        )

    async def _answer(self, messages: Sequence[Msg], outcome: Outcome) -> None:
        for key in (*outcome.stored, *outcome.doubles, *outcome.waiting):
            await messages[key].ack()
        for key in outcome.refused:
            await messages[key].term()


def _short(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]
