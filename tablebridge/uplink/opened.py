"""What of a record the room may read, and what travels only sealed.

A hidden face is one that does not lie open by the event that names it. Kinds of records that are not known
here travel sealed as a whole, and so does what cannot be decoded.
"""

from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from tablebridge.engine.hidden.entrance import hides, with_faces
from tablebridge.floor.alerts import for_staff
from tablebridge.journal.chain import Row
from tablebridge.journal.records import AlertRecord, MarkRecord, ReviewRecord, SnapshotRecord, body_of
from tablebridge.journal.store import record_of
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.events import Amend, DeckCheck, Entry, Insert, Shuffler, TableEvent
from tablebridge.model.findings import Finding

_OPEN: Final = frozenset(
    {"alert", "ring", "mark", "command", "setup", "installation", "payments", "review", "redaction", "room"}
)
"""Kinds of records that never hold a hidden face."""
_ENCODER: Final = msgspec.json.Encoder()
_NOTHING: Final = b"null"


class Opened(NamedTuple):
    """What the room may read of a record. `body`: all of it, or what is left without hidden faces; `whole`:
    whether it is all; `at_wall_ns`: when it happened, 0 if it does not say.
    """

    body: bytes
    whole: bool
    at_wall_ns: int = 0


def opened(row: Row) -> Opened:
    """What the room may read of the record in this row."""
    if row.redacted:
        return _redacted(row)
    try:
        body = body_of(record_of(row))
    except (KeyError, ValueError):
        return Opened(_NOTHING, False)
    if isinstance(body, Entry):
        event = without_hidden(body.event)
        at = body.at.wall_ns
        if event is body.event:
            return Opened(row.body, True, at)
        return Opened(_ENCODER.encode(replace(body, event=event)), False, at)
    if isinstance(body, Finding):
        if set(body.cards) <= set(body.public_cards):
            return Opened(row.body, True)
        return Opened(_ENCODER.encode(for_staff(body)), False)
    if isinstance(body, SnapshotRecord):
        # Its digest is of a state in which faces are: a guess could be tried out on it.
        return Opened(_ENCODER.encode(replace(body, digest="")), False)
    if row.kind not in _OPEN:
        return Opened(_NOTHING, False)
    at = body.at.wall_ns if isinstance(body, AlertRecord | MarkRecord | ReviewRecord) else 0
    return Opened(row.body, True, at)


def without_hidden(event: TableEvent) -> TableEvent:
    """The event without the faces that do not lie open by it; the same object if there are none."""
    if not hides(event):
        return event
    if isinstance(event, Amend):
        return replace(event, instead=without_hidden(event.instead))
    if isinstance(event, Insert):
        return replace(event, inserted=without_hidden(event.inserted))
    if isinstance(event, Shuffler | DeckCheck):
        return replace(event, cards=(UNKNOWN,) * len(event.cards))
    return with_faces(event, lambda _card: UNKNOWN)


def _redacted(row: Row) -> Opened:
    """What stands in place of a redacted body may still name the faces that lay open, and signs for others;
    it is opened as any other, since names may be what was deleted.
    """
    left = opened(row._replace(proof=b"\0" + bytes(32), body=row.body.rstrip(b" ")))
    return left._replace(whole=False)
