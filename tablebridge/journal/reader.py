"""The chain of a journal, read on by another process while its engine writes it: a bounded batch at a time,
and nothing is held open between batches that the engine would have to wait for.
"""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from tablebridge.journal import chain
from tablebridge.journal.checkpoints import Checkpoint, between
from tablebridge.journal.connection import connect, unusable
from tablebridge.journal.links import Link
from tablebridge.journal.redactor import REDACTABLE, noted
from tablebridge.model.errors import JournalError

T = TypeVar("T")
_MOST_BYTES: Final = 512 << 10


class ChainReader:
    """Reads the chain of the journal at `path`, which is that of `table`. Each method raises JournalError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Nobody writes a journal without a log beside it, and who may not write there could not open it.
        self._at_rest = not self._log.exists()
        try:
            self._db = connect(path, immutable=self._at_rest)
        except sqlite3.Error as error:
            raise unusable(path, error) from None
        try:
            self.table: str = self._asked(self._name)
            self._file = path.stat().st_ino
        except BaseException:
            self.close()
            raise

    @property
    def replaced(self) -> bool:
        """Whether another file has taken the journal's place, or its engine has started."""
        try:
            started = self._at_rest and self._log.exists()
            return started or self.path.stat().st_ino != self._file
        except OSError:
            return True

    @property
    def version(self) -> int:
        """A number that is another one as soon as somebody else has committed: asking for it is much cheaper
        than looking for records.
        """
        return self._asked(lambda: int(self._db.execute("PRAGMA data_version").fetchone()[0]))

    @property
    def last(self) -> int:
        """The number of the last record, 0 if there is none."""
        return self._asked(lambda: self._db.execute("SELECT max(number) FROM record").fetchone()[0] or 0)

    @property
    def count(self) -> int:
        """The number of records."""
        return int(self._asked(lambda: self._db.execute("SELECT count(*) FROM record").fetchone()[0]))

    def beginning(self) -> Link:
        """The link after which the records have digests of their own: those before cannot be proved without
        their bodies.
        """
        return self._asked(lambda: chain.before(self._db, self.table, noted(self._db, REDACTABLE)))

    def holds(self, link: Link) -> bool:
        """Whether a record has this number and hash, or the link is that before all records."""
        return self._asked(lambda: chain.before(self._db, self.table, link[0] + 1) == link)

    def after(self, number: int, most: int) -> list[chain.Row]:
        """The rows after this number, in order: at most this number, and about half a megabyte of them."""
        return self._asked(lambda: self._rows(number, most))

    def checkpoints(self, first: int, last: int) -> dict[int, Checkpoint]:
        """What the box has signed of the records from number `first` to `last`, by number."""
        return self._asked(lambda: between(self._db, first, last))

    def backwards(self) -> Iterator[chain.Row]:
        """The rows from the last on."""
        try:
            yield from chain.backwards(self._db)
        except sqlite3.Error as error:
            raise unusable(self.path, error) from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @property
    def _log(self) -> Path:
        return self.path.with_name(f"{self.path.name}-wal")

    def _name(self) -> str:
        found = self._db.execute("SELECT value FROM about WHERE name = 'table'").fetchone()
        if found is None:
            raise JournalError(f"{self.path} is no journal, for it names no table")
        return str(found[0])

    def _rows(self, number: int, most: int) -> list[chain.Row]:
        found: list[chain.Row] = []
        size = 0
        rows = chain.rows(self._db, number + 1)
        for row in rows:
            found.append(row)
            size += len(row.body)
            if len(found) >= most or size >= _MOST_BYTES:
                break
        return found

    def _asked(self, question: Callable[[], T]) -> T:
        try:
            return question()
        except sqlite3.Error as error:
            raise unusable(self.path, error) from None
