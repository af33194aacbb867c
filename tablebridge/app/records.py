"""What stands in the journal beside entries and findings, and how each body is read again."""

from typing import Any, Final

import msgspec

from tablebridge.bus.messages import Reply
from tablebridge.journal.store import Record
from tablebridge.model.alerts import AlertChange
from tablebridge.model.bounds import Reader
from tablebridge.model.disclosure import Terms
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place


class AlertRecord(msgspec.Struct, frozen=True):
    """A change of an alert as it stands in the journal."""

    change: AlertChange
    at: Instant


class CommandRecord(msgspec.Struct, frozen=True):
    """An answered command as it stands in the journal."""

    by: str
    role: str
    reply: Reply


class SetupRecord(msgspec.Struct, frozen=True):
    """The table's section of the site file from which its setup was entered."""

    section: str


class InstallationRecord(msgspec.Struct, frozen=True):
    """With what the engine runs, from this record on: version, on which terms hole cards are shown, places by
    device and antenna, and the decks by name, each with a hash that tells whether the deck is still the same,
    and nothing of its tags.
    """

    software: str
    terms: Terms
    antennas: dict[str, dict[int, Place]]
    decks: dict[str, str]


Body = Entry | Finding | AlertRecord | CommandRecord | SetupRecord | InstallationRecord

_DECODERS: Final[dict[str, Reader[Any]]] = {
    "entry": Reader[Entry](Entry),
    "finding": Reader[Finding](Finding),
    "alert": Reader[AlertRecord](AlertRecord),
    "command": Reader[CommandRecord](CommandRecord),
    "setup": Reader[SetupRecord](SetupRecord),
    "installation": Reader[InstallationRecord](InstallationRecord),
}


def reply_of(body: bytes) -> Reply:
    """The answer in the body of a record of the kind `command`. Raises msgspec.ValidationError."""
    record: CommandRecord = _DECODERS["command"].decode(body)
    return record.reply


def body_of(record: Record) -> Body:
    """What a record of the journal holds. Raises KeyError for a kind that is none, msgspec.ValidationError."""
    body: Body = _DECODERS[record.kind].decode(record.body)
    return body
