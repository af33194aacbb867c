"""What a table costs in a room of 1, 10, 100 and 1,000 of them.

Processor time is that of all processes of a part, from the moment at which whole hands are in the journals to
that at which they are rows. A box has fifty tables at most here; each uplink looks into each of its journals
four times a second, which is what an idle table costs.
"""

import tempfile
import time
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.figures import Figure, Options, Say
from benchmarks.many import watching
from benchmarks.many.journals import HAND_S, Life, dealt_hands, records_of
from benchmarks.site import BYTES, WAIT_S, room_of
from tablebridge.sim.room.whole import WholeRoom

SIZES: Final = (1, 10, 100, 1000)
QUICK_SIZES: Final = (1, 10)
_OF_BOX: Final = 50
_RECORDS: Final = 4000
_IDLE_S, _QUICK_IDLE_S = 10.0, 3.0
_NIGHT_S: Final = 10 * 3600.0


def run(options: Options, say: Say) -> list[Figure]:
    sizes = options.tables or (QUICK_SIZES if options.quick else SIZES)
    return [figure for tables in sizes for figure in _measured(tables, options.quick, say)]


def _measured(tables: int, quick: bool, say: Say) -> list[Figure]:
    hands = max(1, _RECORDS // (45 * tables) // (4 if quick else 1))
    dealt = [dealt_hands(hands, seed) for seed in range(min(tables, 2))]
    boxes = -(-tables // _OF_BOX)
    with tempfile.TemporaryDirectory(prefix="tb-bench-") as folder:
        say(f"growth: a room of {tables} tables is started")
        with room_of(Path(folder), tables, boxes) as room:
            life = Life({table: room.journal(table) for table in room.tables}, dealt)
            try:
                watching.wait_for_processes(room, say, WAIT_S)
                figures, in_stream, in_database = _costs(room, life, say, _QUICK_IDLE_S if quick else _IDLE_S)
            finally:
                life.close()
    night = _NIGHT_S / HAND_S * records_of(dealt[0]) / hands / 1e6
    named = [
        *figures,
        Figure("a night of ten hours in the stream, each replica", in_stream * night, "MB"),
        Figure("a night of ten hours in the database, with indexes", in_database * night, "MB"),
    ]
    return [msgspec.structs.replace(figure, name=f"{tables} tables: {figure.name}") for figure in named]


def _costs(room: WholeRoom, life: Life, say: Say, idle_s: float) -> tuple[list[Figure], float, float]:
    """The costs, and the bytes of a record in stream and database."""
    watching.wait_for_archive(room, life.records, say, WAIT_S)
    before, recorded = watching.costs(room), life.records
    time.sleep(idle_s)
    idle = watching.costs(room)
    life.rest()
    _, size = watching.wait_for_stream(room, life.records, say, WAIT_S)
    watching.wait_for_archive(room, life.records, say, WAIT_S)
    after = watching.costs(room)
    with room.engine.connect() as db:
        rows = float(db.execute(BYTES).scalar_one())
    looking = 100 * (idle["uplink"].cpu_s - before["uplink"].cpu_s) / idle_s / len(room.tables)
    figures = [
        Figure(
            f"{part}, 1,000 records",
            1000 * (after[part].cpu_s - idle[part].cpu_s) / (life.records - recorded),
            "CPU s",
        )
        for part in after
    ]
    figures += [
        Figure("uplink, an idle table", looking, "% of a core"),
        Figure("uplinks, memory", after["uplink"].mb, "MB"),
        Figure("archive workers, memory", after["archive"].mb, "MB"),
    ]
    return figures, size / life.records, rows / life.records
