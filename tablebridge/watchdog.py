"""Reports to systemd: ready, working, stopping (the protocol of sd_notify(3)).

systemd kills and restarts a service that has not sent `WATCHDOG=1` for `WatchdogSec`. So that a hang is
found, only the main loop sends it, and only after a pass in which the loop did its work. Outside
systemd all of this does nothing.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping


class Watchdog:
    """The connection of one process to the service manager.

    `every_s`: the loop must call `worked` at least this often (half of `WATCHDOG_USEC`); None if nobody
    watches.
    """

    def __init__(
        self, environ: Mapping[str, str] = os.environ, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._monotonic = monotonic
        self._address = environ.get("NOTIFY_SOCKET", "")
        self._socket = (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if self._address else None
        )
        if self._socket is not None:
            self._socket.setblocking(False)
        if self._address.startswith("@"):
            self._address = "\0" + self._address[1:]
        usec = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watched = self._socket is not None and ours and usec.isascii() and usec.isdigit() and int(usec) > 0
        self.every_s: float | None = int(usec) / 2e6 if watched else None
        self._fed = monotonic()
        self._status = ""

    def ready(self, status: str = "") -> None:
        """The process does its work from now on. `status` is shown by `systemctl status`."""
        self._fed = self._monotonic()
        self._status = status
        self._notify("READY=1" + (f"\nSTATUS={status}" if status else ""))

    def worked(self) -> None:
        """One pass of the loop did its work. It costs nothing if it is called more often than `every_s`."""
        now = self._monotonic()
        if self.every_s is not None and now - self._fed >= self.every_s:
            self._fed = now
            self._notify("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Set the line for `systemctl status`; it is sent again only when it changes."""
        if text != self._status:
            self._status = text
            self._notify(f"STATUS={text}")

    def stopping(self) -> None:
        """Report that the process is stopping, and close the socket."""
        self._notify("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _notify(self, message: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:
            # The manager is away or its queue is full. A service must not fail because nobody listens.
            return
