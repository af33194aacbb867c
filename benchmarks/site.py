"""Records per second from journals to PostgreSQL, beside a consumer that does nothing and plain inserts.

Three nats-servers, PostgreSQL and all else are on this machine and share its processors, so the ratios say
more than the figures: `python -m benchmarks.site [TABLES [HANDS]]`.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nats.aio.msg import Msg
from sqlalchemy import Engine, text

from tablebridge.archive.database import migrate, open_database
from tablebridge.archive.store import Store
from tablebridge.archive.worker import Worker
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.postgres import Postgres
from tablebridge.sim.room.servers import Cluster
from tablebridge.stream.connection import Credentials, connect
from tablebridge.stream.layout import make_stream
from tablebridge.stream.message import CONSUMER, STREAM, Address, decode
from tablebridge.stream.sealing import Seal, site_key
from tablebridge.uplink.stream import JetStream
from tablebridge.uplink.table import TableUplink

SITE: Final = "main"
_PLAIN: Final = 2000


async def measured(folder: Path, tables: int, hands: int) -> None:
    """Print what was measured."""
    cluster, postgres = Cluster(folder / "servers"), Postgres()
    try:
        cluster.start()
        postgres.start()
        engine = open_database(postgres.address)
        migrate(engine)
        await cluster.ready()
        client = await connect(cluster.addresses, Credentials("bench"))
        js = client.jetstream(timeout=30)
        await make_stream(js, SITE)
        seal = Seal(site_key(folder / "key").public)
        uplinks = [_dealt(folder, number, hands, seal, JetStream(js)) for number in range(tables)]
        began = time.perf_counter()
        await asyncio.gather(*(_sent(uplink) for uplink in uplinks))
        records = (await js.stream_info(STREAM)).state.messages
        _say("journal to stream, acknowledged by replicas", records, began)
        nothing = await js.pull_subscribe(f"tb.v1.{SITE}.>", durable="nothing", stream=STREAM)
        taken: list[Msg] = []
        began = time.perf_counter()
        while len(taken) < records:
            batch = await nothing.fetch(500, timeout=10)
            for message in batch:
                await message.ack()
            taken += batch
        idle_s = _say("consumer that does nothing", records, began)
        plain = await asyncio.to_thread(_inserted, engine, taken[:_PLAIN])
        worker = Worker(Store(engine), client, SITE)
        began = time.perf_counter()
        while (await js.consumer_info(STREAM, CONSUMER)).num_pending:
            await worker.step()
        archive_s = _say("one archive worker, chain checked", records, began)
        rate = records / archive_s
        print(f"archive to consumer that does nothing: {idle_s / archive_s:.2f}")
        print(f"archive to plain inserts with a commit each: {rate / plain:.1f}")
        with engine.connect() as db:
            size = db.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        stored = (await js.stream_info(STREAM)).state.bytes
        print(f"bytes a record: {stored / records:.0f} in the stream, {size / records:.0f} in the database")
        await client.close()
        engine.dispose()
    finally:
        cluster.stop()
        postgres.stop()


def _dealt(folder: Path, number: int, hands: int, seal: Seal, stream: JetStream) -> TableUplink:
    """The uplink of a table at which these hands were dealt."""
    path = folder / f"t{number}.sqlite"
    table = DealtTable(path, f"t{number}", number)
    table.deal(hands)
    table.close()
    address = Address(SITE, f"box{number}", f"t{number}")
    return TableUplink(address, path, path.with_suffix(".position"), seal, stream)


async def _sent(uplink: TableUplink) -> None:
    while await uplink.step():
        pass
    uplink.close()


def _inserted(engine: Engine, messages: Sequence[Msg]) -> float:
    """Rows per second of plain inserts, each with its commit."""
    with engine.begin() as db:
        db.execute(text("CREATE TABLE plain (number bigint, hash bytea, body json)"))
    statement = text("INSERT INTO plain VALUES (:number, :hash, :body)")
    began = time.perf_counter()
    with engine.connect() as db:
        for message in messages:
            record = decode(message.data)
            body = bytes(record.body).decode()
            db.execute(statement, {"number": record.number, "hash": record.hash, "body": body})
            db.commit()
    return len(messages) / _say("plain inserts, a commit each", len(messages), began)


def _say(what: str, records: int, began: float) -> float:
    took_s = time.perf_counter() - began
    print(f"{what}: {records} records in {took_s:.1f} s, {records / took_s:.0f}/s", flush=True)
    return took_s


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]]
    with tempfile.TemporaryDirectory(prefix="tb-bench-") as name:
        asyncio.run(measured(Path(name), *(arguments or [20])[:1], *(arguments[1:] or [40])))
