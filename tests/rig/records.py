"""The messages of a journal, as its uplink makes them, and a database that takes them without a stream."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from nats.js.api import PubAck
from sqlalchemy import Engine, text

from tablebridge.archive.store import Incoming, Outcome, Store
from tablebridge.stream.message import Address, RecordMessage, decode
from tablebridge.stream.sealing import Seal, site_key
from tablebridge.uplink.table import TableUplink

SITE = "main"


class Collected:
    """A stream that keeps what it was given."""

    def __init__(self) -> None:
        self.payloads: list[bytes] = []

    async def publish(self, subject: str, payload: bytes, stream: str, headers: Mapping[str, str]) -> PubAck:
        self.payloads.append(payload)
        return PubAck(stream, len(self.payloads))

    async def last(self, subject: str) -> RecordMessage | None:
        return None


def messages_of(path: Path, table: str, box: str = "box") -> list[RecordMessage]:
    """All messages of a journal."""
    stream = Collected()
    seal = Seal(site_key(path.with_name("site.key")).public)
    noted = path.with_name(f"{path.name}.noted")
    uplink = TableUplink(Address(SITE, box, table), path, noted, seal, stream)

    async def sent() -> None:
        while await uplink.step():
            pass

    asyncio.run(sent())
    uplink.forget()
    return [decode(payload) for payload in stream.payloads]


class Kept:
    """A database, asked and filled."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.store = Store(engine)

    def put(self, messages: list[RecordMessage], days_ago: int = 0, box: str = "box") -> Outcome:
        """Store messages that came into the stream this number of days ago."""
        arrived = datetime.now(UTC) - timedelta(days=days_ago)
        sent = int(arrived.timestamp() * 1e9)
        incoming = [
            Incoming(Address(SITE, box, one.table), replace(one, sent_wall_ns=sent), arrived)
            for one in messages
        ]
        return self.store.store(incoming)

    def rows(self, query: str, **values: object) -> list[tuple[Any, ...]]:
        with self.engine.connect() as db:
            return [tuple(row) for row in db.execute(text(query), values)]

    def numbers(self, table: str) -> list[int]:
        """The numbers of the records that are there."""
        query = (
            "SELECT number FROM record JOIN played_table ON played_table.id = table_id "
            "WHERE name = :table ORDER BY number"
        )
        return [number for (number,) in self.rows(query, table=table)]

    def found(self, table: str) -> list[tuple[str, int]]:
        """Findings about a table, each with its number."""
        query = "SELECT finding, number FROM site_finding WHERE table_name = :table ORDER BY id"
        return [(finding, number) for finding, number in self.rows(query, table=table)]
