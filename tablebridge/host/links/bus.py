"""One serial port with several devices on it, as on RS-485: each session has a link of its own, and the line
for one exchange at a time.

Theory. Devices of a bus answer to their own address only, and one pair of wires carries both directions. A
session sends when its time has come, and not otherwise; so the supervisor asks for the line before it calls
`due`, and a session that has to wait does not know it: its deadlines begin when it is called.

    line        claim by the holder               claim by another
    free        -                                 it holds the line
    held        it keeps it; if others wait,      it waits in line
                the next holds it, and it waits

Who holds the line alone reads it. A late answer of one device reaches the session of another, which rejects
it by its address. A device that is dead costs the others its time-outs, until it is lost and its link closed.
"""

import os
import threading
from collections import deque
from typing import Final

from tablebridge.host.links.link import Link, LinkRefused
from tablebridge.model.errors import LinkError
from tablebridge.sdk.driver import SerialPort

CLAIM_NS: Final = 3_000_000
"""How long a session waits before it asks for the line again."""


class _Line:
    """An open port, and whose turn it is."""

    def __init__(self, path: str, settings: SerialPort) -> None:
        # pyserial is needed for devices behind it only.
        from tablebridge.host.links.serial import SerialLink

        self.link: Link = SerialLink(path, settings)
        self.settings = settings
        self.members = 0
        self.holder: BusLink | None = None
        self.waiting: deque[BusLink] = deque()
        self.broken = ""


_lines: dict[str, _Line] = {}
_lock = threading.RLock()
"""Held for every look at a line: each device of the doctor runs in a thread of its own."""


class BusLink:
    """One session's way to the line. Raises LinkRefused, LinkError."""

    def __init__(self, path: str, settings: SerialPort) -> None:
        self._path = path
        with _lock:
            line = _lines.get(path)
            if line is None:
                line = _lines[path] = _Line(path, settings)
            if line.settings != settings:
                raise LinkRefused(
                    f"{path} is open at {line.settings.baud} baud for another device of this bus: give all "
                    "of them the same speed and parity in options."
                )
            line.members += 1
            self._line = line
        self._never = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def claim(self) -> bool:
        """Whether the line is this session's now; if not, ask again soon. Raises LinkError."""
        with _lock:
            line = self._line
            if line.broken:
                raise LinkError(line.broken)
            if line.holder is self and line.waiting:
                line.holder = None
            if self not in line.waiting:
                line.waiting.append(self)
            if line.holder not in (None, self) or line.waiting[0] is not self:
                return False
            line.waiting.popleft()
            line.holder = self
            return True

    def fileno(self) -> int:
        """To wait on until there is something to read: nothing ever while another has the line."""
        return self._line.link.fileno() if self._line.holder is self else self._never

    def read(self) -> bytes:
        """The bytes that are there, for who holds the line. Raises LinkError when the port is gone."""
        with _lock:
            if self._line.holder is not self:
                return b""
            try:
                return self._line.link.read()
            except LinkError as error:
                self._line.broken = str(error)
                raise

    def send(self, data: bytes) -> bool:
        """Send behind what is not sent yet; whether all is on its way. Raises LinkError."""
        with _lock:
            if self._line.holder is not self:
                return True
            try:
                return self._line.link.send(data)
            except LinkError as error:
                self._line.broken = str(error)
                raise

    def close(self) -> None:
        """Leave the line; the last one releases the port."""
        with _lock:
            if self._never < 0:
                return
            os.close(self._never)
            self._never = -1
            line = self._line
            line.members -= 1
            if line.holder is self:
                line.holder = None
            if self in line.waiting:
                line.waiting.remove(self)
            if line.broken or not line.members:
                if _lines.get(self._path) is line:
                    del _lines[self._path]
                line.link.close()


__all__ = ["CLAIM_NS", "BusLink"]
