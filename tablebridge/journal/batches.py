"""The readings of a journal: those that wait for the next commit, those on disk, and which were taken.

A commit writes what waits as one batch, and before each record, so that the order stays that of the numbers.
Which readings of a device were taken is in the heads of the batches; it is noted in a table of its own when
old batches are deleted, and after every `_NOTED_AFTER` of them, so that a start need not read more.
"""

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, Final

from tablebridge.journal.readings import MOST_ROWS, Key, Row, Taken, Tick, decoded, encoded, follows, head_of
from tablebridge.model.errors import JournalBroken

KEPT_EPOCHS: Final = 64
"""How many epochs of a device are remembered: those that were noted last."""
_NOTED_AFTER: Final = 1000

Run = Callable[[str, tuple[Any, ...]], None]


class Batches:
    """The readings of one journal. `run` executes a statement in the open transaction, which it begins if
    there is none.
    """

    def __init__(self, db: sqlite3.Connection, run: Run) -> None:
        self._db = db
        self._run = run
        self._waiting: list[Taken | Tick] = []
        self._first = 0
        self._unnoted = 0
        self._unnoted_positions: dict[Key, int] | None = None

    def add(self, row: Taken | Tick, number: int) -> None:
        """The next row waits; a full batch is written."""
        if self._waiting and not follows(self._waiting[-1], row):
            self.write()
        if not self._waiting:
            self._first = number
        self._waiting.append(row)
        if isinstance(row, Taken):
            self._took(row.stamped.device, row.stamped.epoch, row.stamped.seq + 1)
        if len(self._waiting) == MOST_ROWS:
            self.write()

    @property
    def waits(self) -> bool:
        """Whether any row waits."""
        return bool(self._waiting)

    def write(self) -> None:
        """Write what waits, inside the open transaction."""
        if not self._waiting:
            return
        self._run("INSERT INTO reading VALUES (?,?)", (self._first, encoded(self._waiting)))
        following = self._first + len(self._waiting)
        self._waiting.clear()
        self._unnoted += 1
        if self._unnoted >= _NOTED_AFTER:
            self._note(following)

    def drop(self) -> None:
        """What waits never was, nor anything else that is not committed."""
        self._waiting.clear()
        self._unnoted_positions = None

    def note(self, device: str, epoch: str, following: int, number: int) -> None:
        """All readings of the device's epoch before `following` were taken or are lost. `number`: of the next
        row.
        """
        self.write()
        self._took(device, epoch, following)
        self._note(number)

    def forget(self, before: int, number: int) -> None:
        """Delete rows with a number below `before`. `number`: of the next row."""
        self.write()
        self._note(number)
        self._run("DELETE FROM reading WHERE number < ?", (before,))

    @property
    def _taken(self) -> dict[Key, int]:
        """What is not noted yet, in the order in which it was taken last."""
        if self._unnoted_positions is None:
            self._unnoted_positions = _taken_since_noted(self._db)
        return self._unnoted_positions

    def _took(self, device: str, epoch: str, following: int) -> None:
        taken = self._taken
        taken.pop((device, epoch), None)
        taken[device, epoch] = following

    def _note(self, number: int) -> None:
        for (device, epoch), following in self._taken.items():
            self._run("INSERT OR REPLACE INTO position VALUES (?,?,?)", (device, epoch, following))
            self._run(
                "DELETE FROM position WHERE device = ? AND rowid <= (SELECT rowid FROM position "
                "WHERE device = ? ORDER BY rowid DESC LIMIT 1 OFFSET ?)",
                (device, device, KEPT_EPOCHS),
            )
        self._run("INSERT OR REPLACE INTO about VALUES ('noted', ?)", (str(number),))
        self._taken.clear()
        self._unnoted = 0


def next_number(db: sqlite3.Connection) -> int:
    """The number after the last row on disk; 1 if there is none."""
    last = db.execute("SELECT number, body FROM reading ORDER BY number DESC LIMIT 1").fetchone()
    return 1 if last is None else last[0] + _head(*last)[0]


def rows(db: sqlite3.Connection, since: int) -> Iterator[Row]:
    """The rows on disk from number `since` on, in order. Raises JournalBroken."""
    for first, body in db.execute(
        "SELECT number, body FROM reading WHERE number >= "
        "coalesce((SELECT max(number) FROM reading WHERE number <= :since), :since) ORDER BY number",
        {"since": since},
    ):
        try:
            batch = decoded(body)
        except ValueError as error:
            raise _broken(first, error) from None
        for number, row in enumerate(batch, first):
            if number >= since:
                yield Row(number, row)


def positions(db: sqlite3.Connection) -> dict[Key, int]:
    """By device and epoch the number of the next reading to take, in the order in which they were noted
    last.
    """
    found = noted_positions(db)
    for key, following in _taken_since_noted(db).items():
        found.pop(key, None)
        found[key] = following
    return found


def noted_positions(db: sqlite3.Connection) -> dict[Key, int]:
    """Those that were noted, without what the batches say."""
    return {
        (device, epoch): following
        for device, epoch, following in db.execute("SELECT device, epoch, next FROM position ORDER BY rowid")
    }


def _taken_since_noted(db: sqlite3.Connection) -> dict[Key, int]:
    """What the heads of the batches say that are not noted. A journal without that number has noted all."""
    noted = db.execute("SELECT value FROM about WHERE name = 'noted'").fetchone()
    taken: dict[Key, int] = {}
    if noted is not None:
        for number, body in db.execute(
            "SELECT number, body FROM reading WHERE number >= ? ORDER BY number", (int(noted[0]),)
        ):
            for key, following in _head(number, body)[1].items():
                taken.pop(key, None)
                taken[key] = following
    return taken


def _head(number: int, body: bytes) -> tuple[int, dict[Key, int]]:
    try:
        return head_of(body)
    except ValueError as error:
        raise _broken(number, error) from None


def _broken(number: int, error: ValueError) -> JournalBroken:
    return JournalBroken(
        f"its readings from number {number} on are damaged ({error}); keep the file: it is evidence"
    )
