"""Telling systemd how a process is: ready, working, stopping (the protocol of sd_notify(3)).

systemd kills and restarts a service that has not said `WATCHDOG=1` for `WatchdogSec`. So that a hang is
found, nothing but the main loop says it, and only after a pass in which the loop did its work. Outside
systemd all of this does nothing.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping


class Watchdog:
    """One process's line to the service manager.

    `every_s`: the loop must call `worked` at least this often (half of `WATCHDOG_USEC`); None where nobody
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
        self._tell("READY=1" + (f"\nSTATUS={status}" if status else ""))

    def worked(self) -> None:
        """One pass of the loop did its work. Costs nothing when called more often than `every_s`."""
        now = self._monotonic()
        if self.every_s is not None and now - self._fed >= self.every_s:
            self._fed = now
            self._tell("WATCHDOG=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`; said again only when it changes."""
        if text != self._status:
            self._status = text
            self._tell(f"STATUS={text}")

    def stopping(self) -> None:
        """The process is on its way out. Says it and closes the line."""
        self._tell("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, words: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(words.encode(), self._address)
        except OSError:
            # The manager is away or its queue is full. A service must not fail because nobody listens.
            return
