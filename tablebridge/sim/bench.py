"""The far ends of emulated serial lines: pseudo-terminals, all served by one thread with one select loop.

A driver opens the link (a symbolic link to the slave end) with real pyserial and cannot see a difference.
Unplugging closes the master end, so that the driver sees what it sees when a cable is pulled; plugging in
again gives another pseudo-terminal under the same name.
"""

import contextlib
import heapq
import itertools
import os
import selectors
import termios
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, Literal, Protocol

_PARKED: Final = termios.B300
_ISPEED, _OSPEED = 4, 5
Fault = Literal["flip", "drop", "double"]


class Device(Protocol):
    """What stands at the far end of a line."""

    def plugged(self, line: "Line") -> None:
        """The device has power and a line to speak on."""

    def received(self, data: bytes, baud: int) -> None:
        """The host sent bytes, at the speed that it has set (a termios constant)."""


class Line:
    """One emulated serial line. Only the bench's thread calls `send`; `faults` are done to the next bytes
    sent. `sending` is called with all that is sent, just before.
    """

    def __init__(self, bench: "Bench", link: Path, device: Device) -> None:
        self.bench = bench
        self.device = device
        self.link = link
        self.master = -1
        self.faults: list[Fault] = []
        self.sending: Callable[[bytes], object] = lambda _data: None
        self._slave = -1
        self._baud = _PARKED

    def open(self) -> None:
        """Plugs the device in."""
        self.master, self._slave = os.openpty()
        os.set_blocking(self.master, False)
        tty.setraw(self.master)
        self._baud = self._park()
        new = self.link.with_name(self.link.name + ".new")
        new.unlink(missing_ok=True)
        new.symlink_to(os.ttyname(self._slave))
        new.replace(self.link)
        self.device.plugged(self)

    def close(self) -> None:
        """Pulls the plug. The slave end hangs up, since nobody waits in a read on the master."""
        self.link.unlink(missing_ok=True)
        os.close(self.master)
        os.close(self._slave)
        self.master = self._slave = -1

    def send(self, data: bytes) -> None:
        """Sends to the host. With nobody at the other end the kernel's buffer fills and the rest is lost, as
        on a wire.
        """
        if self.master < 0:
            return
        if self.faults:
            data = _damaged(data, self.faults.pop(0), self.bench.rng)
        self.sending(data)
        with contextlib.suppress(BlockingIOError):
            os.write(self.master, data)

    def readable(self) -> None:
        """Hands over what the host sent."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.master, 4096)
            baud = self._park()
            if baud != _PARKED:
                self._baud = baud
            self.device.received(data, self._baud)

    def _park(self) -> int:
        """Takes note of the speed that the host set and changes it back.

        A pseudo-terminal cannot do parity; the C library refuses an open that asks for parity and changes
        nothing else, which would be every open but the first.
        """
        attributes = termios.tcgetattr(self.master)
        baud: int = attributes[_OSPEED]
        if baud != _PARKED:
            attributes[_ISPEED] = attributes[_OSPEED] = _PARKED
            termios.tcsetattr(self.master, termios.TCSANOW, attributes)
        return baud


def _damaged(data: bytes, fault: Fault, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    if fault == "flip":
        return data[:at] + bytes((data[at] ^ (1 << rng.randrange(8)),)) + data[at + 1 :]
    return data[:at] + (data[at : at + 1] * 2 if fault == "double" else b"") + data[at + 1 :]


class Bench:
    """The thread and its loop. Use as a context manager; `add` before or after the start."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Random(seed)
        self._lines: dict[str, Line] = {}
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        self._calls: list[Callable[[], object]] = []
        self._timers: list[tuple[float, int, Callable[[], object]]] = []
        self._number = itertools.count()
        self._lock = threading.Lock()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="bench", daemon=True)

    def __enter__(self) -> "Bench":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        self._wake()
        self._thread.join()
        for line in self._lines.values():
            if line.master >= 0:
                line.close()
        self._selector.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def add(self, name: str, link: Path, device: Device) -> None:
        """Plugs a device in under `link`, which can be opened as soon as this returns."""
        self._lines[name] = Line(self, link, device)
        self.plug(name)

    def plug(self, name: str) -> None:
        """Plugs a device in (again)."""
        line = self._lines[name]
        line.open()
        self.call(lambda: self._register(line))

    def unplug(self, name: str) -> None:
        """Pulls a device's plug; returns when the host can see it."""
        line, done = self._lines[name], threading.Event()

        def pull() -> None:
            self._selector.unregister(line.master)
            line.close()
            done.set()

        self.call(pull)
        done.wait(5.0)

    def damage(self, name: str, *faults: Fault) -> None:
        """Damages the next pieces of bytes that a device sends."""
        self._lines[name].faults.extend(faults)

    def watch(self, name: str, sending: Callable[[bytes], object]) -> None:
        """Calls this with all that a device sends, just before it is sent."""
        self._lines[name].sending = sending

    def call(self, function: Callable[[], object]) -> None:
        """Runs a function in the loop, soon."""
        with self._lock:
            self._calls.append(function)
        self._wake()

    def later(self, seconds: float, function: Callable[[], object]) -> None:
        """Runs a function in the loop after this number of seconds; from any thread."""
        due = time.monotonic() + seconds
        with self._lock:
            heapq.heappush(self._timers, (due, next(self._number), function))
        if threading.current_thread() is not self._thread:
            self._wake()

    def _register(self, line: Line) -> None:
        self._selector.register(line.master, selectors.EVENT_READ, line)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"!")

    def _run(self) -> None:
        while not self._stopping:
            wait = max(0.0, self._timers[0][0] - time.monotonic()) if self._timers else None
            for key, _ in self._selector.select(wait):
                if key.data is None:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._wake_read, 4096)
                elif key.data.master >= 0:
                    key.data.readable()
            with self._lock:
                calls, self._calls = self._calls, []
                now = time.monotonic()
                while self._timers and self._timers[0][0] <= now:
                    calls.append(heapq.heappop(self._timers)[2])
            for function in calls:
                function()
