"""The journal of one table: one writer, append-only, every record chained to the one before by its hash.

Two kinds of rows share one running number, so that their order is known:

- `record`: what state is folded from (table events) and what came of them (findings, alert changes, answered
  commands). Chained (`chain.py`), never deleted, the first link being the table's name; the body of one may
  be redacted.
- `reading`: what the devices said, as it was taken, in batches (`readings.py`). Sensing is rebuilt from these
  after a kill in the middle of a hand. Not chained; those of old hands are deleted. A batch has the numbers
  of its rows; its own is the first of them.

`position` says which readings of each device were taken, but for those of the batches from the number `noted`
on (in `about`), whose heads say it: a position is not written with every commit.

`answer` says which record answers which command, so that an answer is final for as long as the journal lives.
It is made again from the records if it is missing.

`checkpoint` has what the box has signed of the chain (`checkpoints.py`).

`snapshot` has what the records up to one of them fold to (`snapshot_table.py`), so that not all of them need
be folded at each start; a record says that it was kept, with its digest.

Readings that wait after an outage until they can be put in order have no number yet: they are `held` here, so
that they may be acknowledged.

A transaction holds readings and everything that they led to, so after a kill either all of it is there or
nothing, and what is not there was not acknowledged to the broker either and comes again. Commits are
synchronous (WAL, synchronous=FULL). What is deleted is written over (secure_delete), and after a redaction
the write-ahead log is emptied (`redactor.py`). Readings from which nothing follows may wait in
memory for the next commit: a commit costs a device's flush and at least one page of the disk, whatever it
holds.
"""

import errno
import fcntl
import heapq
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from tablebridge import private
from tablebridge.journal import batches, chain, checkpoints
from tablebridge.journal.batches import Batches
from tablebridge.journal.checkpoints import CheckpointTable
from tablebridge.journal.connection import connect, not_opened, unusable
from tablebridge.journal.links import Links
from tablebridge.journal.readings import Key, Row, Taken, Tick
from tablebridge.journal.redactor import REDACTABLE, Redactor, noted
from tablebridge.journal.snapshot_table import SnapshotTable, prepare
from tablebridge.model.bounds import Reader
from tablebridge.model.commit_times import CommitTimes
from tablebridge.model.errors import JournalBroken, JournalError
from tablebridge.model.readings import Stamped

SCHEMA: Final = 3
_BATCHES_SCHEMA: Final = 2
"""Since this one readings are in batches."""
Kind = Literal[
    "setup",
    "installation",
    "entry",
    "finding",
    "alert",
    "ring",
    "mark",
    "command",
    "snapshot",
    "learnt",
    "payments",
    "review",
    "redaction",
    "room",
    "calibration",
]

