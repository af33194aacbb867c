"""What happened to alerts, read from the record backwards, a bounded number of records at a time."""

from collections.abc import Iterable
from typing import Final

from tablebridge.bus.messages import MOST_EVENTS
from tablebridge.floor.alerts import is_alerting
from tablebridge.journal.records import AlertRecord, MarkRecord, RingRecord, body_of
from tablebridge.journal.store import Record
from tablebridge.model.alert_events import NOTHING_FOUND, AlertEvent
from tablebridge.model.events import Entry, Ruling
from tablebridge.model.findings import Finding
from tablebridge.model.floor_marks import Shelve

LOOKED_AT: Final = 1_000
"""Records that are read for one page: 2 ms."""
_MARGIN: Final = 50
"""More findings than one entry has."""
_KINDS: Final = ("finding", "alert", "ring", "mark", "entry")


def alert_events(
    records: Iterable[Record], most_records: int = LOOKED_AT
) -> tuple[tuple[AlertEvent, ...], int, int]:
    """What happened to alerts in these records, which come the latest first: the latest first, the time back
    to which that is all, and the record before which to go on; 0 if that is the beginning. It reads
    `most_records`, and a few more if they belong to the last entry.
    """
    found: list[AlertEvent] = []
    undated: list[Finding] = []
    reached_ns = 0
    for looked_at, record in enumerate(records, 1):
        body = body_of(record) if record.kind in _KINDS else None
        if isinstance(body, Finding):
            undated.append(body)
        elif isinstance(body, Entry):
            reached_ns = body.at.wall_ns
            # What the floor ruled itself calls nobody.
            if not isinstance(body.event, Ruling):
                found += [_raised(finding, reached_ns) for finding in undated if is_alerting(finding)]
            undated.clear()
        elif (event := _event(body)) is not None:
            found.append(event)
            reached_ns = event.at_wall_ns
        if not undated and (looked_at >= most_records or len(found) >= MOST_EVENTS - _MARGIN):
            return tuple(found[:MOST_EVENTS]), reached_ns, record.number
    return tuple(found[:MOST_EVENTS]), 0, 0


def _raised(finding: Finding, at_wall_ns: int) -> AlertEvent:
    severity = finding.severity if finding.severity == "critical" else "warning"
    return AlertEvent(finding.id, "raised", at_wall_ns, finding.finding, severity, finding.device)


def _event(body: object) -> AlertEvent | None:
    if isinstance(body, RingRecord):
        return AlertEvent(body.alert, "rang", body.ring.at.wall_ns)
    if isinstance(body, MarkRecord) and isinstance(body.mark, Shelve):
        return AlertEvent(body.mark.alert, "shelved", body.at.wall_ns, by=body.mark.by)
    if isinstance(body, AlertRecord) and body.change.to != "raised":
        change = body.change
        nothing = change.note.strip().lower().startswith(NOTHING_FOUND)
        return AlertEvent(change.alert, change.to, body.at.wall_ns, by=change.by, nothing=nothing)
    return None
