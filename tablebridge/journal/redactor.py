"""Deleting the bodies of records for good: from the chain, and from the bytes of the journal's files.

A redaction is recorded in the transaction that deletes. Then the file has what was deleted no longer, but its
write-ahead log has: it is emptied when nobody reads the journal any more. Until that was done a note in
`about` says so, and the next start does it.
"""

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, Final

from tablebridge.journal import chain
from tablebridge.journal.chain import RedactionRecord, Rule

REDACTABLE: Final = "redactable"
"""Noted when a journal becomes one of the present schema: the number of its next row."""
_TO_ERASE: Final = "to-erase"
"""Noted until the write-ahead log is empty: the number of the redaction's record."""


class Redactor:
    """The redactions of one journal. `run` executes a statement in the open transaction, which it begins if
    there is none; `execute` executes a statement by itself; `record` appends a redaction; `patience_ms`: how
    long locks are waited for otherwise.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        run: Callable[[str, tuple[Any, ...]], None],
        execute: Callable[[str, tuple[Any, ...]], Any],
        record: Callable[[RedactionRecord], int],
        patience_ms: int,
    ) -> None:
        self._db = db
        self._run = run
        self._execute = execute
        self._record = record
        self._patience_ms = patience_ms

    @property
    def first(self) -> int:
        """The first number that can be redacted: what an older tablebridge wrote cannot."""
        return noted(self._db, REDACTABLE)

    def redact(self, instead: Mapping[int, bytes], rule: Rule, by: str, wall_ns: int) -> None:
        """Delete the bodies of records from the number `first` on, inside the open transaction, and record
        that. `instead`: by number what stands there from now on. Raises ValueError for an earlier record.
        """
        numbers = sorted(instead)
        for at in range(0, len(numbers), chain.MOST_REDACTED):
            rows = [
                chain.redacted(next(chain.rows(self._db, number)), instead[number])
                for number in numbers[at : at + chain.MOST_REDACTED]
            ]
            stands = {row.number: chain.short_digest(row.body) for row in rows}
            redaction = self._record(RedactionRecord(rule, by, wall_ns, stands))
            self._run("INSERT OR REPLACE INTO about VALUES (?,?)", (_TO_ERASE, str(redaction)))
            for row in rows:
                self._run(
                    "UPDATE record SET body = ?, proof = ? WHERE number = ?",
                    (row.body, row.proof, row.number),
                )

    def erase(self) -> bool:
        """Have the files forget what was redacted, outside of a transaction. False if another process reads
        the journal and it has to be done again.
        """
        if not noted(self._db, _TO_ERASE):
            return True
        self._execute("PRAGMA busy_timeout=0", ())
        try:
            if self._execute("PRAGMA wal_checkpoint(TRUNCATE)", ()).fetchone()[0]:
                return False
        finally:
            self._execute(f"PRAGMA busy_timeout={self._patience_ms}", ())
        self._execute("DELETE FROM about WHERE name = ?", (_TO_ERASE,))
        return True

    def vacuum(self) -> None:
        """Write the file again without what is free in it, outside of a transaction; nobody else may read
        it.
        """
        self._execute("VACUUM", ())


def noted(db: sqlite3.Connection, name: str) -> int:
    """The number that was noted last under this name, 0 if none was."""
    found = db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
    return 0 if found is None else int(found[0])