_SCHEMA_SQL: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE record (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, body BLOB NOT NULL, \
hash BLOB NOT NULL, proof BLOB) STRICT;
CREATE TABLE reading (number INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE held (at INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE position (device TEXT, epoch TEXT, next INTEGER NOT NULL, PRIMARY KEY (device, epoch)) STRICT;
"""

_PATIENCE_S: Final = 5
"""How long another process's lock on the file is waited for."""
_PAGE_BYTES: Final = 1024
"""Of a new journal: a commit writes whole pages, however little of them it fills."""
_WAL_BYTES: Final = 4 << 20
"""How much is written to the log before its pages are copied into the file, each of them once."""


class Record(msgspec.Struct, frozen=True):
    """A row of the chain. `body` is JSON of the kind's type; of a `redacted` row what stands in its place."""

    number: int
    kind: str
    body: bytes
    redacted: bool = False


_ENCODER: Final = msgspec.json.Encoder()
_STAMPED: Final = Reader[Stamped](Stamped)


class Journal:
    """Open for writing (the default; at most one process) or only for reading. `table`: whose journal it must
    be; None, for reading only, takes the name that the file holds, so that a copy may have any file name.
    `whole`: the whole chain is verified; else it is for the caller to `verify` as much of it as it reads, and
    before anything is written.

    Raises JournalError if the file cannot be had, is another table's, of a newer schema, held by another
    writer, or fails verification (JournalBroken), with the record's number.
    """

    def __init__(self, path: Path, table: str | None, *, readonly: bool = False, whole: bool = True) -> None:
        self.path = path
        self.commits = CommitTimes()
        self._lock: int | None = None
        if readonly:
            self._db = self._connect("ro")
        else:
            self._lock = sole_writer(path)
            self._make()
            self._db = self._connect("rw")
        self.snapshots = SnapshotTable(self._db, self._run)
        self.checkpoints = CheckpointTable(self._db, self._run)
        self.appended = 0
        """How many records were appended since it was opened."""
        self.redactor = Redactor(
            self._db,
            self._run,
            self._execute,
            lambda redaction: self.record("redaction", redaction),
            _PATIENCE_S * 1000,
        )
        self._last_hash, self._last_record, self._next = b"", 0, 1
        self._batches = Batches(self._db, self._run)
        try:
            if table is not None and not readonly:
                _prepare(self._db, table)
            self.table = _table_of(self._db, path, table)
            if whole:
                self.verify()
            if not readonly:
                _index_answers(self._db)
                _renew(self._db)
                self.redactor.erase()
                prepare(self._db, SCHEMA)
                checkpoints.prepare(self._db)
                last = self._db.execute("SELECT max(number) FROM record").fetchone()[0] or 0
                self._next = max(1 + last, batches.next_number(self._db))
        except sqlite3.DatabaseError as error:
            trouble = self._unusable(error)
            self.close()
            raise trouble from None
        except JournalError:
            self.close()
            raise
        self._committed = self._next, self._last_hash, self._last_record

    def _make(self) -> None:
        try:
            private.database(self.path)
        except OSError:
            trouble = not_opened(self.path)
            self._unlock()
            raise trouble from None

    def _connect(self, mode: Literal["ro", "rw"]) -> sqlite3.Connection:
        try:
            return connect(self.path, mode)
        except sqlite3.Error as error:
            trouble = unusable(self.path, error)
            self._unlock()
            raise trouble from None

    def verify(self, since: int = 0) -> int:
        """Check the chain from the record `since` on, by default the whole chain; the number of records that
        were checked. Raises JournalError with the number of the first record that fails.
        """
        count = 0
        try:
            self._last_record, self._last_hash = chain.before(self._db, self.table, since)
            for row in chain.verified(self._db, since, self._last_record, self._last_hash):
                self._last_record, self._last_hash, count = row.number, row.hash, count + 1
        except chain.UnsoundError as unsound:
            raise JournalBroken(
                f"{self.path} fails its own verification at record {unsound.number}: {unsound}. Nothing is "
                "appended to it; keep it: it is evidence"
            ) from None
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from None
        self._committed = self._next, self._last_hash, self._last_record
        return count

    @property
    def links(self) -> Links:
        """The chain, to be followed a part at a time."""
        return Links(self._db, self.table)

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
    def transaction(self, may_wait: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """All that is written inside goes to the disk together, at the end, with what has waited. `may_wait`:
        asked at the end if nothing but readings was written; if it says so, they wait for the next commit.

        After an exception nothing of it is written, nor what has waited, and the journal goes on from where
        it was after the last commit. Raises JournalError if the disk refuses: the process must then start
        again.
        """
        try:
            yield
            if self._db.in_transaction or not may_wait():
                self.commit()
        except BaseException:
            with suppress(sqlite3.Error):  # SQLite itself has rolled back after some errors
                self._db.execute("ROLLBACK")
            self._next, self._last_hash, self._last_record = self._committed
            self._batches.drop()
            raise

    def commit(self) -> None:
        """Write what waits to the disk. Raises JournalError if it refuses."""
        self._batches.write()
        if self._db.in_transaction:
            began_ns = time.monotonic_ns()
            self._execute("COMMIT", ())
            self.commits.took(time.monotonic_ns() - began_ns)
        self._committed = self._next, self._last_hash, self._last_record

    @property
    def waits(self) -> bool:
        """Whether readings wait for the next commit."""
        return self._batches.waits

    def record(self, kind: Kind, body: Any) -> int:
        """Append a record inside the open transaction; its number."""
        self._batches.write()
        number = self._next
        row = chain.new_row(self._last_hash, number, kind, _ENCODER.encode(body))
        self._run(
            "INSERT INTO record (number, kind, body, hash, proof) VALUES (?,?,?,?,?)",
            (number, kind, row.body, row.hash, row.proof),
        )
        self._last_hash, self._last_record = row.hash, number
        self._next, self.appended = number + 1, self.appended + 1
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
        self._batches.add(row, number)
        self._next += 1
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

    def position(self, device: str, epoch: str, following: int) -> None:
        """Note inside the open transaction that all readings of the device's epoch before `following` were
        taken or are lost. Of readings that are kept here it need not be noted.
        """
        self._batches.note(device, epoch, following, self._next)

    def positions(self) -> dict[Key, int]:
        """By device and epoch the next sequence number, in the order in which they were noted last."""
        return batches.positions(self._db)

    def forget_readings(self, before: int) -> None:
        """Delete readings with a number below `before`, inside the open transaction."""
        self._batches.forget(before, self._next)

    def note(self, name: str, number: int) -> None:
        """Note a number under this name inside the open transaction."""
        self._run("INSERT OR REPLACE INTO about VALUES (?,?)", (name, str(number)))

    def noted(self, name: str) -> int:
        """The number that was noted last under this name, 0 if none was."""
        return noted(self._db, name)

    def records(self, since: int = 0, kind: str = "") -> Iterator[Record]:
        """The chain from number `since` on, in order; of this kind, if one is given."""
        return map(record_of, chain.rows(self._db, since, kind))

    def backwards(self, before: int = 0) -> Iterator[Record]:
        """The chain from its end, or from the last record before the number `before`."""
        for number, kind, body in self._db.execute(
            "SELECT number, kind, body FROM record WHERE number < ? ORDER BY number DESC",
            (before or self._next,),
        ):
            yield Record(number, kind, body)

    def readings(self, since: int = 0) -> Iterator[Row]:
        """Kept readings and ticks on disk from number `since` on, in order. Raises JournalBroken."""
        return batches.rows(self._db, since)

    def rows(self, readings_since: int = 0, records_since: int = 0) -> Iterator[Record | Row]:
        """The chain from number `records_since` on, with the kept readings and ticks from number
        `readings_since` on between its records.
        """
        return heapq.merge(
            self.records(records_since), self.readings(readings_since), key=lambda row: row.number
        )

    def close(self) -> None:
        """Close the file and release the lock."""
        self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _unusable(self, error: sqlite3.DatabaseError) -> JournalError:
        return unusable(self.path, error, self._last_record)

    def _unwritable(self, error: sqlite3.Error) -> JournalError:
        return JournalError(
            f"cannot write {self.path}: {error}. Free space on the disk; nothing acknowledged is lost"
        )

    def _run(self, sql: str, values: tuple[Any, ...]) -> None:
        """Execute a statement in the open transaction."""
        if not self._db.in_transaction:
            self._execute("BEGIN IMMEDIATE", ())
        self._execute(sql, values)

    def _execute(self, sql: str, values: tuple[Any, ...]) -> sqlite3.Cursor:
        try:
            return self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise self._unwritable(error) from None


def record_of(row: chain.Row) -> Record:
    """The record that a row of the chain holds."""
    if row.redacted:
        return Record(row.number, row.kind, row.body.rstrip(b" "), redacted=True)
    return Record(row.number, row.kind, row.body)


def _prepare(db: sqlite3.Connection, table: str) -> None:
    """Set the database up for writing, and make the tables of a new journal."""
    db.execute(f"PRAGMA page_size={_PAGE_BYTES}")  # of no effect on a journal that exists
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("PRAGMA secure_delete=ON")
    (page_bytes,) = db.execute("PRAGMA page_size").fetchone()
    db.execute(f"PRAGMA wal_autocheckpoint={_WAL_BYTES // page_bytes}")
    db.execute(f"PRAGMA journal_size_limit={4 * _WAL_BYTES}")
    if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        # In one transaction: a kill in between would leave a journal that is nobody's.
        db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA_SQL.strip().splitlines():
            db.execute(statement)
        db.executemany(
            "INSERT INTO about VALUES (?,?)", [("schema", str(SCHEMA)), ("table", table), ("noted", "1")]
        )
        db.execute("COMMIT")


def _index_answers(db: sqlite3.Connection) -> None:
    """Find the answers of a journal that was written before they had a table of their own."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'answer'").fetchone() is not None:
        return
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TABLE answer (id TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID")
    db.execute(
        "INSERT OR IGNORE INTO answer SELECT json_extract(CAST(body AS TEXT), '$.reply.id'), number "
        "FROM record WHERE kind = 'command' ORDER BY number"
    )
    db.execute("COMMIT")


def _table_of(db: sqlite3.Connection, path: Path, table: str | None) -> str:
    """The table whose journal this is. Raises JournalError unless it is `table`."""
    about = dict(db.execute("SELECT name, value FROM about"))
    name: str = about.get("table", "")
    if not name:
        raise JournalError(
            f"{path} is no journal, for it names no table; those of a site are STATE_DIR/journal/TABLE.sqlite"
        )
    if table is not None and name != table:
        raise JournalError(f"{path} is the journal of table {name!r}, not of {table!r}")
    if int(about.get("schema", "0")) > SCHEMA:
        raise JournalError(
            f"{path} was written by a newer tablebridge (schema {about['schema']}, this one knows "
            f"{SCHEMA}); update tablebridge"
        )
    return name


def _renew(db: sqlite3.Connection) -> None:
    """Have a journal of an older schema say the present one, which software that does not know it refuses.
    Its rows of old stay as they are and are still read; all that was taken is noted.
    """
    (schema,) = db.execute("SELECT value FROM about WHERE name = 'schema'").fetchone()
    if int(schema) < SCHEMA:
        db.execute("BEGIN IMMEDIATE")
        if int(schema) < _BATCHES_SCHEMA:
            db.execute(
                "INSERT OR REPLACE INTO about SELECT 'noted', coalesce(max(number), 0) + 1 FROM reading"
            )
        if not chain.has_proofs(db):
            db.execute("ALTER TABLE record ADD COLUMN proof BLOB")
            db.execute("INSERT INTO about SELECT ?, coalesce(max(number), 0) + 1 FROM record", (REDACTABLE,))
        db.execute("UPDATE about SET value = ? WHERE name = 'schema'", (str(SCHEMA),))
        db.execute("COMMIT")


def sole_writer(path: Path) -> int:
    """The lock of the one process that may write this journal. Raises JournalError if another has it."""
    try:
        private.folder(path.parent)
        lock = private.lock(path.with_name(f"{path.name}.lock"))
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise not_opened(path) from None
        raise JournalError(
            f"{path} cannot be written ({error.strerror}): set state_dir to a folder that may be written"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise JournalError(f"{path} is being written by another process; stop that one first") from None
    return lock
