"""Files and folders that nobody but their owner may read: journals, decks, outboxes, tokens, passwords.

All of them are made here. The umask that every process sets (`process.py`) is the second line: a file is
private from its first moment, whoever makes it. Every function raises OSError where the disk or the rights
refuse.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Final

FOLDER: Final = 0o700
FILE: Final = 0o600
_APPEND: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, with the database's mode."""


def folder(path: Path) -> None:
    """Make a folder and those above it, readable by the owner only. One that is there already may be
    anybody's and is left.
    """
    for missing in reversed([folder for folder in (path, *path.parents) if not folder.exists()]):
        missing.mkdir(mode=FOLDER, exist_ok=True)


def own_folder(path: Path) -> None:
    """The same for a part of the state folder: one that is there already is tightened."""
    folder(path)
    _tighten(path, FOLDER)


def database(path: Path) -> None:
    """Make the file of an SQLite database before SQLite opens it, since the files beside it take over its
    mode. Those that are there already are tightened.
    """
    # It is never opened when it is there: closing it again would release the locks that this process has on
    # it.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE))
    for tail in ("", *BESIDE):
        with contextlib.suppress(FileNotFoundError):
            _tighten(path.with_name(path.name + tail), FILE)


def write(path: Path, payload: bytes, mode: int = FILE) -> None:
    """Write a file, whole or not at all, in one step. The folder must be there. `mode`: its rights."""
    with replacing(path, mode) as file:
        file.write(payload)


def appending(path: Path) -> IO[bytes]:
    """A file to be written on at its end, made if it is not there. The folder must be there."""
    return path.open("ab") if path.exists() else os.fdopen(os.open(path, _APPEND, FILE), "ab")


def append(path: Path, line: bytes) -> None:
    """Append a line to a file, and return when it is on the disk. The folder must be there."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE)
    try:
        os.write(handle, line)
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def replacing(path: Path, mode: int = FILE) -> Iterator[IO[bytes]]:
    """A file to write into, which takes the place of `path` at the end; after an exception nothing of it is
    there.
    """
    handle, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    parent = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)


def give(path: Path, uid: int, gid: int, mode: int) -> None:
    """Give a file to its owner. Nothing is changed unless it is an ordinary file with one name: its folder
    may belong to somebody who wants another file given away.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        there = os.fstat(handle)
        if stat.S_ISREG(there.st_mode) and there.st_nlink == 1:
            os.fchown(handle, uid, gid)
            os.fchmod(handle, mode)
    finally:
        os.close(handle)


def lock(path: Path) -> int:
    """Open the file that stands for a lock, for `fcntl.flock`."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE)
    _tighten(path, FILE)
    return handle


def _tighten(path: Path, most: int) -> None:
    """Take away the rights beyond `most`, if it is ours."""
    there = path.stat()
    if there.st_uid == os.geteuid() and stat.S_IMODE(there.st_mode) & ~most:
        path.chmod(stat.S_IMODE(there.st_mode) & most)
