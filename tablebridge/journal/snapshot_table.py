"""Where a journal keeps snapshots of what its records fold to: a table beside the chain.

A snapshot has the number of the record of the chain that has its digest. What is in it is for the writer of
the journal alone; here it is bytes. Of the last snapshots all are kept, of older ones fewer the older they
are: a table whose pictures wait for a day goes on from a snapshot of a day ago.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, Final

_ALL_OF: Final = 3
"""This many of the last snapshots are kept, none left out."""


class SnapshotTable:
    """The snapshots of one journal. `run` executes a statement inside the open transaction."""

    def __init__(self, db: sqlite3.Connection, run: Callable[[str, tuple[Any, ...]], None]) -> None:
        self._db = db
        self._run = run

    def numbers(self) -> list[int]:
        """The numbers of the snapshots, the newest first."""
        if not _exists(self._db):
            return []
        return [number for (number,) in self._db.execute("SELECT number FROM snapshot ORDER BY number DESC")]

    def body(self, number: int) -> bytes:
        """What the snapshot of this number holds; empty if there is none."""
        found = self._db.execute("SELECT body FROM snapshot WHERE number = ?", (number,)).fetchone()
        return b"" if found is None else bytes(found[0])

    def add(self, number: int, body: bytes) -> None:
        """Keep a snapshot inside the open transaction, and drop those that are needed no more."""
        self._run("INSERT INTO snapshot VALUES (?,?)", (number, body))
        for old in superfluous(self.numbers()):
            self._run("DELETE FROM snapshot WHERE number = ?", (old,))

    def delete(self, number: int) -> None:
        """Delete this snapshot inside the open transaction."""
        self._run("DELETE FROM snapshot WHERE number = ?", (number,))

    def drop(self) -> int:
        """Drop all snapshots inside the open transaction; how many there were."""
        count = len(self.numbers())
        self._run("DELETE FROM snapshot", ())
        return count


def superfluous(numbers: list[int]) -> list[int]:
    """Which snapshots of these, the newest first, need not be kept: those between two that are less than half
    as old again as each other. So a few dozen are left of any number of them.
    """
    kept, dropped = list(numbers), []
    at = _ALL_OF
    while at < len(kept) - 1:
        newest = kept[0]
        if newest - kept[at + 1] <= 1.5 * (newest - kept[at - 1]):
            dropped.append(kept.pop(at))
        else:
            at += 1
    return dropped


def prepare(db: sqlite3.Connection, schema: int) -> None:
    """Make the table of a journal that has none; the journal is of this schema then."""
    if _exists(db):
        return
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TABLE snapshot (number INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT")
    db.execute("UPDATE about SET value = ? WHERE name = 'schema'", (str(schema),))
    db.execute("COMMIT")


def _exists(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'snapshot'").fetchone() is not None
