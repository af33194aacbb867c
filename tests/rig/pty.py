"""A serial device for tests on a pseudo-terminal that keeps the time of its line and can fail as hardware
does.

Closing the master does not hang up the slave while another thread sits in a call on it: so the master never
blocks, one thread alone uses it, and `unplug` ends that thread before it closes. A slave stays open, so that
the master sees no error between two openings by the host.
"""

import contextlib
import os
import select
import termios
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from random import Random

_BAUD = {termios.B9600: 9600, termios.B38400: 38400, termios.B115200: 115200, termios.B460800: 460800}


class Pty:
    """A plugged device at `link`, a symbolic link like those of udev. `answer(data)` gives what it says to
    the host's bytes.

    Chances by byte sent: `flip` a bit, `drop`, `double`; `late_s`: wait before an answer; `stuck`: takes and
    says nothing; `cut_after`: so many bytes from now on, then the cable is pulled, in mid frame.
    """

    def __init__(
        self, link: Path, answer: Callable[[bytes], bytes] = lambda data: b"", seed: int = 1
    ) -> None:
        self.link = link
        self.answer = answer
        self.flip = self.drop = self.double = self.late_s = 0.0
        self.stuck = False
        self.cut_after: int | None = None
        self.heard = 0
        self.sent = 0
        self._rng = Random(seed)
        self._say: list[bytes] = []
        self._plugged = threading.Event()
        self._thread = threading.Thread()
        self.plug()

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._plugged.is_set()

    @property
    def parity(self) -> bool:
        """Whether the host has set parity on the line."""
        return bool(termios.tcgetattr(self._slave)[2] & termios.PARENB)

    def plug(self) -> None:
        """Put the cable in: another pseudo-terminal under the same link."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        new = self.link.with_name(self.link.name + ".new")
        new.symlink_to(os.ttyname(self._slave))
        self._plugged.set()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        new.replace(self.link)

    def unplug(self) -> None:
        """Pull the cable and wait until it is out."""
        self._plugged.clear()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def say(self, data: bytes) -> None:
        """Send without being asked."""
        self._say.append(data)

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while self.plugged:
                if select.select([self._master], [], [], 0.005)[0]:
                    self._hear(os.read(self._master, 4096))
                while self._say and self.plugged:
                    self._send(self._say.pop(0))
        self._plugged.clear()
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)

    def _hear(self, data: bytes) -> None:
        self.heard += len(data)
        if self.stuck:
            return
        told = self.answer(data)
        if told and self.late_s:
            time.sleep(self.late_s)
        self._send(told)

    def _send(self, data: bytes) -> None:
        """At most two milliseconds' worth at once, against absolute times, so that late wake-ups do not add
        up.
        """
        noisy = b"".join(self._noised(byte) for byte in data)
        rate = _BAUD.get(termios.tcgetattr(self._slave)[4], 9600) / 10
        step = max(1, int(rate * 0.002))
        begin = time.monotonic()
        for at in range(0, len(noisy), step):
            part = noisy[at : at + step]
            if self.cut_after is not None:
                part = part[: self.cut_after]
                self.cut_after -= len(part)
            os.write(self._master, part)
            self.sent += len(part)
            if self.cut_after == 0:
                self.cut_after = None
                self._plugged.clear()
            if not self.plugged:
                return
            time.sleep(max(0.0, begin + (at + len(part)) / rate - time.monotonic()))

    def _noised(self, byte: int) -> bytes:
        if self._rng.random() < self.drop:
            return b""
        if self._rng.random() < self.flip:
            byte ^= 1 << self._rng.randrange(8)
        return bytes((byte,)) * (2 if self._rng.random() < self.double else 1)
