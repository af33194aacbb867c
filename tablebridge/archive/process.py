"""The process `tablebridge archive`: a worker, from its connections to its end."""

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Final

import nats.errors
from nats.aio.client import Client
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from tablebridge.archive.database import check_version
from tablebridge.archive.metrics import ArchiveMetrics
from tablebridge.archive.store import Store
from tablebridge.archive.worker import Worker
from tablebridge.stream.connection import Credentials, check_servers, close, connect

_PATIENCE_S: Final = 60.0
"""How long servers and database are waited for at the start; after that the unit starts it again."""
_log: Final = logging.getLogger(__name__)


class ArchiveProcess:
    """A worker for this site. Raises ConfigError."""

    def __init__(
        self, engine: Engine, site: str, servers: Sequence[str], credentials: Credentials, replicas: int
    ) -> None:
        check_servers(servers)
        self._engine = engine
        self._site = site
        self._servers = servers
        self._credentials = credentials
        self._replicas = replicas
        self.metrics = ArchiveMetrics()

    def run(self) -> None:
        """Until SIGTERM or SIGINT. Raises ConfigError; nats.errors.Error, SQLAlchemyError, OSError if servers
        or database do not answer for a minute.
        """
        asyncio.run(self._run())

    async def _run(self) -> None:
        client = await self._begun()
        try:
            worker = Worker(Store(self._engine), client, self._site, self.metrics, replicas=self._replicas)
            await worker.run()
        finally:
            await close(client)
            self._engine.dispose()

    async def _begun(self) -> Client:
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                await asyncio.to_thread(check_version, self._engine)
                return await connect(self._servers, self._credentials)
            except (OSError, TimeoutError, nats.errors.Error, SQLAlchemyError) as error:
                self.metrics.passed(is_up=False)
                if time.monotonic() > until:
                    raise
                _log.warning("not yet: %s", (str(error) or type(error).__name__).splitlines()[0][:200])
                await asyncio.sleep(1.0)
