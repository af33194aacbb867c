"""The loop of a process: it serves its devices and the broker in one thread.

It waits for the descriptors of all links and for the broker at once (`Bus.step`), and for the earliest time
that a device names. A pass of the loop in which everything that was due was done feeds the watchdog and the
guard; nothing else does.

Each wake-up costs more than what is done in it. So timers are rounded up to a tick. And if there are many
readers that only answer, as at a table with an antenna before each seat, the loop rests until the next tick
begins: meanwhile only what speaks by itself, a button or a board, wakes it. Then all that has come is served
together. What is sent does not wait for that: it leaves at the end of its pass.
"""

import os
import select
import weakref
from collections.abc import Collection, Sequence
from typing import Final, Protocol

from tablebridge.host.clock import Clock, SystemClock
from tablebridge.host.supervisor import Supervisor
from tablebridge.watchdog import Watchdog

_LONGEST_S: Final = 1.0
_STATUS_NS: Final = 1_000_000_000
_FEW: Final = 3
"""So many readers that only answer are served when they answer."""
_TICK_NS: Final = 4_000_000
RESTING_TICK_NS: Final = 8_000_000
"""The tick of a loop that rests."""


class Bus(Protocol):
    """The broker's side of the loop."""

    def step(self, timeout_s: float, fds: Sequence[int]) -> Collection[int]:
        """Serve the broker and wait at most `timeout_s`; returns those of `fds` that can be read."""

    def deliver(self) -> None:
        """Send what is to leave before the next tick ends."""


class Watcher(Protocol):
    """Who wants to know which device is being served."""

    def serving(self, device: str) -> None:
        """The device is about to be served."""

    def served(self) -> None:
        """No device is being served."""

    def worked(self) -> None:
        """A pass of the loop has ended."""


class _Waker:
    """An event descriptor that ends the poll of another thread, or of the same thread in a signal handler."""

    def __init__(self) -> None:
        self.fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        # It is closed with the object and not at the end of `run`: somebody may be calling `stop` as that
        # ends, and the number may belong to another file by then.
        weakref.finalize(self, os.close, self.fd)

    def wake(self) -> None:
        """End the poll."""
        os.eventfd_write(self.fd, 1)


class Loop:
    """Serves `devices` until `stop`; `name`: of their group."""

    def __init__(
        self,
        name: str,
        devices: Sequence[Supervisor],
        bus: Bus,
        watchdog: Watchdog,
        guard: Watcher | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._name = name
        self._devices = tuple(devices)
        self._bus = bus
        self._watchdog = watchdog
        self._guard = guard
        self._clock = clock if clock is not None else SystemClock()
        self._status_ns = 0
        self._stopping = False
        self._waker = _Waker()
        self._rests = sum(device.unhurried for device in self._devices) > _FEW
        self._tick_ns = RESTING_TICK_NS if self._rests else _TICK_NS

    def run(self) -> None:
        """Run until `stop`. However it ends, what is held is kept and the ports are released."""
        self._watchdog.ready(f"{self._name}: {len(self._devices)} devices")
        try:
            while not self._stopping:
                self._pass()
                self._watchdog.worked()
        finally:
            for device in self._devices:
                device.close()

    def stop(self) -> None:
        """End `run` after the present pass, if it has not ended. Call it from a signal handler or another
        thread.
        """
        self._stopping = True
        self._waker.wake()

    def _pass(self) -> None:
        wake_ns = min((device.wake_ns for device in self._devices), default=None)
        timeout_s = self._watchdog.every_s or _LONGEST_S
        if wake_ns is not None:
            wake_ns += -wake_ns % self._tick_ns
            self._rest(wake_ns)
            timeout_s = min(timeout_s, (wake_ns - self._clock.now().monotonic_ns) / 1e9)
        fds = [self._waker.fd, *(device.fd for device in self._devices if device.fd >= 0)]
        ready = self._bus.step(min(_LONGEST_S, max(0.0, timeout_s)), fds)
        now = self._clock.now()
        for device in self._devices:
            readable = device.fd in ready
            if readable or device.wake_ns <= now.monotonic_ns:
                if self._guard is not None:
                    self._guard.serving(device.name)
                device.serve(readable, now)
        if self._guard is not None:
            self._guard.served()
        self._bus.deliver()
        if self._guard is not None:
            self._guard.worked()
        if now.monotonic_ns - self._status_ns >= _STATUS_NS:
            self._status_ns = now.monotonic_ns
            self._watchdog.status(self._status())

    def _rest(self, wake_ns: int) -> None:
        """Wait until the next tick begins, or `wake_ns`, or until something speaks by itself; not at all
        while few readers can answer.
        """
        if not self._rests or sum(device.unhurried and device.fd >= 0 for device in self._devices) <= _FEW:
            return
        now_ns = self._clock.now().monotonic_ns
        rest_ns = min(-now_ns % self._tick_ns, wake_ns - now_ns)
        if rest_ns <= 0:
            return
        poll = select.poll()
        for fd in (self._waker.fd, *(device.fd for device in self._devices if not device.unhurried)):
            if fd >= 0:
                poll.register(fd, select.POLLIN)
        poll.poll(rest_ns / 1e6)

    def _status(self) -> str:
        """The line for `systemctl status`."""
        away = [device for device in self._devices if not device.live]
        if len(self._devices) == 1 or len(away) == 1:
            device = away[0] if away else self._devices[0]
            return f"{device.name}: {device.summary}"
        live = len(self._devices) - len(away)
        return f"{self._name}: {live} of {len(self._devices)} devices are live"
