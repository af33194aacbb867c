"""A whole room with all its processes, as `tablebridge site demo` starts it, while some are killed."""

import itertools
from pathlib import Path

import pytest

from tablebridge.sim.room.whole import WholeRoom

pytestmark = [pytest.mark.timeout(300), pytest.mark.slow]


def test_nothing_is_lost_or_doubled_while_workers_uplinks_and_servers_are_killed(tmp_path: Path) -> None:
    with WholeRoom(tmp_path, tables=4, boxes=2, workers=2) as room:
        dealing = room.deal()
        for killed, again in (
            (lambda: room.kill("archive-0"), lambda: room.start_worker(0)),
            (lambda: room.kill("uplink-box-1"), lambda: room.start_uplink("box-1")),
            (lambda: room.cluster.kill(0), lambda: room.cluster.start_node(0)),
            (lambda: None, room.postgres.restart),
        ):
            for _ in itertools.islice(dealing, 150):
                pass
            killed()
            for _ in itertools.islice(dealing, 150):
                pass
            again()
        count = room.catch_up()
    assert count.recorded > 1000
    assert (count.archived, count.doubled, count.findings) == (count.recorded, 0, 0)
