"""What the supervisor needs of a way to a device, and how a failure is told."""

from pathlib import Path
from typing import Protocol

from tablebridge.model.errors import LinkError


class LinkRefused(LinkError):
    """The port is there and does not want us: no right, held by another program, no port at all. A person must act."""


class Link(Protocol):
    """An open way to a device. Nothing here blocks."""

    def fileno(self) -> int:
        """To wait on until there is something to read."""

    def read(self) -> bytes:
        """The bytes that are there; none where nothing came. Raises LinkError when the device is gone, and not before all
        that it sent was given out."""

    def send(self, data: bytes) -> bool:
        """Send these behind what is not sent yet. Whether all of it is on its way now; if not, call again with b"".
        Raises LinkError when the device is gone or takes nothing any more."""

    def close(self) -> None:
        """Let the port go. Raises nothing."""


def sight(port: str) -> tuple[int, ...] | None:
    """What is seen of the port: node, device number, owner and rights. None: it is not there. A remote one looks the same
    always."""
    if "://" in port:
        return ()
    try:
        there = Path(port).stat()
    except OSError:
        return None
    return there.st_dev, there.st_ino, there.st_rdev, there.st_mode, there.st_uid, there.st_gid
