"""The retained messages of a table, made from what is folded, and the way in which it is folded at the start."""

import heapq
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tablebridge.app.floor_calls import FloorCalls
from tablebridge.app.lines import Lines
from tablebridge.bus import topics
from tablebridge.bus.messages import with_lines
from tablebridge.bus.topics import Topic
from tablebridge.engine.table import Table
from tablebridge.engine.views import public_view, staff_view, with_reads
from tablebridge.floor.alerts import Alerts
from tablebridge.journal.store import Journal, Record, Row, Tick
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.presence import SeatRead
from tablebridge.model.views import Turn
from tablebridge.sensing.sensor import Sensor

Messages = list[tuple[Topic, Any]]


def pictures(
    table: Table, calls: FloorCalls, lines: Lines, reads: Mapping[int, SeatRead], at: Instant, rev: int
) -> Messages:
    """What staff and public see. `at`, `rev`: when the state was true, and of which row of the journal."""
    staff = with_reads(staff_view(table, at, rev), reads)
    return [
        (topics.STATE, with_lines(staff, lines.shown(), calls.questions())),
        (topics.PUBLIC_STATE, with_reads(public_view(table, at, rev), reads)),
    ]


def open_alerts(alerts: Alerts, rev: int) -> Messages:
    """All alerts that are not closed, for persons and for lights."""
    return [(topics.ALERTS, alerts.message(rev)), (topics.SIGNAL, alerts.worst())]


def turn_of(table: Table) -> Turn:
    """Whose turn it is."""
    return Turn(table.turn, table.acting, 0 if table.acting is None else table.to_call(table.acting))


def records_again(
    journal: Journal, since: int, sensor: Sensor, expectation: Callable[[], Expectation]
) -> Iterator[Record]:
    """The records of the journal in order. Between them the readings from number `since` on are fed to
    sensing again; what they led to is among the records.
    """
    rows: Iterator[Record | Row] = heapq.merge(
        journal.records(), journal.readings(since), key=lambda row: row.number
    )
    for row in rows:
        if not isinstance(row, Row):
            yield row
        elif isinstance(row.row, Tick):
            sensor.due(row.row.at, expectation())
        else:
            sensor.update(row.row.stamped, expectation())
