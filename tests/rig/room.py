"""A room for tests: real nats-servers, a real PostgreSQL, uplinks and workers in this process."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from tablebridge.archive.database import migrate, open_database
from tablebridge.archive.store import Store
from tablebridge.archive.worker import Worker
from tablebridge.journal.chain import link
from tablebridge.journal.reader import ChainReader
from tablebridge.sim.room.postgres import Postgres
from tablebridge.sim.room.servers import Cluster
from tablebridge.stream.connection import Credentials, connect
from tablebridge.stream.layout import make_stream
from tablebridge.stream.message import CONSUMER, STREAM, Address
from tablebridge.stream.sealing import Seal, site_key
from tablebridge.uplink.stream import JetStream
from tablebridge.uplink.table import TableUplink

SITE: Final = "main"
_PATIENCE_S: Final = 90.0


class Room:
    """The servers of a room, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cluster = Cluster(folder / "servers")
        self.postgres = Postgres()
        self.key = site_key(folder / "site.key")

    async def start(self) -> None:
        self.cluster.start()
        self.postgres.start()
        self.engine: Engine = open_database(self.postgres.address)
        migrate(self.engine)
        await self.cluster.ready()
        client = await connect(self.cluster.addresses, Credentials("test"))
        await make_stream(client.jetstream(timeout=10), SITE, ack_wait_s=2.0)
        await client.close()

    def stop(self) -> None:
        self.cluster.stop()
        if hasattr(self, "engine"):
            self.engine.dispose()
        self.postgres.stop()

    @asynccontextmanager
    async def link(self) -> AsyncIterator["Link"]:
        client = await connect(self.cluster.addresses, Credentials("test"), wait_s=0.1)
        try:
            yield Link(self, client)
        finally:
            await client.close()

    def rows(self, query: str, **values: object) -> list[tuple[Any, ...]]:
        with self.engine.connect() as db:
            return [tuple(row) for row in db.execute(text(query), values)]

    def found(self, table: str) -> list[tuple[str, int]]:
        """Findings about a table, each with its number."""
        query = "SELECT finding, number FROM site_finding WHERE table_name = :table ORDER BY id"
        return [(finding, number) for finding, number in self.rows(query, table=table)]

    def archived(self, table: str) -> dict[int, list[tuple[int, bytes]]]:
        """By segment the numbers and hashes of the records of a table."""
        query = (
            "SELECT segment_id, number, hash FROM record JOIN played_table ON played_table.id = table_id "
            "WHERE name = :table ORDER BY segment_id, number"
        )
        found: dict[int, list[tuple[int, bytes]]] = {}
        for segment, number, hash_ in self.rows(query, table=table):
            found.setdefault(segment, []).append((number, bytes(hash_)))
        return found


class Link:
    """A connection to the room."""

    def __init__(self, room: Room, client: Client) -> None:
        self.room = room
        self.client = client
        self.js = client.jetstream(timeout=5)
        self.worker = Worker(Store(room.engine), client, SITE)

    def uplink(self, table: str, path: Path, box: str = "box") -> TableUplink:
        noted = path.with_name(f"{path.name}.{box}.position")
        return TableUplink(
            Address(SITE, box, table), path, noted, Seal(self.room.key.public), JetStream(self.js)
        )

    async def send(self, uplink: TableUplink) -> None:
        """Send all that the journal has, however often it fails."""
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            try:
                if not await uplink.step() and uplink.behind == 0:
                    return
            except (nats.errors.Error, TimeoutError, OSError):
                uplink.close()
                await asyncio.sleep(0.05)
        raise AssertionError("the records cannot be sent")

    async def archive(self, worker: Worker | None = None) -> None:
        """Store all that the stream has, however often it fails."""
        until = time.monotonic() + _PATIENCE_S
        quiet = 0
        worker = worker or self.worker
        while time.monotonic() < until:
            try:
                info = await self.js.consumer_info(STREAM, CONSUMER)
                quiet = 0 if info.num_pending or info.num_ack_pending else quiet + 1
                if quiet > 1:
                    return
                await worker.step()
            except (nats.errors.Error, TimeoutError, OSError, SQLAlchemyError):
                worker.reset()
                await asyncio.sleep(0.05)
        raise AssertionError("the records cannot be stored")


def journal_of(path: Path) -> list[tuple[int, bytes]]:
    """Numbers and hashes of the records of a journal."""
    reader = ChainReader(path)
    try:
        return list(_all(reader))
    finally:
        reader.close()


def _all(reader: ChainReader) -> Iterator[tuple[int, bytes]]:
    last = 0
    while rows := reader.after(last, 1000):
        for row in rows:
            yield row.number, row.hash
        last = rows[-1].number


def is_chain(rows: list[tuple[Any, ...]], table: str) -> bool:
    """Whether (number, kind, salt, digest, body as text, hash) in order are a sound chain from its start."""
    before = link(b"", 0, "table", table.encode())
    for number, kind, salt, digest, body, hash_ in rows:
        digest = digest or hashlib.sha256(bytes(salt) + body.encode()).digest()
        if link(before, number, kind, bytes(digest), b"digest") != bytes(hash_):
            return False
        before = bytes(hash_)
    return bool(rows)
