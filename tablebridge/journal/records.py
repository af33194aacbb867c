"""The types of the journal's records, and the one place in which their bodies are decoded.

They are the journal's own: a message of the bus may change, an old journal may not. A field may be added with
a default; none may be renamed or removed.
"""

from typing import Any, Final, Literal

import msgspec

from tablebridge.journal.chain import REDACTIONS, RedactionRecord
from tablebridge.journal.store import Record
from tablebridge.model.alerts import AlertChange, Ring
from tablebridge.model.bounds import Count, Line, Numbers, Reader, Sentence, Short, Word
from tablebridge.model.disclosure import Terms
from tablebridge.model.events import Entry, Payments
from tablebridge.model.findings import Finding
from tablebridge.model.floor_marks import FloorMark
from tablebridge.model.instant import Instant
from tablebridge.model.learnt import LearntTable, LoneCard
from tablebridge.model.places import Place
from tablebridge.model.views import Turn
from tablebridge.room.events import AnyEvent


class AlertRecord(msgspec.Struct, frozen=True):
    """A change of an alert."""

    change: AlertChange
    at: Instant


class RingRecord(msgspec.Struct, frozen=True):
    """The alert with the id `alert` rang again."""

    alert: Word
    ring: Ring


class MarkRecord(msgspec.Struct, frozen=True):
    """What the floor set beside the alerts: an alert on the shelf, a table or device out of service."""

    mark: FloorMark
    at: Instant


class Answer(msgspec.Struct, frozen=True):
    """What was answered to the command `id`. `ok`: it was done. `sentence`: what was refused and why, or what
    the engine ignored. `entries`: the numbers of its records. `rev`: the record up to which the answer is
    true. `late`: refused because it came too late. `turn`: whose turn it was afterwards. `moved`: refused
    because it was meant for another turn. `schema`: of this record.
    """

    id: Word
    ok: bool
    sentence: Sentence = ""
    entries: Numbers = ()
    rev: Count = 0
    late: bool = False
    turn: Turn | None = None
    moved: bool = False
    schema: Count = 1


class CommandRecord(msgspec.Struct, frozen=True):
    """An answered command."""

    by: str
    role: str
    reply: Answer


class SetupRecord(msgspec.Struct, frozen=True):
    """The table's section of the site file from which its setup was entered."""

    section: str


class InstallationRecord(msgspec.Struct, frozen=True):
    """The installation of the engine from this record on: version, on which terms hole cards are shown,
    places by device and antenna, and the decks by name, each with a hash that changes with the deck and
    reveals no tag.
    """

    software: str
    terms: Terms
    antennas: dict[str, dict[int, Place]]
    decks: dict[str, str]


class CalibrationRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was measured with one card was added to what the table knows of its antennas: the name of the
    measurement, and by antenna how many stays of the card. `lone`: by antenna what sensing knows by it from
    the next hand on.
    """

    name: str
    stays: dict[str, Count]
    at: Instant
    lone: dict[str, LoneCard] = {}


class LearntRecord(msgspec.Struct, frozen=True):
    """A hand began, and this is what sensing knew of the table's antennas then: counts, no card and no tag.
    With it the readings of the hand give the same events again.
    """

    learnt: LearntTable


class PaymentsRecord(msgspec.Struct, frozen=True):
    """A hand can no longer be corrected. `began`: the entry with which it began; `number`: of the hand;
    `paid`: how its pots were paid, also if the faces that decided it are deleted later.
    """

    began: Count
    number: Count
    paid: Payments


class ReviewRecord(msgspec.Struct, frozen=True):
    """A person looked at the hand that began with the entry `began` and marked it as reviewed, wrote a note,
    or had the video marked. It changes nothing of the hand.
    """

    kind: Literal["reviewed", "note", "bookmark"]
    began: Count
    hand: Count
    by: Short
    at: Instant
    note: Line = ""


class RoomRecord(msgspec.Struct, frozen=True):
    """Something happened in a room of tables. `by`: who wrote it, or `the tables` that reported it."""

    event: AnyEvent
    by: Short
    at: Instant


class SnapshotRecord(msgspec.Struct, frozen=True):
    """A snapshot was kept of the state that the records up to the number `through` fold to. `since`: the
    first of them that is still needed beside it. `digest`: of that state; `made_by`: the software that folded
    it; `schema`: of the snapshot.
    """

    through: Count
    since: Count
    digest: str
    made_by: str
    schema: Count = 1


Body = (
    Entry
    | Finding
    | AlertRecord
    | RingRecord
    | MarkRecord
    | CommandRecord
    | SetupRecord
    | InstallationRecord
    | SnapshotRecord
    | LearntRecord
    | PaymentsRecord
    | RedactionRecord
    | ReviewRecord
    | RoomRecord
    | CalibrationRecord
)

_DECODERS: Final[dict[str, Reader[Any]]] = {
    "entry": Reader[Entry](Entry),
    "finding": Reader[Finding](Finding),
    "alert": Reader[AlertRecord](AlertRecord),
    "ring": Reader[RingRecord](RingRecord),
    "mark": Reader[MarkRecord](MarkRecord),
    "command": Reader[CommandRecord](CommandRecord),
    "setup": Reader[SetupRecord](SetupRecord),
    "installation": Reader[InstallationRecord](InstallationRecord),
    "snapshot": Reader[SnapshotRecord](SnapshotRecord),
    "learnt": Reader[LearntRecord](LearntRecord),
    "payments": Reader[PaymentsRecord](PaymentsRecord),
    "redaction": REDACTIONS,
    "review": Reader[ReviewRecord](ReviewRecord),
    "room": Reader[RoomRecord](RoomRecord),
    "calibration": Reader[CalibrationRecord](CalibrationRecord),
}


def body_of(record: Record) -> Body:
    """The body of a record. Raises KeyError for an unknown kind, msgspec.ValidationError."""
    body: Body = _DECODERS[record.kind].decode(record.body)
    return body


def entry_of(record: Record) -> Entry | None:
    """The table event of a record; None if it holds something else."""
    body = body_of(record) if record.kind == "entry" else None
    return body if isinstance(body, Entry) else None


def answer_of(body: bytes) -> Answer:
    """The answer in the body of a record of the kind `command`. Raises msgspec.ValidationError."""
    record: CommandRecord = _DECODERS["command"].decode(body)
    return record.reply
