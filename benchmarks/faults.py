"""A room of many tables while its parts fail, one after the other: what is lost, and how long until all of it
is in the database again.

Hands go on at the speed of life while something is gone. When it is back, dealing waits until the database
has all that the journals have: that time is given.
"""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from benchmarks.figures import Figure, Options, Say
from benchmarks.many import watching
from benchmarks.many.journals import Life, dealt_hands
from benchmarks.site import BOXES, WAIT_S, room_of
from tablebridge.sim.room.links import Links
from tablebridge.sim.room.servers import NODES
from tablebridge.sim.room.whole import WholeRoom

T = TypeVar("T")
TABLES: Final = 1000
QUICK_TABLES: Final = 10
QUICK_BOXES: Final = 5
_CUT_SHARE: Final = 10
"""The links of a tenth of the tables are cut: a hundred of a thousand."""
_HANDS: Final = 4


class Fault(NamedTuple):
    """Something that fails for `seconds`."""

    name: str
    seconds: float
    begin: Callable[[], object]
    end: Callable[[], object]


def run(options: Options, say: Say) -> list[Figure]:
    tables = options.tables[0] if options.tables else QUICK_TABLES if options.quick else TABLES
    boxes = min(QUICK_BOXES if options.quick else BOXES, tables)
    cut = [f"box-{number + 1}" for number in range(max(1, boxes // _CUT_SHARE))]
    scale = 0.1 if options.quick else 1.0
    with tempfile.TemporaryDirectory(prefix="tb-bench-") as folder:
        say("faults: hands are dealt, and a room is started")
        dealt = [dealt_hands(_HANDS, seed) for seed in range(4)]
        with room_of(Path(folder), tables, boxes, cut) as room:
            life = Life({table: room.journal(table) for table in room.tables}, dealt)
            try:
                watching.wait_for_processes(room, say, WAIT_S)
                figures = [_struck(room, life, fault, scale, say) for fault in _faults(room, cut)]
            finally:
                life.close()
            proof = watching.proof(room, room.catch_up(WAIT_S))
    return [
        *figures,
        Figure(f"records of {tables} tables meanwhile", life.records, "records"),
        Figure("lost", proof.lost, "records", limit=0),
        Figure("doubled", proof.doubled, "records", limit=0),
        Figure("chains that do not hold", proof.unsound, "chains", limit=0),
        Figure("findings about records", proof.findings, "findings", limit=0),
    ]


def _faults(room: WholeRoom, cut: list[str]) -> list[Fault]:
    def each(what: Callable[[T], None], things: Iterable[T]) -> None:
        for thing in things:
            what(thing)

    workers = [name for name in room.processes if name.startswith("archive")]
    half = range(max(1, len(workers) // 2))
    links = [room.links[box] for box in cut]
    nodes = [
        Fault(
            f"nats-server {node + 1} of {NODES} is killed",
            10.0,
            lambda node=node: room.cluster.kill(node),  # type: ignore[misc]
            lambda node=node: room.cluster.start_node(node),  # type: ignore[misc]
        )
        for node in range(NODES)
    ]
    return [
        *nodes,
        Fault("PostgreSQL is ended as by a crash", 0.0, room.postgres.restart, lambda: None),
        Fault(
            f"{len(half)} of {len(workers)} workers killed",
            10.0,
            lambda: each(lambda number: room.kill(f"archive-{number}"), half),
            lambda: each(room.start_worker, half),
        ),
        Fault(
            f"the links of {len(cut)} of {len(room.processes) - len(workers)} boxes are cut",
            60.0,
            lambda: each(Links.cut, links),
            lambda: each(Links.restore, links),
        ),
    ]


def _struck(room: WholeRoom, life: Life, fault: Fault, scale: float, say: Say) -> Figure:
    say(f"faults: {fault.name}")
    life.play(5.0 * scale, say)
    fault.begin()
    life.play(fault.seconds * scale, say)
    fault.end()
    took_s = watching.wait_for_archive(room, life.records, say, WAIT_S)
    down = f", for {fault.seconds * scale:g} s" if fault.seconds else ""
    return Figure(f"{fault.name}{down}: all is there again after", took_s, "s")
