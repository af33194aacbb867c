"""The outbox: every reading is on disk here before it is published, and stays until it was acknowledged and
longer.

One SQLite file for one device. Readings are numbered without a gap. `acked_to` is the number up to which the
broker has acknowledged everything; the rows behind it are kept a while (`keep`), so that a receiver that
misses some can ask again. Acknowledgements beyond the first missing one are remembered in memory only: a
crash repeats those readings, it loses none.

A kill of the process loses nothing. Loss of power may lose the last rows, because SQLite in WAL mode with
`synchronous=NORMAL` syncs at checkpoints (`full_sync=True` syncs every commit, at about ten times the cost).
A backup that is restored loses more of them. Some lost rows may already have been delivered, and their
numbers must not be given out twice. The file cannot know that it is an older one: so every opening begins a
new epoch, which goes on after the last number of the file. The receiver compares that with what it has, and
says so when numbers went back.
"""

import logging
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tablebridge import private
from tablebridge.bus.messages import ReadingMessage, encode
from tablebridge.model.errors import BrokerError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading, Stamped

log = logging.getLogger(__name__)

KEEP: Final = 5_000
"""How many of the newest readings stay after they were acknowledged."""

LIMIT_BYTES: Final = 512 * 1024 * 1024
_PRUNE_EVERY: Final = 500

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS reading (seq INTEGER PRIMARY KEY, payload BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS acked (one INTEGER PRIMARY KEY CHECK (one = 1), up_to INTEGER NOT NULL) STRICT;
"""

_DAMAGED_KEPT: Final = 3


class OutboxFull(BrokerError):
    """Nothing can be written: the disk is full, or the bound is reached and nothing in it is acknowledged."""


class Outbox:
    """The outbox of one device. The file's name is the device's: `DEVICE.sqlite`. One process and one thread
    use it.

    `limit_bytes` bounds the file; when it is reached the oldest acknowledged readings go first. `epoch` is
    new at each opening. Raises BrokerError if the file cannot be opened or another process has it
    open.

    A damaged file is set aside as `DEVICE.sqlite.damaged-TIME`, whenever that is found out, and a new one is
    begun; of those set aside the newest three are kept. `damage` then says it in a sentence, until somebody
    has passed it on and clears it.
    """

    def __init__(
        self, path: Path, *, full_sync: bool = False, keep: int = KEEP, limit_bytes: int = LIMIT_BYTES
    ) -> None:
        self.path = path
        self.device = path.stem
        self.damage = ""
        self._keep = keep
        self._full_sync = full_sync
        self._limit_bytes = limit_bytes
        self._acked_early: set[int] = set()
        self._unpruned = 0
        try:
            private.own_folder(path.parent)
            try:
                self._open(0)
            except sqlite3.Error as error:
                if not _is_damage(error) and getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR:
                    raise
                self._renew(error, 0)
        except (OSError, sqlite3.Error) as error:
            raise _sentence(path, error) from None

    def _open(self, used_to: int) -> None:
        """Open the file and begin an epoch after its last number, or after `used_to` in a file that is
        new.
        """
        db = _connect(self.path, self._full_sync, self._limit_bytes)
        try:
            db.execute("INSERT OR IGNORE INTO acked VALUES (1, ?)", (used_to,))
            first, highest = db.execute("SELECT min(seq), max(seq) FROM reading").fetchone()
            self.acked_to: int = db.execute("SELECT up_to FROM acked").fetchone()[0]
        except sqlite3.Error:
            db.close()
            raise
        self._db = db
        self.next_seq: int = max(highest or 0, self.acked_to) + 1
        self.epoch: str = secrets.token_hex(8)
        self.epoch_first: int = self.next_seq
        self._first: int = first or self.next_seq

    def _renew(self, error: sqlite3.Error, used_to: int) -> None:
        """Set the damaged file aside and begin a new one. What nobody had acknowledged stays in the damaged
        one.
        """
        kept = f"{self.path.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"
        for tail in ("", "-wal", "-shm"):
            part = self.path.with_name(self.path.name + tail)
            if part.exists():
                part.rename(self.path.with_name(kept + tail)).chmod(0o600)
        for old in sorted(self.path.parent.glob(f"{self.path.name}.damaged-*Z"))[:-_DAMAGED_KEPT]:
            for tail in ("", "-wal", "-shm"):
                old.with_name(old.name + tail).unlink(missing_ok=True)
        log.error(
            "the outbox %s is damaged (%s): it is set aside as %s and a new one is begun",
            self.path,
            error,
            kept,
        )
        self.damage = (
            f"its outbox was damaged and is set aside as {kept}: readings that nobody had yet are lost"
        )
        self._acked_early.clear()
        self._open(used_to)

    def _renew_if_damaged(self, error: sqlite3.Error) -> bool:
        """In the middle of work: numbers go on, in a new epoch. Raises BrokerError if no new one can be
        begun.
        """
        if not _is_damage(error):
            return False
        self._db.close()
        try:
            self._renew(error, self.next_seq - 1)
        except (OSError, sqlite3.Error) as again:
            raise _sentence(self.path, again) from None
        return True

    @property
    def first_seq(self) -> int:
        """The oldest reading of this epoch that can still be replayed; `next_seq` if there is none."""
        return max(self._first, self.epoch_first)

    @property
    def waiting(self) -> int:
        """How many readings the broker has not acknowledged."""
        return self.next_seq - 1 - self.acked_to - len(self._acked_early)

    def append(self, readings: Sequence[Reading], at: Instant) -> list[Stamped]:
        """Number the readings and put them on disk, all or none. Raises OutboxFull if they cannot be
        written.
        """
        try:
            return self._append(readings, at)
        except sqlite3.Error as error:
            if not self._renew_if_damaged(error) and not self._make_room():
                raise _sentence(self.path, error) from None
        try:
            return self._append(readings, at)
        except sqlite3.Error as again:
            raise _sentence(self.path, again) from None

    def unsent(self, after: int, limit: int) -> list[tuple[int, bytes]]:
        """At most `limit` readings beyond number `after` and not acknowledged, oldest first, as (seq,
        payload).
        """
        return self.range(max(after, self.acked_to) + 1, self.next_seq - 1, limit)

    def range(self, first: int, last: int, limit: int = -1) -> list[tuple[int, bytes]]:
        """The readings from `first` to `last`, both included, as (seq, payload), as far as they are still
        there.
        """
        try:
            return self._db.execute(
                "SELECT seq, payload FROM reading WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?",
                (first, last, limit),
            ).fetchall()
        except sqlite3.Error as error:
            if self._renew_if_damaged(error):
                return []
            raise _sentence(self.path, error) from None

    def acked(self, seqs: Iterable[int]) -> None:
        """Note that the broker has these. If the disk refuses it, they are sent again after a restart."""
        self._acked_early.update(seq for seq in seqs if self.acked_to < seq < self.next_seq)
        before = self.acked_to
        while self.acked_to + 1 in self._acked_early:
            self.acked_to += 1
            self._acked_early.remove(self.acked_to)
        if self.acked_to == before:
            return
        self._unpruned += self.acked_to - before
        try:
            self._db.execute("UPDATE acked SET up_to = ?", (self.acked_to,))
            if self._unpruned >= _PRUNE_EVERY:
                self._prune(self.next_seq - 1 - self._keep)
        except sqlite3.Error as error:
            if not self._renew_if_damaged(error):
                log.warning("%s", _sentence(self.path, error))

    def close(self) -> None:
        """Write everything to disk, synced: after this not even loss of power loses a reading."""
        self._db.close()

    def _append(self, readings: Sequence[Reading], at: Instant) -> list[Stamped]:
        stamped = [
            Stamped(self.device, self.epoch, self.next_seq + n, at, reading)
            for n, reading in enumerate(readings)
        ]
        rows = [(numbered.seq, encode(ReadingMessage(numbered))) for numbered in stamped]
        self._insert(rows)
        self.next_seq += len(rows)
        return stamped

    def _insert(self, rows: list[tuple[int, bytes]]) -> None:
        if len(rows) == 1:
            self._db.execute("INSERT INTO reading VALUES (?, ?)", rows[0])
            return
        self._db.execute("BEGIN")
        try:
            self._db.executemany("INSERT INTO reading VALUES (?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _make_room(self) -> bool:
        """Delete the older half of what the broker has acknowledged. False if there is nothing."""
        if self._first > self.acked_to:
            return False
        try:
            self._prune((self._first + self.acked_to) // 2)
        except sqlite3.Error:
            return False
        return True

    def _prune(self, to: int) -> None:
        to = min(to, self.acked_to)
        self._unpruned = 0
        if to >= self._first:
            self._db.execute("DELETE FROM reading WHERE seq <= ?", (to,))
            self._first = to + 1


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is damaged, and not the disk full or the file in use by another process."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _connect(path: Path, full_sync: bool, limit_bytes: int) -> sqlite3.Connection:
    """The file, checked and with our tables. A file with other tables of the same names raises
    sqlite3.OperationalError.
    """
    private.database(path)
    db = sqlite3.connect(path, timeout=0.5, isolation_level=None)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {'FULL' if full_sync else 'NORMAL'}")
        page_size = db.execute("PRAGMA page_size").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {max(limit_bytes // page_size, 8)}")
        db.executescript(_SCHEMA)
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            damaged = sqlite3.DatabaseError(found)
            damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damaged
    except sqlite3.Error:
        db.close()
        raise
    return db


def _sentence(path: Path, error: Exception) -> BrokerError:
    match getattr(error, "sqlite_errorcode", None):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return BrokerError(
                f"The outbox {path} is open in another process: a device has one driver process."
            )
        case sqlite3.SQLITE_FULL:
            return OutboxFull(
                f"The outbox {path} is full and the broker has not taken what is in it: "
                "free disk space or bring the broker back; readings are lost until then."
            )
        case None:
            return BrokerError(f"The outbox {path} cannot be opened: {error}.")
        case _:
            return OutboxFull(
                f"The outbox {path} cannot be written ({error}): "
                "look at the disk's free space and health; readings are lost until then."
            )
