"""The file in which deliveries wait: each is there before its message of the bus is acknowledged, and until
it was delivered or given up.

It holds what is sent and for whom, no more: no address of a receiver and no secret. A file that cannot be
read is set aside and a new one is begun.
"""

import logging
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

import msgspec

from tablebridge import private
from tablebridge.model.instant import Instant

T = TypeVar("T")

_SCHEMA: Final = (
    "CREATE TABLE delivery (number INTEGER PRIMARY KEY AUTOINCREMENT, receiver TEXT NOT NULL, "
    "at BLOB NOT NULL, body BLOB NOT NULL, UNIQUE (receiver, body)) STRICT",
    "CREATE TABLE lost (receiver TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID",
)
_AT: Final = msgspec.json.Decoder(Instant)
_log: Final = logging.getLogger(__name__)


class Kept(NamedTuple, Generic[T]):
    """What waits for a receiver. `at`: since when."""

    number: int
    receiver: str
    at: Instant
    item: T


class DeliveryFile(Generic[T]):
    """The deliveries of one process, which are of this `kind`. One thread uses it. `kept`: those that waited
    when it was opened; `lost`: by receiver, how many were lost that it has not heard of. Raises
    sqlite3.Error, OSError if the disk refuses.
    """

    def __init__(self, path: Path, kind: type[T]) -> None:
        self._item = msgspec.json.Decoder(kind)
        private.own_folder(path.parent)
        try:
            self._open(path)
        except (sqlite3.DatabaseError, msgspec.DecodeError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            self._db.close()
            damaged = path.with_name(f"{path.name}.damaged")
            path.replace(damaged)
            for tail in private.BESIDE:
                path.with_name(path.name + tail).unlink(missing_ok=True)
            _log.error("what waits in %s cannot be read (%s); it is now %s", path, error, damaged)
            self._open(path)

    def _open(self, path: Path) -> None:
        private.database(path)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=5, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        if self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            self._db.execute("BEGIN")
            for statement in _SCHEMA:
                self._db.execute(statement)
            self._db.execute("COMMIT")
        elif not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'delivery'").fetchone():
            raise sqlite3.DatabaseError("it has another layout")
        self.lost: dict[str, int] = dict(self._db.execute("SELECT receiver, count FROM lost"))
        self.kept = [
            Kept(number, receiver, _AT.decode(at), self._item.decode(body))
            for number, receiver, at, body in self._db.execute("SELECT * FROM delivery ORDER BY number")
        ]

    def write(
        self,
        added: Sequence[tuple[str, Instant, T]],
        finished: Iterable[int] = (),
        lost: Mapping[str, int] | None = None,
    ) -> list[int]:
        """Put these on disk, delete the rows of others, and note what was lost, all or nothing. The rows of
        the new ones; 0 for one that is there already.
        """
        numbers = []
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for receiver, at, item in added:
                values = receiver, msgspec.json.encode(at), msgspec.json.encode(item)
                done = self._db.execute(
                    "INSERT OR IGNORE INTO delivery (receiver, at, body) VALUES (?,?,?)", values
                )
                numbers.append(int(done.lastrowid or 0) if done.rowcount else 0)
            self._db.executemany("DELETE FROM delivery WHERE number = ?", ((number,) for number in finished))
            self._db.executemany("INSERT OR REPLACE INTO lost VALUES (?,?)", (lost or {}).items())
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        return numbers

    def close(self) -> None:
        """Close the file."""
        self._db.close()
