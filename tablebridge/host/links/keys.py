"""A reader that the kernel takes for a keyboard: its events through evdev, held for us alone.

Held twice: by EVIOCGRAB, so that its keys reach no console and no window, and by a lock, so that no second
driver opens it. The kernel's times are left out: the host stamps its own. Sources: linux/input.h, and
Documentation/input/input.rst.
"""

import errno
import fcntl
import os
import stat
import struct
from pathlib import Path
from typing import Final

from tablebridge.host.links.link import LinkRefused
from tablebridge.model.errors import LinkError

FOLDER: Final = "/dev/input/"
_EVIOCGRAB: Final = 0x40044590
"""_IOW('E', 0x90, int)"""
_EVENT: Final = struct.Struct("@llHHi")
_TIMELESS: Final = struct.Struct("<HHi")


class KeysLink:
    """An open event device. Raises LinkRefused, LinkError."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = -1
        try:
            if not stat.S_ISCHR(Path(path).stat().st_mode):
                raise LinkRefused(f"{path} is no input device: correct the port in the site file.")
            self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.ioctl(self._fd, _EVIOCGRAB, 1)
        except OSError as error:
            self.close()
            raise _refusal(path, error) from None

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._fd

    def read(self) -> bytes:
        """The events that are there. Raises LinkError when the reader was unplugged."""
        try:
            data = os.read(self._fd, 64 * _EVENT.size)
        except BlockingIOError:
            return b""
        except OSError:
            raise self._gone() from None
        if not data:
            raise self._gone()
        whole = len(data) // _EVENT.size * _EVENT.size
        return b"".join(_TIMELESS.pack(*event[2:]) for event in _EVENT.iter_unpack(data[:whole]))

    def send(self, data: bytes) -> bool:
        """Nothing is sent to such a reader."""
        return True

    def close(self) -> None:
        """Release the reader: it is a keyboard again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _gone(self) -> LinkError:
        return LinkError(f"{self._path} went away: check the reader's cable.")


def _refusal(path: str, error: OSError) -> LinkError:
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return LinkError(
                f"{path} is not there: plug the reader in, or correct the port in the site file."
            )
        case errno.EACCES | errno.EPERM:
            return LinkRefused(
                f"{path} may not be opened. Put 60-tablebridge.rules in place, with a line for this reader's "
                "numbers if it has none: docs/usb.md says how."
            )
        case errno.EAGAIN | errno.EBUSY:
            return LinkRefused(
                f"{path} is held by another program: end it (`sudo fuser -v {path}` names it)."
            )
        case errno.ENOTTY | errno.EINVAL:
            return LinkRefused(f"{path} is no input device: correct the port in the site file.")
    return LinkError(f"{path} cannot be opened ({error.strerror}).")


__all__ = ["FOLDER", "KeysLink"]
