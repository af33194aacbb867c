"""Reading a journal back: entries, findings, and whether a replay gives the same."""

from collections.abc import Iterator
from typing import Final

from tablebridge.journal.store import Journal, Record
from tablebridge.model.bounds import Reader
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding

_ENTRY: Final = Reader[Entry](Entry)
_FINDING: Final = Reader[Finding](Finding)


def entry_of(record: Record) -> Entry | None:
    """The table event of a record; None where it holds something else."""
    return _ENTRY.decode(record.body) if record.kind == "entry" else None


def entries(journal: Journal, since: int = 0) -> Iterator[Entry]:
    """The table events of a journal in order."""
    for record in journal.records(since):
        if (entry := entry_of(record)) is not None:
            yield entry


def findings(journal: Journal, since: int = 0) -> Iterator[Finding]:
    """The findings as they were recorded, in order."""
    for record in journal.records(since):
        if record.kind == "finding":
            yield _FINDING.decode(record.body)
