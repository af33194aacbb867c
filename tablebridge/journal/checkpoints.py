"""Checkpoints of a journal: what the box has signed of its chain, in a table beside it.

A signature is over the table, the number and the hash of a record, and by the chain over all records before
it. It is kept beside the chain and not in it: no record has another number by it, and it can be checked by
whoever has the record's hash and knows the box's public key.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, Final, NamedTuple

_SIGNED_AS: Final = b"tablebridge checkpoint"


class Checkpoint(NamedTuple):
    """A signature (Ed25519, 64 bytes) with the public key that belongs to it (32 bytes)."""

    key: bytes
    signature: bytes


class CheckpointTable:
    """The checkpoints of one journal. `run` executes a statement inside the open transaction."""

    def __init__(self, db: sqlite3.Connection, run: Callable[[str, tuple[Any, ...]], None]) -> None:
        self._db = db
        self._run = run

    def add(self, number: int, checkpoint: Checkpoint) -> None:
        """Keep that of the record of this number, inside the open transaction."""
        self._run("INSERT OR REPLACE INTO checkpoint VALUES (?,?,?)", (number, *checkpoint))


def statement(table: str, number: int, hash: bytes) -> bytes:
    """What is signed of a record; lengths are signed too, so no two can be confused."""
    parts = (_SIGNED_AS, table.encode(), str(number).encode(), hash)
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def between(db: sqlite3.Connection, first: int, last: int) -> dict[int, Checkpoint]:
    """The checkpoints of the records from number `first` to `last`, by number."""
    if not _exists(db):
        return {}
    found = db.execute(
        "SELECT number, key, signature FROM checkpoint WHERE number BETWEEN ? AND ?", (first, last)
    )
    return {number: Checkpoint(key, signature) for number, key, signature in found}


def prepare(db: sqlite3.Connection) -> None:
    """Make the table of a journal that has none. Software that does not know it reads on as before."""
    if not _exists(db):
        db.execute(
            "CREATE TABLE checkpoint (number INTEGER PRIMARY KEY, key BLOB NOT NULL, "
            "signature BLOB NOT NULL) STRICT"
        )


def _exists(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'checkpoint'").fetchone() is not None
