"""The machine that is installed on: this one, or the folder that becomes the root of another one (an image, a
test). All changes to it are made here.
"""

import contextlib
import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tablebridge import private
from tablebridge.model.errors import Refused

_MASK = 0o022


class Machine:
    """A root folder. `booted`: whether systemd runs it, so that units can be started."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.booted = self.root == Path("/") and Path("/run/systemd/system").is_dir()

    def path(self, place: str) -> Path:
        """A place below the root."""
        return self.root / place.lstrip("/")

    def write(self, place: str, payload: bytes, mode: int) -> None:
        """Write a file, whole or not at all; folders above it are made."""
        path = self.path(place)
        self.folder(path.parent)
        try:
            private.write(path, payload, mode)
        except OSError as error:
            # It names the file that it writes first, which has another name.
            raise OSError(error.errno, error.strerror, str(path)) from None

    def folder(self, path: Path) -> None:
        """Make a folder that all may read, and those above it, each with its rights from its first moment."""
        private_mask = os.umask(_MASK)
        try:
            path.mkdir(parents=True, exist_ok=True)
        finally:
            os.umask(private_mask)

    def run(self, *command: str) -> None:
        """Run a program of systemd on this root. Raises Refused with what it said."""
        program, *arguments = command
        rooted = [] if self.root == Path("/") else [f"--root={self.root}"]
        try:
            done = subprocess.run(
                [program, *rooted, *arguments], capture_output=True, text=True, timeout=300, check=False
            )
        except FileNotFoundError:
            raise Refused(
                f"{program} is not there: install systemd 252 or later, and install again."
            ) from None
        except subprocess.TimeoutExpired:
            raise Refused(
                f"`{' '.join(command)}` did not end within 300 s: see `systemctl status`."
            ) from None
        if done.returncode:
            reason = (done.stderr or done.stdout).strip().splitlines()
            raise Refused(
                f"`{' '.join(command)}` failed: {reason[-1] if reason else f'exit status {done.returncode}'}"
            )

    def user(self, name: str) -> tuple[int, int] | None:
        """The numbers of a user of that root and of the user's group; None for no such user."""
        return next(
            ((int(row[2]), int(row[3])) for row in self._rows("etc/passwd", 4) if row[0] == name), None
        )

    def group(self, name: str) -> int | None:
        """The number of a group of that root."""
        return next((int(row[2]) for row in self._rows("etc/group", 3) if row[0] == name), None)

    def _rows(self, place: str, fields: int) -> Iterator[list[str]]:
        with contextlib.suppress(FileNotFoundError):
            for line in self.path(place).read_text().splitlines():
                row = line.split(":")
                if len(row) > fields - 1 and row[2].isdigit():
                    yield row


def has(program: str) -> bool:
    """Whether a program is installed on this machine."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is not None


def sentence(error: OSError) -> str:
    """What a refusal of the disk means and what to do."""
    place = error.filename2 or error.filename or "the disk"
    again = "then run `tablebridge install` again: what is done stays, and nothing of the state was changed."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"There is no room left for {place}: free some space, {again}"
    if error.errno == errno.EROFS:
        return f"{place} is on a file system that is read-only: mount it for writing, {again}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{place} may not be written: run this as root, with sudo."
    return f"{place} cannot be written ({error.strerror}): correct that, {again}"
