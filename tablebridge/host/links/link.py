"""What the supervisor needs of a way to a device, and how a failure is told."""

from typing import Protocol

from tablebridge.model.errors import LinkError


class LinkRefused(LinkError):
    """The port is there and does not want us: no right, held by another program, no port at all. A person
    must act.
    """


class Link(Protocol):
    """An open way to a device. Nothing here blocks."""

    def fileno(self) -> int:
        """To wait on until there is something to read."""

    def read(self) -> bytes:
        """The bytes that are there; none where nothing came. Raises LinkError when the device is gone, and
        not before all that it sent was given out.
        """

    def send(self, data: bytes) -> bool:
        """Send these behind what is not sent yet. Whether all of it is on its way now; if not, call again
        with b"". Raises LinkError when the device is gone or takes nothing any more.
        """

    def close(self) -> None:
        """Let the port go. Raises nothing."""
