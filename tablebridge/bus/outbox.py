"""The outbox: every reading is on disk here before it is published, and stays until it was acknowledged and longer.

One SQLite file for one device. Readings are numbered without a gap. `acked_to` is the number up to which the broker has
acknowledged everything; the rows behind it are kept a while (`keep`), so that a receiver that misses some can ask again.
Acknowledgements beyond the first missing one are remembered in memory only: a crash repeats those readings, it loses none.

A kill of the process loses nothing. Loss of power may lose the last rows, because SQLite in WAL mode with
`synchronous=NORMAL` syncs at checkpoints (`full_sync=True` syncs every commit, at about ten times the cost). Some lost
rows may already have been delivered, and their numbers must not be given out twice: so an outbox that was not closed
before the machine started anew begins a new epoch, which goes on where the surviving numbers end.
"""

import logging
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
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
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS reading (seq INTEGER PRIMARY KEY, payload BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS box (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    epoch TEXT NOT NULL, epoch_first INTEGER NOT NULL, acked_to INTEGER NOT NULL, boot TEXT NOT NULL, closed INTEGER NOT NULL);
"""


class OutboxFull(BrokerError):
    """Nothing can be written: the disk is full, or the bound is reached and nothing in it is acknowledged."""


class Outbox:
    """The outbox of one device. The file's name is the device's: `DEVICE.sqlite`. One process and one thread use it.

    `limit_bytes` bounds the file; when it is reached the oldest acknowledged readings go first.
    Raises BrokerError where the file cannot be opened or another process has it open. A damaged file is set aside
    under another name, with a line in the log, and a new one is begun.
    """

    def __init__(self, path: Path, *, full_sync: bool = False, keep: int = KEEP, limit_bytes: int = LIMIT_BYTES) -> None:
        self.path = path
        self.device = path.stem
        self._keep = keep
        self._acked_early: set[int] = set()
        self._unpruned = 0
        try:
            private.folder(path.parent)
            self._db = self._open_or_renew(full_sync, limit_bytes)
            self._begin()
        except (OSError, sqlite3.Error) as error:
            raise _sentence(path, error) from None

    def _open_or_renew(self, full_sync: bool, limit_bytes: int) -> sqlite3.Connection:
        try:
            return _open(self.path, full_sync, limit_bytes)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            aside = self.path.with_name(f"{self.path.name}.damaged-{secrets.token_hex(4)}")
            log.error("outbox %s is damaged (%s): set aside as %s, a new one is begun", self.path, error, aside.name)
            self.path.rename(aside)
            for tail in ("-wal", "-shm"):
                self.path.with_name(self.path.name + tail).unlink(missing_ok=True)
            return _open(self.path, full_sync, limit_bytes)

    def _begin(self) -> None:
        """Read where the file ends; a new file, or one that power loss may have cut, gets a new epoch."""
        boot = _BOOT.read_text().strip() if _BOOT.exists() else ""
        highest = self._db.execute("SELECT max(seq) FROM reading").fetchone()[0] or 0
        row = self._db.execute("SELECT epoch, epoch_first, acked_to, boot, closed FROM box").fetchone()
        epoch, epoch_first, acked_to, boot_before, closed = row or ("", 1, 0, boot, 1)
        self.acked_to: int = acked_to
        self.next_seq: int = max(highest, acked_to) + 1
        safe = self._db.execute("PRAGMA synchronous").fetchone()[0] >= 2
        if not row or (boot != boot_before and not closed and not safe):
            epoch, epoch_first = secrets.token_hex(8), self.next_seq
        self.epoch: str = epoch
        self.epoch_first: int = epoch_first
        self._first: int = self._db.execute("SELECT min(seq) FROM reading").fetchone()[0] or self.next_seq
        self._db.execute("INSERT OR REPLACE INTO box VALUES (1, ?, ?, ?, ?, 0)", (epoch, epoch_first, acked_to, boot))

    @property
    def first_seq(self) -> int:
        """The oldest reading of this epoch that can still be replayed; `next_seq` where there is none."""
        return max(self._first, self.epoch_first)

    @property
    def waiting(self) -> int:
        """How many readings the broker has not acknowledged."""
        return self.next_seq - 1 - self.acked_to - len(self._acked_early)

    def append(self, readings: Sequence[Reading], at: Instant) -> list[Stamped]:
        """Number the readings and put them on disk, all or none. Raises OutboxFull where they cannot be written."""
        stamped = [Stamped(self.device, self.epoch, self.next_seq + n, at, reading) for n, reading in enumerate(readings)]
        rows = [(one.seq, encode(ReadingMessage(one))) for one in stamped]
        try:
            self._insert(rows)
        except sqlite3.Error as error:
            if not self._make_room():
                raise _sentence(self.path, error) from None
            try:
                self._insert(rows)
            except sqlite3.Error as again:
                raise _sentence(self.path, again) from None
        self.next_seq += len(rows)
        return stamped

    def unsent(self, after: int, limit: int) -> list[tuple[int, bytes]]:
        """At most `limit` readings beyond number `after` and not acknowledged, oldest first, as (seq, payload)."""
        return self.range(max(after, self.acked_to) + 1, self.next_seq - 1, limit)

    def range(self, first: int, last: int, limit: int = -1) -> list[tuple[int, bytes]]:
        """The readings from `first` to `last`, both included, as (seq, payload), as far as they are still there."""
        return self._db.execute(
            "SELECT seq, payload FROM reading WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?", (first, last, limit)).fetchall()

    def acked(self, seqs: Iterable[int]) -> None:
        """The broker has these. Where the disk refuses to note it they would be sent again after a restart."""
        self._acked_early.update(seq for seq in seqs if self.acked_to < seq < self.next_seq)
        before = self.acked_to
        while self.acked_to + 1 in self._acked_early:
            self.acked_to += 1
            self._acked_early.remove(self.acked_to)
        if self.acked_to == before:
            return
        self._unpruned += self.acked_to - before
        try:
            self._db.execute("UPDATE box SET acked_to = ?", (self.acked_to,))
            if self._unpruned >= _PRUNE_EVERY:
                self._prune(self.next_seq - 1 - self._keep)
        except sqlite3.Error as error:
            log.warning("%s", _sentence(self.path, error))

    def close(self) -> None:
        """Everything to disk, synced: after this not even loss of power loses a reading."""
        try:
            self._db.execute("UPDATE box SET closed = 1")
        except sqlite3.Error as error:
            log.warning("%s", _sentence(self.path, error))
        self._db.close()

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
        """Give up the older half of what the broker has. False where that is nothing."""
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


def _open(path: Path, full_sync: bool, limit_bytes: int) -> sqlite3.Connection:
    private.database(path)
    db = sqlite3.connect(path, timeout=0.5, isolation_level=None)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {'FULL' if full_sync else 'NORMAL'}")
        page_size = db.execute("PRAGMA page_size").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {max(limit_bytes // page_size, 8)}")
        db.executescript(_SCHEMA)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _sentence(path: Path, error: Exception) -> BrokerError:
    match getattr(error, "sqlite_errorcode", None):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return BrokerError(f"The outbox {path} is open in another process: a device has one driver process.")
        case sqlite3.SQLITE_FULL:
            return OutboxFull(f"The outbox {path} is full and the broker has not taken what is in it: "
                              "free disk space or bring the broker back; readings are lost until then.")
        case None:
            return BrokerError(f"The outbox {path} cannot be opened: {error}.")
        case _:
            return OutboxFull(f"The outbox {path} cannot be written ({error}): "
                              "look at the disk's free space and health; readings are lost until then.")
