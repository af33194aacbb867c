"""The box itself as a device: what is plugged in over USB. See `WatchPort` for the bytes."""

import os
from collections.abc import Sequence
from typing import Final

import msgspec

from tablebridge.host.discovery import is_named
from tablebridge.host.plugged import plugged

WATCH: Final = "watch://usb"


class WatchLink:
    """Looks when the session requests it: that costs less than a message of udev that is lost. `named`: ports
    of the site file.
    """

    def __init__(self, named: Sequence[str]) -> None:
        self._named = named
        self._lines = b""
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._event

    def read(self) -> bytes:
        """The lines that were requested."""
        lines, self._lines = self._lines, b""
        if lines:
            os.eventfd_read(self._event)
        return lines

    def send(self, data: bytes) -> bool:
        """Look once for each line."""
        for _ in range(data.count(b"\n")):
            self._lines = (
                msgspec.json.encode(
                    [
                        {
                            "ids": device.ids,
                            "path": device.path,
                            "what": str(device),
                            "named": any(is_named(port, device) for port in self._named),
                        }
                        for device in plugged()
                        if not device.hub
                    ]
                )
                + b"\n"
            )
            os.eventfd_write(self._event, 1)
        return True

    def close(self) -> None:
        """Nothing is open but the event."""
        if self._event >= 0:
            os.close(self._event)
        self._event = -1
