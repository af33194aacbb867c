"""Reading a journal back: its entries and its findings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tablebridge.journal.payments import entry_in
from tablebridge.journal.records import body_of
from tablebridge.journal.store import Journal
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.model.sentences import sentence_of

_MAGIC: Final = b"SQLite format 3\x00"
"""Every SQLite file begins with it: https://www.sqlite.org/fileformat.html"""


def may_be_journal(path: Path) -> bool:
    """Whether the file is an SQLite file, whatever its name; or, if it cannot be read, named like one."""
    if not path.is_file():
        return path.suffix == ".sqlite"
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return path.suffix == ".sqlite"


def entries(journal: Journal, since: int = 0) -> Iterator[Entry]:
    """The table events of a journal in order."""
    for record in journal.records(since):
        if (entry := entry_in(journal, record)) is not None:
            yield entry


def findings(journal: Journal, since: int = 0) -> Iterator[Finding]:
    """The findings as they were recorded, in order."""
    for record in journal.records(since):
        if record.kind == "finding" and isinstance(finding := body_of(record), Finding):
            yield finding


def same(recorded: Finding, again: Finding) -> bool:
    """Whether a recorded finding is the one that the engine raises now. Earlier versions recorded the
    sentence instead of its id.
    """
    if not recorded.text:
        again = replace(again, sentence=sentence_of(again), text="", args={})
    return recorded == again
