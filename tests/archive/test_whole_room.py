"""A whole room with all its processes, as `tablebridge site demo` starts it, while parts of it are killed."""

import itertools
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from rig.wait import wait_for

from tablebridge.archive.verifying import verified
from tablebridge.journal.reader import ChainReader
from tablebridge.settings.state import UPLINK_POSITION
from tablebridge.sim.room.whole import WholeRoom
from tablebridge.uplink.position import load_position

pytestmark = [pytest.mark.timeout(300), pytest.mark.slow]
Fault = tuple[Callable[[], object], Callable[[], object]]
"""What goes wrong, and how it ends."""
SEEDS = (1, 2)


def faults(room: WholeRoom) -> list[Fault]:
    """Every fault once."""
    links = room.links["box-1"]
    nodes: list[Fault] = [
        (lambda node=node: room.cluster.kill(node), lambda node=node: room.cluster.start_node(node))  # type: ignore[misc]
        for node in range(3)
    ]
    return [
        *nodes,
        (lambda: room.kill("archive-0"), lambda: room.start_worker(0)),
        (lambda: room.kill("uplink-box-2"), lambda: room.start_uplink("box-2")),
        (links.cut, links.restore),
        (lambda: None, room.postgres.restart),
    ]


def noted(room: WholeRoom, table: str) -> bool:
    """Whether the box of a table has noted that the room has all of its records."""
    journal = room.journal(table)
    position = load_position(UPLINK_POSITION.path(journal.parents[1], table))
    reader = ChainReader(journal)
    try:
        return position is not None and position.number == reader.last
    finally:
        reader.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_or_doubled_whatever_fails_in_whatever_order(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    with WholeRoom(tmp_path, tables=5, boxes=2, workers=2, cut=["box-1"]) as room:
        dealing = room.deal()
        planned = faults(room)
        rng.shuffle(planned)
        for begin, end in planned:
            for _ in itertools.islice(dealing, rng.randrange(20, 120)):
                pass
            begin()
            for _ in itertools.islice(dealing, rng.randrange(20, 120)):
                pass
            end()
        count = room.catch_up()
        segments = list(verified(room.engine))
        wait_for(lambda: all(noted(room, table) for table in room.tables), "what was sent is noted", 20)
    assert count.recorded > 500
    assert (count.archived, count.doubled, count.findings) == (count.recorded, 0, 0)
    assert sum(segment.records for segment in segments) == count.recorded
    assert {(segment.unsound, segment.missing) for segment in segments} == {(0, False)}
