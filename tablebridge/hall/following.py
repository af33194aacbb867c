"""Following the bucket of pictures: one short-lived consumer, which is made again whenever it is not trusted.

It delivers the last picture of each table and then every new one, each with the next number. It is given up
when a number is missing, or when neither a picture nor a heartbeat of the server came in time; the next one
begins with the last pictures again, so nothing is lost by it.
"""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from tablebridge.backoff import Backoff
from tablebridge.hall.tables import Tables
from tablebridge.model.errors import ConfigError
from tablebridge.stream.connection import Credentials, close, connect
from tablebridge.stream.pictures import PICTURES, make_bucket, place_of

_HEARTBEAT_S: Final = 2.0
_SILENT_S: Final = 3 * _HEARTBEAT_S
_FORGOTTEN_S: Final = 30.0
_TIMEOUT_S: Final = 5.0
_log: Final = logging.getLogger(__name__)


class _Untrusted(Exception):
    """The consumer has left something out."""


class Follower:
    """Keeps `tables` up to date from the bucket, for ever. `replicas`: of a bucket that has to be made.
    `client`: the present connection to the servers, None while there is none.
    """

    def __init__(
        self, tables: Tables, servers: Sequence[str], credentials: Credentials, replicas: int = 3
    ) -> None:
        self.client: Client | None = None
        self._tables = tables
        self._servers = servers
        self._credentials = credentials
        self._replicas = replicas

    async def run(self) -> None:
        """Until it is cancelled."""
        backoff = Backoff(random.random)
        while True:
            try:
                client = await connect(self._servers, self._credentials, lasting=False)
            except (ConfigError, nats.errors.Error, TimeoutError, OSError) as error:
                await self._failed(backoff, error)
                continue
            self.client = client
            try:
                await self._follow(client, backoff)
            except (nats.errors.Error, TimeoutError, OSError, _Untrusted) as error:
                await self._failed(backoff, error)
            finally:
                self.client = None
                await close(client)

    async def _failed(self, backoff: Backoff, error: Exception) -> None:
        self._tables.servers(False)
        _log.warning("live pictures cannot be followed: %s", str(error) or type(error).__name__)
        backoff.failed(time.monotonic())
        await asyncio.sleep(max(0.0, backoff.due_s - time.monotonic()))

    async def _follow(self, client: Client, backoff: Backoff) -> None:
        """Take what one consumer delivers. Raises nats.errors.Error, TimeoutError, OSError, _Untrusted."""
        js = client.jetstream(timeout=_TIMEOUT_S)
        await make_bucket(js, replicas=self._replicas)
        inbox = client.new_inbox()
        heard = await client.subscribe(inbox)
        self._tables.begin()
        await js.add_consumer(
            PICTURES,
            ConsumerConfig(
                name=f"pages-{secrets.token_hex(8)}",
                deliver_subject=inbox,
                deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
                filter_subject=">",
                ack_policy=AckPolicy.NONE,
                idle_heartbeat=_HEARTBEAT_S,
                inactive_threshold=_FORGOTTEN_S,
                num_replicas=1,
                mem_storage=True,
            ),
        )
        self._tables.servers(True)
        taken = 0
        while True:
            message = await heard.next_msg(timeout=_SILENT_S)
            if message.headers and message.headers.get("Status"):
                if int(message.headers.get("Nats-Last-Consumer", taken)) != taken:
                    raise _Untrusted("pictures were left out")
                continue
            if message.metadata.sequence.consumer != taken + 1:
                raise _Untrusted("pictures were left out")
            taken += 1
            self._take(message)
            backoff.worked()

    def _take(self, message: Msg) -> None:
        place = place_of(message.subject)
        if place is None:
            return
        metadata = message.metadata
        age_s = (datetime.now(UTC) - metadata.timestamp).total_seconds()
        self._tables.take(place, message.data, metadata.sequence.stream, age_s)
