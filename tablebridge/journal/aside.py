"""A broken journal is put aside, whole and for good, and a new one takes its place.

A journal that fails its own verification, or that SQLite finds damaged, is evidence: nothing is appended to
it and nothing of it is written over. It goes into a folder of its own beside the journals,
`broken-TIME/TABLE.sqlite`, with the files that SQLite keeps beside it, so that it can still be shown and
verified under its table's name. What the new journal takes over of it is only which readings of each device
were taken already.
"""

import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from tablebridge import private
from tablebridge.journal.batches import noted_positions, positions
from tablebridge.journal.connection import connect
from tablebridge.journal.store import sole_writer
from tablebridge.model.errors import JournalBroken, JournalError
from tablebridge.model.instant import Instant


def put_aside(path: Path, now: Instant) -> Path:
    """Move the journal `path` to where it is kept; its new path. Raises JournalError if it is in use or
    cannot be moved.
    """
    lock = sole_writer(path)
    try:
        when = datetime.fromtimestamp(now.wall_ns // 1_000_000_000, UTC)
        folder = path.parent / f"broken-{when:%Y%m%dT%H%M%SZ}"
        private.own_folder(folder)
        if (folder / path.name).exists():
            raise JournalError(
                f"{path} is broken and cannot be put aside: {folder / path.name} is there; move that one away"
            )
        beside = [name for name in (f"{path.name}-wal", f"{path.name}-shm") if (path.parent / name).exists()]
        for name in beside:
            shutil.copy(path.parent / name, folder / name)
        # The one step: a kill before it leaves all in place, after it SQLite does away with a `-wal` whose
        # journal is gone.
        kept = path.rename(folder / path.name)
        for name in beside:
            (path.parent / name).unlink(missing_ok=True)
        return kept
    except OSError as error:
        raise JournalError(
            f"{path} is broken and cannot be put aside ({error.strerror}): move it away by hand and keep it"
        ) from None
    finally:
        os.close(lock)


def last_aside(path: Path) -> Path | None:
    """The journal of this table that was put aside last, if any."""
    return max(path.parent.glob(f"broken-*/{path.name}"), default=None)


def positions_of(path: Path) -> dict[tuple[str, str], int]:
    """By device and epoch the next reading to take, as far as a broken journal still says it."""
    try:
        db = connect(path)
        try:
            try:
                return positions(db)
            except JournalBroken:
                return noted_positions(db)
        finally:
            db.close()
    except (sqlite3.Error, ValueError, TypeError):
        return {}
