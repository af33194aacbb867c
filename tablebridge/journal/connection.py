"""How a journal's file is opened, and why it cannot be used, in a sentence that says what to do.

SQLite has one error for a file that it cannot open, whatever the reason, and opens the files beside the
journal only when it needs them. So the reason is looked for here.
"""

import os
import sqlite3
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

from tablebridge.model.errors import JournalBroken, JournalError

_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NOT_OPENED: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY)
_IN_USE: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FILES_OF_A_JOURNAL: Final = 3
"""The journal, its log and the log's index."""


def connect(
    path: Path, mode: Literal["ro", "rw"] = "ro", *, timeout_s: float = 5.0, immutable: bool = False
) -> sqlite3.Connection:
    """Open a database that exists. `immutable`: nobody writes it, so no file is made beside it. Raises
    sqlite3.Error.
    """
    address = f"file:{quote(str(path))}?mode={mode}{'&immutable=1' if immutable else ''}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=timeout_s)


def unusable(path: Path, error: sqlite3.Error, last_record: int = 0) -> JournalError:
    """The error for whoever wanted to use this journal. `last_record`: the number of the last that was found
    sound. Ask before anything is closed: descriptors may be what is missing.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _NOT_OPENED:
        return not_opened(path)
    if code in _IN_USE:
        return JournalError(f"{path} is locked by another program; close that one, then try again")
    if code == sqlite3.SQLITE_IOERR:
        return JournalError(
            f"{path} cannot be read or written, since the disk reports an error ({error}). Look at the "
            "system's log, and copy the file to another disk"
        )
    kind = JournalBroken if code in _DAMAGED else JournalError
    return kind(
        f"{path} is damaged and cannot be read ({error}); the last sound record is {last_record}. "
        "Keep the file: it is evidence"
    )


def not_opened(path: Path) -> JournalError:
    """The error for whoever could not open this journal or the files beside it."""
    if not _descriptors_left():
        return JournalError(
            f"{path} cannot be opened: this process has too many files open already. Start it with a higher "
            "limit (`ulimit -n`, LimitNOFILE of its unit)"
        )
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))
    except FileNotFoundError:
        return JournalError(f"there is no journal {path}: those of a site are STATE_DIR/journal/TABLE.sqlite")
    except PermissionError:
        return JournalError(f"{path} may not be opened: run this as the user that the file belongs to")
    except OSError as error:
        return JournalError(f"{path} cannot be opened ({error.strerror}): check the path and its permissions")
    return JournalError(
        f"{path} cannot be opened, since nothing can be written beside it: check the rights of its folder "
        "and of the files beside it"
    )


def _descriptors_left() -> bool:
    """Whether this process may open as many files as a journal has."""
    held: list[int] = []
    try:
        for _ in range(_FILES_OF_A_JOURNAL):
            held.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        return False
    finally:
        for handle in held:
            os.close(handle)
    return True
