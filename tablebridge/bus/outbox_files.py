"""The files of an outbox: messages are appended at the end of the newest file, and deleted by whole files."""

import errno
import fcntl
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from tablebridge import private
from tablebridge.bus.frames import MESSAGE, Damaged, Frame, frames
from tablebridge.model.errors import BrokerError

log = logging.getLogger(__name__)

_DAMAGED_KEPT: Final = 3
_SUFFIX: Final = ".log"


class OutboxFull(BrokerError):
    """Nothing can be written: the disk is full, or the bound is reached and nothing in it is acknowledged."""


class File:
    """One file of the outbox: its size, its messages from `first` to `last`, and by device the numbers of the
    readings in them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.first = 0
        self.last = -1
        self.spans: dict[str, tuple[int, int]] = {}
        self.counts: list[int] = []
        """How many readings each message has, from `first` on."""

    def holds(self, number: int, end: int, identities: Sequence[tuple[str, int]]) -> None:
        """The message of this number is in it, and it ends there."""
        if not self.counts:
            self.first = number
        self.size, self.last = end, number
        self.counts.append(len(identities))
        for device, seq in identities:
            first, last = self.spans.get(device, (seq, seq))
            self.spans[device] = min(first, seq), max(last, seq)


class Files:
    """The files in `folder`, oldest first. `head`: makes what each file begins with. `limit_bytes` bounds all
    of them together; a new one is begun when the newest has `file_bytes`. Raises BrokerError if another
    process has them, OSError.
    """

    def __init__(self, folder: Path, limit_bytes: int, file_bytes: int, head: Callable[[], bytes]) -> None:
        self.all: list[File] = []
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._file_bytes = file_bytes
        self._head = head
        self._read: tuple[Path, int, list[Frame]] | None = None
        self._end = -1
        private.own_folder(folder)
        self._lock = _locked(folder)

    def scan(self, found: Callable[[File, Frame], None]) -> Iterator[str]:
        """Read what is there: `found` is called with each frame. Gives the new name of each damaged file."""
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            file = File(path)
            try:
                for frame in frames(path.read_bytes()):
                    found(file, frame)
            except (Damaged, msgspec.MsgspecError) as error:
                # What stands before the damage was found all the same: it has numbers that were given out.
                yield self._set_aside(path, error)
            else:
                self.all.append(file)

    def begin(self, first: int) -> None:
        """Begin a file, whose first message will have this number. Files without messages are deleted: each
        opening begins one. Raises OSError.
        """
        names = (path.name.partition(".")[0] for path in self._folder.glob(f"*{_SUFFIX}*"))
        number = max((int(name) for name in names if name.isdecimal()), default=0) + 1
        path, numbers = self._folder / f"{number:012}{_SUFFIX}", self._head()
        end = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, private.FILE)
        try:
            if os.write(end, numbers) < len(numbers):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self._end >= 0:
                os.fsync(self._end)
        except OSError:
            os.close(end)
            path.unlink(missing_ok=True)
            raise
        if self._end >= 0:
            os.close(self._end)
        self._end = end
        file = File(path)
        file.first, file.last = first, first - 1
        file.size = len(numbers)
        for empty in [file for file in self.all if not file.counts]:
            empty.path.unlink(missing_ok=True)
            self.all.remove(empty)
        self.all.append(file)

    def write(self, data: bytes, first: int, acked_to: int) -> File:
        """Append to the newest file, all of it or nothing; the file. `first`: the number of the first message
        in it. If there is no room, the older half of what was acknowledged is deleted. Raises OutboxFull.
        """
        size = sum(file.size for file in self.all)
        if size + len(data) > self._limit_bytes and not self._make_room(acked_to):
            raise OutboxFull(
                f"The outbox {self._folder} is full and the broker has not taken what is in it: "
                "free disk space or bring the broker back; readings are lost until then."
            )
        try:
            self._put(data, first)
        except OSError as error:
            if not self._make_room(acked_to):
                raise self.refused(error) from None
            try:
                self._put(data, first)
            except OSError as again:
                raise self.refused(again) from None
        return self.all[-1]

    def _put(self, data: bytes, first: int) -> None:
        """Raises OSError; then the file is as it was before."""
        if self._end < 0 or self.all[-1].size >= self._file_bytes:
            self.begin(first)
        size = self.all[-1].size
        try:
            written = os.write(self._end, data)
            if written < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            os.ftruncate(self._end, size)
            raise

    def prune(self, acked_to: int, keep_bytes: int) -> None:
        """Delete the oldest files that the broker has acknowledged as a whole, but for the newest of them,
        which together have `keep_bytes`.
        """
        acknowledged = self._acknowledged(acked_to)
        surplus = sum(file.size for file in acknowledged) - keep_bytes
        for file in acknowledged:
            if surplus < file.size:
                break
            surplus -= file.size
            file.path.unlink(missing_ok=True)
            self.all.remove(file)

    def messages(self, file: File) -> list[Frame]:
        """The messages of a file. Raises OSError, Damaged."""
        if self._read is None or self._read[:2] != (file.path, file.size):
            data = file.path.read_bytes()[: file.size]
            self._read = (file.path, file.size, [frame for frame in frames(data) if frame.kind == MESSAGE])
        return self._read[2]

    def lose(self, file: File, error: Exception) -> str:
        """Set a damaged file aside; its new name. Raises OSError."""
        self.all.remove(file)
        return self._set_aside(file.path, error)

    def close(self, first: int) -> None:
        """Write the head once more and sync everything, as far as the disk allows it."""
        if self._lock < 0:
            return
        try:
            self._put(self._head(), first)
            os.fsync(self._end)
        except OSError as error:
            log.warning("the outbox %s could not be closed well (%s)", self._folder, error)
        os.close(self._end)
        os.close(self._lock)
        self._end = self._lock = -1

    def _make_room(self, acked_to: int) -> bool:
        """Delete the older half of what the broker has acknowledged. False if there is nothing."""
        before = len(self.all)
        self.prune(acked_to, sum(file.size for file in self._acknowledged(acked_to)) // 2)
        return len(self.all) < before

    def _acknowledged(self, acked_to: int) -> list[File]:
        """The files that the broker has acknowledged as a whole, oldest first; never the newest."""
        return [file for file in self.all[:-1] if file.last <= acked_to]

    def refused(self, error: OSError) -> OutboxFull:
        return OutboxFull(
            f"The outbox {self._folder} cannot be written ({error}): "
            "look at the disk's free space and health; readings are lost until then."
        )

    def _set_aside(self, path: Path, error: Exception) -> str:
        kept = f"{path.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"
        path.rename(path.with_name(kept)).chmod(private.FILE)
        for old in sorted(self._folder.glob(f"*{_SUFFIX}.damaged-*Z"))[:-_DAMAGED_KEPT]:
            old.unlink()
        log.error("the outbox %s is damaged (%s): it is set aside as %s", path, error, kept)
        return kept


def _locked(folder: Path) -> int:
    """The lock of an outbox. Raises BrokerError if another process has it, OSError."""
    handle = private.lock(folder / "lock")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise BrokerError(
            f"The outbox {folder} is open in another process: a group of devices has one driver process."
        ) from None
    return handle
