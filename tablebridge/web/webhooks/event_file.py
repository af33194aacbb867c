"""The file in which the events for webhooks wait: an event is there before its message of the bus is
acknowledged, and until it was delivered or given up.

It holds what is sent, no more: no address of a receiver, no secret, no card and no name. A file that cannot
be read is set aside and a new one is begun.
"""

import logging
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tablebridge import private
from tablebridge.model.instant import Instant
from tablebridge.model.site_event import SiteEvent

_SCHEMA: Final = (
    "CREATE TABLE event (number INTEGER PRIMARY KEY AUTOINCREMENT, hook TEXT NOT NULL, at BLOB NOT NULL, "
    "body BLOB NOT NULL, UNIQUE (hook, body)) STRICT",
    "CREATE TABLE lost (hook TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID",
)
_AT: Final = msgspec.json.Decoder(Instant)
_EVENT: Final = msgspec.json.Decoder(SiteEvent)
_log: Final = logging.getLogger(__name__)


class Kept(NamedTuple):
    """An event that waits for a webhook. `at`: since when."""

    number: int
    hook: str
    at: Instant
    event: SiteEvent


class EventFile:
    """The events of all webhooks of a site. One thread uses it. `lost`: by webhook, how many events were lost
    that its receiver has not heard of. Raises sqlite3.Error, OSError if the disk refuses.
    """

    def __init__(self, path: Path) -> None:
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
            _log.error(
                "the events for webhooks in %s cannot be read (%s); it is now %s", path, error, damaged
            )
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
        self.lost: dict[str, int] = dict(self._db.execute("SELECT hook, count FROM lost"))
        self.events = [
            Kept(number, hook, _AT.decode(at), _EVENT.decode(body))
            for number, hook, at, body in self._db.execute("SELECT * FROM event ORDER BY number")
        ]

    def write(
        self,
        added: Sequence[tuple[str, Instant, SiteEvent]],
        finished: Iterable[int] = (),
        lost: Mapping[str, int] | None = None,
    ) -> list[int]:
        """Put these events on disk, delete the rows of others, and note what was lost, all or nothing. The
        rows of the new events; 0 for an event that is there already.
        """
        numbers = []
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for hook, at, event in added:
                values = hook, msgspec.json.encode(at), msgspec.json.encode(event)
                done = self._db.execute("INSERT OR IGNORE INTO event (hook, at, body) VALUES (?,?,?)", values)
                numbers.append(int(done.lastrowid or 0) if done.rowcount else 0)
            self._db.executemany("DELETE FROM event WHERE number = ?", ((number,) for number in finished))
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
