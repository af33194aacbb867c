"""What the supervisor needs of a way to a device, and how a failure is reported."""

from typing import Protocol

from tablebridge.model.errors import LinkError


class LinkRefused(LinkError):
    """The port is there and cannot be used: no right, held by another program, no port at all. A person
    must act.
    """


class Link(Protocol):
    """An open way to a device. Nothing here blocks."""

    def fileno(self) -> int:
        """To wait on until there is something to read."""

    def read(self) -> bytes:
        """The bytes that are there; none if nothing came. Raises LinkError when the device is gone, and
        not before everything that it sent was returned.
        """

    def send(self, data: bytes) -> bool:
        """Send these behind what is not sent yet. Whether all of it is on its way now; if not, call again
        with b"". Raises LinkError when the device is gone or accepts nothing any more.
        """

    def close(self) -> None:
        """Release the port. Raises nothing."""
