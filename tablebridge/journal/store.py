"""The journal of one table: one writer, append-only, every record chained to the one before by its hash.

Two kinds of rows share one running number, so that their order is known:

- `record`: what state is folded from (table events) and what came of them (findings, alert changes, answered
  commands). Chained, never deleted. `hash = SHA-256(previous hash, number, kind, body)`, the first link being
  the table's name.
- `reading`: what the devices said, as it was taken. Sensing is rebuilt from these after a kill in the middle
  of a hand. Not chained; those of old hands are deleted.

`answer` says which record answers which command, so that an answer is final for as long as the journal lives.
It is made again from the records if it is missing.

Readings that wait after an outage until they can be put in order have no number yet: they are `held` here, so
that they may be acknowledged.

A transaction holds readings and everything that they led to, so after a kill either all of it is there or
nothing, and what is not there was not acknowledged to the broker either and comes again. Commits are
synchronous (WAL, synchronous=FULL).
"""

import fcntl
import hashlib
import heapq
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote

import msgspec

from tablebridge import private
from tablebridge.model.bounds import Reader
from tablebridge.model.errors import JournalBroken, JournalError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped

SCHEMA: Final = 1
Kind = Literal["setup", "installation", "entry", "finding", "alert", "command"]

_SCHEMA_SQL: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE record (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, body BLOB NOT NULL, \
hash BLOB NOT NULL) STRICT;
CREATE TABLE reading (number INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE held (at INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE position (device TEXT, epoch TEXT, next INTEGER NOT NULL, PRIMARY KEY (device, epoch)) STRICT;
"""


class Tick(msgspec.Struct, frozen=True, tag="tick", tag_field="row"):
    """Sensing was asked at this instant, without a reading, whether its waits are over."""

    at: Instant


class Taken(msgspec.Struct, frozen=True, tag="taken", tag_field="row"):
    """A reading as it was taken."""

    stamped: Stamped


class Record(msgspec.Struct, frozen=True):
    """A row of the chain. `body` is JSON of the kind's type."""

    number: int
    kind: str
    body: bytes


class Row(msgspec.Struct, frozen=True):
    """A reading or a tick with its number."""

    number: int
    row: Taken | Tick


_ENCODER: Final = msgspec.json.Encoder()
_STAMPED: Final = Reader[Stamped](Stamped)
_ROWS: Final = Reader[Taken | Tick](Taken | Tick)


def link(previous: bytes, number: int, kind: str, body: bytes) -> bytes:
    """The hash of the record that follows the one with hash `previous`; lengths are hashed too, so no two can
    be confused.
    """
    digest = hashlib.sha256()
    for part in (previous, str(number).encode(), kind.encode(), body):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


class Journal:
    """Open for writing (the default; at most one process) or only for reading. `table`: whose journal it must
    be; None, for reading only, takes the name that the file holds, so that a copy may have any file name.

    Raises JournalError if the file cannot be had, is another table's, of a newer schema, held by another
    writer, or fails verification (JournalBroken); the sentence names the record's number.
    """

    def __init__(self, path: Path, table: str | None, *, readonly: bool = False) -> None:
        self.path = path
        self._lock: int | None = None
        if readonly:
            if not path.exists():
                raise JournalError(
                    f"there is no journal {path}: those of a site are STATE_DIR/journal/TABLE.sqlite"
                )
            self._db = self._connect("ro")
        else:
            self._lock = sole_writer(path)
            private.database(path)
            self._db = self._connect("rw")
        self._last_record = 0
        self._next = 1
        try:
            if table is not None and not readonly:
                _prepare(self._db, table)
            self.table = self._check_about(table)
            self.verify()
            if not readonly:
                _index_answers(self._db)
            self._next = 1 + max(
                self._last_record, self._db.execute("SELECT max(number) FROM reading").fetchone()[0] or 0
            )
        except sqlite3.DatabaseError as error:
            self.close()
            broken = getattr(error, "sqlite_errorcode", 0) & 0xFF in (
                sqlite3.SQLITE_CORRUPT,
                sqlite3.SQLITE_NOTADB,
            )
            kind = JournalBroken if broken else JournalError
            raise kind(
                f"{path} is damaged and cannot be read ({error}); the last sound record is "
                f"{self._last_record}. Keep the file: it is evidence"
            ) from None
        except JournalError:
            self.close()
            raise

    def _connect(self, mode: str) -> sqlite3.Connection:
        try:
            return sqlite3.connect(
                f"file:{quote(str(self.path))}?mode={mode}", uri=True, isolation_level=None, timeout=5
            )
        except sqlite3.Error as error:
            if self._lock is not None:
                os.close(self._lock)
            raise JournalError(
                f"{self.path} cannot be opened ({error}): check the path and its permissions"
            ) from None

    def _check_about(self, table: str | None) -> str:
        """The table whose journal this is."""
        about = dict(self._db.execute("SELECT name, value FROM about"))
        name: str = about.get("table", "")
        if not name:
            raise JournalError(
                f"{self.path} is no journal, for it names no table; those of a site are "
                "STATE_DIR/journal/TABLE.sqlite"
            )
        if table is not None and name != table:
            raise JournalError(f"{self.path} is the journal of table {name!r}, not of {table!r}")
        if int(about.get("schema", "0")) > SCHEMA:
            raise JournalError(
                f"{self.path} was written by a newer tablebridge (schema {about['schema']}, this one knows "
                f"{SCHEMA}); update tablebridge"
            )
        return name

    def verify(self) -> int:
        """Check the whole chain; the number of records. Raises JournalError with the number of the first
        record that fails.
        """
        count, previous, last = 0, link(b"", 0, "table", self.table.encode()), 0
        self._last_hash, self._last_record = previous, last
        for number, kind, body, stored in self._db.execute(
            "SELECT number, kind, body, hash FROM record ORDER BY number"
        ):
            if number <= last or link(previous, number, kind, body) != stored:
                raise JournalBroken(
                    f"{self.path} fails its own verification at record {number}: it was changed after it was "
                    "written. Nothing is appended to it; keep it: it is evidence"
                )
            previous, last, count = stored, number, count + 1
            self._last_hash, self._last_record = previous, last
        return count

    @property
    def next_number(self) -> int:
        """The number that the next row will get."""
        return self._next

    @property
    def head(self) -> str:
        """The hash of the last record, as hex: whoever has it can check whether anything before it was
        changed.
        """
        return self._last_hash.hex()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside goes to the disk together, at the end. After an exception nothing of it
        is written, and the journal goes on from where it was before.

        Raises JournalError if the disk refuses: the process must then start again.
        """
        before = self._next, self._last_hash, self._last_record
        self._run("BEGIN IMMEDIATE", ())
        try:
            yield
            self._run("COMMIT", ())
        except BaseException:
            with suppress(sqlite3.Error):  # SQLite itself has rolled back after some errors
                self._db.execute("ROLLBACK")
            self._next, self._last_hash, self._last_record = before
            raise

    def record(self, kind: Kind, body: Any) -> int:
        """Append a record inside the open transaction; its number."""
        data, number = _ENCODER.encode(body), self._next
        self._last_hash = link(self._last_hash, number, kind, data)
        self._write("INSERT INTO record VALUES (?,?,?,?)", (number, kind, data, self._last_hash))
        self._last_record = number
        return number

    def answered(self, command: str, number: int) -> None:
        """Note inside the open transaction that the record `number` answers the command of this id."""
        self._run("INSERT INTO answer VALUES (?,?)", (command, number))

    def answer(self, command: str) -> bytes | None:
        """The body of the record that answers the command of this id, if it was answered."""
        found = self._db.execute(
            "SELECT body FROM record JOIN answer USING (number) WHERE id = ?", (command,)
        ).fetchone()
        return None if found is None else bytes(found[0])

    def reading(self, row: Taken | Tick) -> int:
        """Keep a reading or a tick inside the open transaction; its number."""
        number = self._next
        self._write("INSERT INTO reading VALUES (?,?)", (number, _ENCODER.encode(row)))
        return number

    def hold(self, stamped: Stamped) -> None:
        """Keep a reading that is not taken yet, inside the open transaction."""
        self._run("INSERT INTO held (body) VALUES (?)", (_ENCODER.encode(stamped),))

    def held(self) -> list[Stamped]:
        """The readings that are not taken yet, in the order in which they were held."""
        return [_STAMPED.decode(body) for (body,) in self._db.execute("SELECT body FROM held ORDER BY at")]

    def release(self) -> None:
        """Those that were held are being taken, inside the open transaction."""
        self._run("DELETE FROM held", ())

    def position(self, device: str, epoch: str, following: int, keep: int) -> None:
        """Note that all readings of the device's epoch before `following` were taken. Of each device the
        `keep` epochs that were noted last are remembered.
        """
        self._run("INSERT OR REPLACE INTO position VALUES (?,?,?)", (device, epoch, following))
        self._run(
            "DELETE FROM position WHERE device = ? AND rowid <= (SELECT rowid FROM position WHERE device = ? "
            "ORDER BY rowid DESC LIMIT 1 OFFSET ?)",
            (device, device, keep),
        )

    def positions(self) -> dict[tuple[str, str], int]:
        """By device and epoch the next sequence number, in the order in which they were noted last."""
        return {
            (device, epoch): following
            for device, epoch, following in self._db.execute(
                "SELECT device, epoch, next FROM position ORDER BY rowid"
            )
        }

    def forget_readings(self, before: int) -> None:
        """Delete readings with a number below `before`, inside the open transaction."""
        self._run("DELETE FROM reading WHERE number < ?", (before,))

    def records(self, since: int = 0) -> Iterator[Record]:
        """The chain from number `since` on, in order."""
        for number, kind, body in self._db.execute(
            "SELECT number, kind, body FROM record WHERE number >= ? ORDER BY number", (since,)
        ):
            yield Record(number, kind, body)

    def backwards(self) -> Iterator[Record]:
        """The chain from its end."""
        for number, kind, body in self._db.execute(
            "SELECT number, kind, body FROM record ORDER BY number DESC"
        ):
            yield Record(number, kind, body)

    def readings(self, since: int = 0) -> Iterator[Row]:
        """Kept readings and ticks from number `since` on, in order."""
        for number, body in self._db.execute(
            "SELECT number, body FROM reading WHERE number >= ? ORDER BY number", (since,)
        ):
            yield Row(number, _ROWS.decode(body))

    def rows(self, readings_since: int = 0) -> Iterator[Record | Row]:
        """The chain, with the kept readings and ticks from number `readings_since` on between its records."""
        return heapq.merge(self.records(), self.readings(readings_since), key=lambda row: row.number)

    def close(self) -> None:
        """Close the file and release the lock."""
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _unwritable(self, error: sqlite3.Error) -> JournalError:
        return JournalError(
            f"cannot write {self.path}: {error}. Free space on the disk; nothing acknowledged is lost"
        )

    def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        self._run(sql, values)
        self._next += 1

    def _run(self, sql: str, values: tuple[Any, ...]) -> None:
        try:
            self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise self._unwritable(error) from None


def _prepare(db: sqlite3.Connection, table: str) -> None:
    """Set the database up for writing, and make the tables of a new journal."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        # In one transaction: a kill in between would leave a journal that is nobody's.
        db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA_SQL.strip().splitlines():
            db.execute(statement)
        db.executemany("INSERT INTO about VALUES (?,?)", [("schema", str(SCHEMA)), ("table", table)])
        db.execute("COMMIT")


def _index_answers(db: sqlite3.Connection) -> None:
    """Find the answers of a journal that was written before they had a table of their own."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'answer'").fetchone() is not None:
        return
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TABLE answer (id TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT")
    db.execute(
        "INSERT OR IGNORE INTO answer SELECT json_extract(CAST(body AS TEXT), '$.reply.id'), number "
        "FROM record WHERE kind = 'command' ORDER BY number"
    )
    db.execute("COMMIT")


def sole_writer(path: Path) -> int:
    """The lock of the one process that may write this journal. Raises JournalError if another has it."""
    try:
        private.folder(path.parent)
        lock = private.lock(path.with_name(f"{path.name}.lock"))
    except OSError as error:
        raise JournalError(
            f"{path} cannot be written ({error.strerror}): set state_dir to a folder that may be written"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise JournalError(f"{path} is being written by another process; stop that one first") from None
    return lock
