"""What is measured of a room that runs: processor time, memory, bytes, and how late records are."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, NamedTuple

import psutil
from nats.aio.client import RawCredentials
from nats.js import JetStreamContext
from sqlalchemy import text

from benchmarks.figures import Say
from tablebridge.archive.verifying import verified
from tablebridge.sim.room.whole import Count, WholeRoom
from tablebridge.stream.claims import Rights
from tablebridge.stream.connection import Credentials, connect
from tablebridge.stream.message import STREAM

_EVERY_S: Final = 0.25
_STORED: Final = text(
    "SELECT p.name, r.number, extract(epoch FROM pg_xact_commit_timestamp(r.xmin))::float8 AS at "
    "FROM record r JOIN played_table p ON p.id = r.table_id"
)
COMMIT_TIMES: Final = "track_commit_timestamp=on"
"""The setting of PostgreSQL without which nobody knows when a row was there."""


class Cost(NamedTuple):
    """Processor seconds so far and resident megabytes now of some processes."""

    cpu_s: float
    mb: float


def cost(pids: Iterable[int]) -> Cost:
    """Of these processes."""
    cpu_s, mb = 0.0, 0.0
    for pid in pids:
        process = psutil.Process(pid)
        cpu_s += sum(process.cpu_times()[:2])
        mb += process.memory_info().rss / 1e6
    return Cost(cpu_s, mb)


def costs(room: WholeRoom) -> dict[str, Cost]:
    """By part of the room. PostgreSQL's memory is not given: its processes share most of it."""
    names = room.processes
    server = psutil.Process(room.postgres.pid)
    database = cost([server.pid, *(child.pid for child in server.children())])
    return {
        "uplink": cost(room.pid(name) for name in names if name.startswith("uplink")),
        "archive": cost(room.pid(name) for name in names if name.startswith("archive")),
        "nats-servers": cost(room.cluster.pids),
        "PostgreSQL": Cost(database.cpu_s, 0.0),
    }


async def with_stream(room: WholeRoom, ask: Callable[[JetStreamContext], Awaitable[None]]) -> None:
    """Call and await this with the stream of the room, with all rights."""
    own = room.authority.credentials("bench", Rights([">"], [">"]))
    client = await connect(room.cluster.addresses, Credentials("bench", RawCredentials(own)))
    try:
        await ask(client.jetstream(timeout=30))
    finally:
        await client.close()


def wait_for_stream(room: WholeRoom, messages: int, say: Say, seconds: float) -> tuple[float, int]:
    """Wait until the stream holds this number of messages; how long that took, and their bytes. Raises
    TimeoutError.
    """
    began = time.monotonic()
    found: list[int] = []

    async def waited(js: JetStreamContext) -> None:
        while time.monotonic() - began < seconds:
            state = (await js.stream_info(STREAM)).state
            say(f"{state.messages} of {messages} records are in the stream")
            if state.messages >= messages:
                found.append(state.bytes)
                return
            await asyncio.sleep(_EVERY_S)
        raise TimeoutError(f"the stream does not get {messages} records in {seconds:.0f} s")

    asyncio.run(with_stream(room, waited))
    return time.monotonic() - began, found[0]


def wait_for_archive(room: WholeRoom, records: int, say: Say, seconds: float) -> float:
    """Wait until the database holds this number of records; how long that took. Raises TimeoutError."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        with room.engine.connect() as db:
            archived = db.execute(text("SELECT count(*) FROM record")).scalar_one()
        say(f"{archived} of {records} records are in the database")
        if archived >= records:
            return time.monotonic() - began
        time.sleep(_EVERY_S)
    raise TimeoutError(f"the archive does not get {records} records in {seconds:.0f} s")


class Stored(NamedTuple):
    """What was stored since some moment: how many `records`, in how many `seconds` from the first commit to
    the last.
    """

    records: int
    seconds: float


def stored_since(room: WholeRoom, wall_s: float) -> Stored:
    """What was stored since this moment of the wall clock."""
    counted = f"SELECT count(*), max(at) - min(at) FROM ({_STORED.text}) AS stored WHERE at > :since"
    with room.engine.connect() as db:
        records, seconds = db.execute(text(counted), {"since": wall_s}).one()
    return Stored(records, float(seconds or 0.0))


def wait_for_processes(room: WholeRoom, say: Say, seconds: float) -> None:
    """Wait until each process of archive and boxes is connected. Raises TimeoutError."""
    began = time.monotonic()
    waiting = set(room.processes)
    while waiting:
        waiting = {name for name in waiting if not psutil.Process(room.pid(name)).net_connections("tcp")}
        say(f"{len(waiting)} processes are not connected yet")
        if time.monotonic() - began > seconds:
            raise TimeoutError(f"not connected after {seconds:.0f} s: {', '.join(sorted(waiting))}")
        time.sleep(_EVERY_S)


def delays_s(room: WholeRoom, committed: Mapping[tuple[str, int], float]) -> list[float]:
    """Seconds from the commit of a journal to that of the row, for each last record of a transaction."""
    with room.engine.connect() as db:
        stored = {(name, number): at for name, number, at in db.execute(_STORED)}
    return sorted(stored[key] - at for key, at in committed.items() if key in stored)


class Proof(NamedTuple):
    """What was found in the end: records lost and doubled, segments whose chain does not hold, findings."""

    lost: int
    doubled: int
    unsound: int
    findings: int


def proof(room: WholeRoom, count: Count) -> Proof:
    """Count again, and verify every chain."""
    unsound = sum(bool(segment.unsound or segment.missing) for segment in verified(room.engine))
    return Proof(count.recorded - count.archived, count.doubled, unsound, count.findings)
