"""The box itself as a device: what is plugged in over USB. See `WatchPort` for the bytes."""

import os
from collections.abc import Sequence
from typing import Final

import msgspec

from tablebridge.host.discovery import is_named
from tablebridge.host.plugged import plugged

WATCH: Final = "watch://usb"


class WatchLink:
    """Looks when it is asked to: a look costs less than a message of udev that is lost. `named`: ports of the
    site file.
    """

    def __init__(self, named: Sequence[str]) -> None:
        self._named = named
        self._told = b""
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._event

    def read(self) -> bytes:
        """The lines that were asked for."""
        told, self._told = self._told, b""
        if told:
            os.eventfd_read(self._event)
        return told

    def send(self, data: bytes) -> bool:
        """Look once for each line."""
        for _ in range(data.count(b"\n")):
            self._told = (
                msgspec.json.encode(
                    [
                        {
                            "ids": one.ids,
                            "path": one.path,
                            "what": str(one),
                            "named": any(is_named(port, one) for port in self._named),
                        }
                        for one in plugged()
                        if not one.hub
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
