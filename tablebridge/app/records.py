"""What stands in the journal beside entries and findings, and how each body is read again."""

from typing import Final

import msgspec

from tablebridge.bus.messages import Reply
from tablebridge.model.alerts import AlertChange
from tablebridge.model.bounds import Reader
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant


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


ENTRY: Final = Reader[Entry](Entry)
FINDING: Final = Reader[Finding](Finding)
ALERT: Final = Reader[AlertRecord](AlertRecord)
COMMAND: Final = Reader[CommandRecord](CommandRecord)
SETUP: Final = Reader[SetupRecord](SetupRecord)
