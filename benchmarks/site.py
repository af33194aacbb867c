"""A room of many tables: how late a record is at the speed of life, and how fast records go at all.

Three nats-servers that write each message to the disk, PostgreSQL, twenty uplinks and the archive workers are
on this machine and share its processors, so the ratios say more than the figures. The hands were dealt once
(`benchmarks.many.journals`).
"""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import psutil
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from sqlalchemy import Engine, text

from benchmarks.figures import Figure, Options, Say, percentile
from benchmarks.many import watching
from benchmarks.many.journals import Life, dealt_hands
from tablebridge.sim.room.whole import WholeRoom
from tablebridge.stream.message import STREAM, decode

TABLES: Final = 1000
QUICK_TABLES: Final = 40
BOXES: Final = 20
QUICK_BOXES: Final = 2
WORKERS: Final = 2
LIFE_S, QUICK_S = 90.0, 8.0
WAIT_S: Final = 600.0
_SOURCES: Final = 8
_HANDS: Final = 2
_PLAIN: Final = 1000
BYTES: Final = text(
    "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'record'::regclass"
)
"""Bytes of all records with their indexes."""


def run(options: Options, say: Say) -> list[Figure]:
    tables = options.tables[0] if options.tables else QUICK_TABLES if options.quick else TABLES
    seconds = QUICK_S if options.quick else LIFE_S
    with tempfile.TemporaryDirectory(prefix="tb-bench-") as folder:
        say("site: hands are dealt, and a room is started")
        dealt = [dealt_hands(_HANDS, seed) for seed in range(2 if options.quick else _SOURCES)]
        boxes = min(QUICK_BOXES if options.quick else BOXES, tables)
        with room_of(Path(folder), tables, boxes) as room:
            life = Life({table: room.journal(table) for table in room.tables}, dealt)
            try:
                watching.wait_for_processes(room, say, WAIT_S)
                figures = _life(room, life, seconds, say) + _fast(room, life, say)
            finally:
                life.close()
            proof = watching.proof(room, room.catch_up(WAIT_S))
    figures.append(Figure("records lost or doubled, unsound chains, findings", sum(proof), "", limit=0))
    named = f"{tables} tables, {boxes} uplinks, {WORKERS} workers"
    return [msgspec.structs.replace(figure, name=f"{named}: {figure.name}") for figure in figures]


def room_of(folder: Path, tables: int, boxes: int, cut: Sequence[str] = ()) -> WholeRoom:
    """A room whose database knows when it committed what."""
    settings = [watching.COMMIT_TIMES]
    return WholeRoom(folder, tables=tables, boxes=boxes, workers=WORKERS, cut=cut, settings=settings)


def _life(room: WholeRoom, life: Life, seconds: float, say: Say) -> list[Figure]:
    watching.wait_for_archive(room, life.records, say, WAIT_S)
    before, recorded = watching.costs(room), life.records
    began = time.monotonic()
    life.play(seconds, say)
    took_s = time.monotonic() - began
    after = watching.costs(room)
    rate = (life.records - recorded) / took_s
    watching.wait_for_archive(room, life.records, say, WAIT_S)
    delays = watching.delays_s(room, life.committed)
    percents = [
        Figure(
            f"{part}, at life speed", 100 * (after[part].cpu_s - before[part].cpu_s) / took_s, "% of a core"
        )
        for part in after
    ]
    return [
        Figure("records at life speed", rate, "records/s"),
        Figure("journal commit to row, p50", percentile(delays, 50) * 1000, "ms"),
        Figure("journal commit to row, p99", percentile(delays, 99) * 1000, "ms"),
        Figure("the dealing itself was late by at most", life.late_s * 1000, "ms"),
        *percents,
    ]


def _fast(room: WholeRoom, life: Life, say: Say) -> list[Figure]:
    before = life.records
    uplinks = [psutil.Process(room.pid(name)) for name in room.processes if name.startswith("uplink")]
    workers = [name for name in room.processes if name.startswith("archive")]
    for name in workers:
        room.kill(name)
    for uplink in uplinks:
        uplink.suspend()
    life.rest()
    for uplink in uplinks:
        uplink.resume()
    records = life.records
    sent_s, size = watching.wait_for_stream(room, records, say, WAIT_S)
    nothing_s, taken = _nothing(room, records, say)
    plain = _inserted(room.engine, taken)
    began = time.time()
    for number in range(len(workers)):
        room.start_worker(number)
    watching.wait_for_archive(room, records, say, WAIT_S)
    stored = watching.stored_since(room, began)
    with room.engine.connect() as db:
        rows = db.execute(BYTES).scalar_one()
    rate = stored.records / stored.seconds
    nothing = "a consumer that does nothing"
    one = "one insert and commit each"
    idle = records / nothing_s
    return [
        Figure("journals to stream", (records - before) / sent_s, "records/s"),
        Figure("stream to rows", rate, "records/s", nothing, idle, better="higher"),
        Figure("stream to rows, beside plain inserts", rate, "records/s", one, plain, better="higher"),
        Figure("a record in the stream, each replica", size / records, "bytes"),
        Figure("a record in the database, with indexes", float(rows) / records, "bytes"),
    ]


def _nothing(room: WholeRoom, records: int, say: Say) -> tuple[float, list[Msg]]:
    """How long a consumer that only acknowledges takes for all records, and the first of them."""
    taken: list[Msg] = []
    took: list[float] = []

    async def consumed(js: JetStreamContext) -> None:
        nothing = await js.pull_subscribe("", durable="nothing", stream=STREAM)
        began = time.monotonic()
        count = 0
        while count < records:
            batch = await nothing.fetch(500, timeout=10)
            for message in batch:
                await message.ack()
            taken.extend(batch[: max(0, _PLAIN - len(taken))])
            count += len(batch)
            say(f"{count} of {records} records by a consumer that does nothing")
        took.append(time.monotonic() - began)

    asyncio.run(watching.with_stream(room, consumed))
    return took[0], taken


def _inserted(engine: Engine, messages: Sequence[Msg]) -> float:
    """Rows per second of plain inserts, each with its commit."""
    with engine.begin() as db:
        db.execute(text("CREATE TABLE plain (number bigint, hash bytea, body json)"))
    statement = text("INSERT INTO plain VALUES (:number, :hash, :body)")
    began = time.monotonic()
    with engine.connect() as db:
        for message in messages:
            record = decode(message.data)
            body = bytes(record.body).decode()
            db.execute(statement, {"number": record.number, "hash": record.hash, "body": body})
            db.commit()
    return len(messages) / (time.monotonic() - began)
