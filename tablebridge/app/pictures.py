"""The retained messages of a table, made from what is folded."""

from collections.abc import Mapping
from typing import Any

import msgspec

from tablebridge.app.folded import FoldedTable
from tablebridge.bus import topics
from tablebridge.bus.messages import MOST_ALERTS, active_alerts, open_calls, with_lines
from tablebridge.bus.topics import Topic
from tablebridge.engine.table import Table
from tablebridge.engine.views import public_view, staff_view, with_reads
from tablebridge.floor.inhibition import worst
from tablebridge.model.presence import SeatRead
from tablebridge.model.views import Turn

Messages = list[tuple[Topic, Any]]


def pictures(folded: FoldedTable, reads: Mapping[int, SeatRead], rev: int) -> Messages:
    """What staff and public see. `rev`: the row of the journal that the pictures show."""
    table, at = folded.table, folded.changed_at
    notices, facts = folded.notices.shown(), folded.facts.shown()
    view = staff_view(table, at, rev, notices=notices.notices, facts=facts)
    staff = with_reads(msgspec.structs.replace(view, more_notices=notices.more), reads)
    return [
        (topics.STATE, with_lines(staff, folded.lines.shown(), folded.calls.questions())),
        (topics.PUBLIC_STATE, with_reads(public_view(table, at, rev), reads)),
    ]


def open_alerts(folded: FoldedTable, rev: int) -> Messages:
    """All alerts that are not closed, with what is out of service, for persons; what remains for lights and
    notifications.
    """
    alerts, out = folded.alerts, folded.service.out()
    shown = alerts.active()
    message = active_alerts(shown[:MOST_ALERTS], len(shown), rev, out)
    standing = folded.standing()
    return [
        (topics.ALERTS, message),
        (topics.CALLS, open_calls(standing, len(standing), rev)),
        (topics.SIGNAL, worst(shown, folded.hidden())),
    ]


def turn_of(table: Table) -> Turn:
    """Whose turn it is."""
    return Turn(table.turn, table.acting, 0 if table.acting is None else table.to_call(table.acting))
