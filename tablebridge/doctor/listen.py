"""Devices run through the real host code, with the doctor listening in: each supervisor in a thread, and no
broker.
"""

import contextlib
import select
import threading
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Final, Self

from tablebridge.doctor.tally import Tally
from tablebridge.host import registry
from tablebridge.host.coalesce import Passed
from tablebridge.host.health import Health
from tablebridge.host.loop import Loop
from tablebridge.host.supervisor import Supervisor
from tablebridge.host.tap import Call, Tap, tapped
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading
from tablebridge.sdk.driver import Driver, Signal, Turn
from tablebridge.settings.site import Device
from tablebridge.watchdog import Watchdog

_JOIN_S: Final = 10.0

Heard = Callable[[str, Reading], None]


class Listener:
    """One device while it is listened to. `hear(device name, reading)` is called in the device's own thread,
    and so is `record` with each call of its session.

    `named`: the ports of all devices; a port that is named twice is a bus. Raises ConfigError if its
    driver or options are wrong.
    """

    def __init__(
        self,
        device: Device,
        hear: Heard | None = None,
        record: Tap | None = None,
        named: Sequence[str] = (),
    ) -> None:
        self.device = device
        self.tally = Tally()
        self.lock = threading.Lock()
        """To be held while `tally` is looked at."""
        self.health: Health | None = None
        self._hear, self._record = hear, record
        self.driver: Driver = registry.load(device.driver)
        options = registry.settle(self.driver, device.options)
        supervisor = Supervisor(
            device.name, device.port, tapped(self.driver, self._tap), options, self, named=named
        )
        self._supervisor = supervisor
        self._signals: SimpleQueue[Signal] = SimpleQueue()
        self._loop = Loop(device.name, [supervisor], self, Watchdog({}))
        self._thread = threading.Thread(target=self._loop.run, name=device.name, daemon=True)

    def start(self) -> None:
        """Open the port, now and again."""
        self._thread.start()

    def stop(self) -> None:
        """Release the port."""
        self._loop.stop()
        self._thread.join(_JOIN_S)

    def show(self, signal: Signal) -> None:
        """Have a light show this, as soon as its loop comes round."""
        self._signals.put(signal)

    @property
    def live(self) -> bool:
        """Whether it works now."""
        return self.health is not None and self.health.state == "live"

    @property
    def detail(self) -> str:
        """Why it is not live; empty if it is live or nothing is known yet."""
        return self.health.detail if self.health is not None else ""

    # ---- the supervisor's uplink

    def keep(self, passed: Passed) -> None:
        """Readings are heard at the tap, before they are summed up."""

    def report(self, health: Health) -> None:
        self.health = health

    def step(self, timeout_s: float, fds: Sequence[int]) -> list[int]:
        with contextlib.suppress(Empty):
            self._supervisor.show(self._signals.get_nowait())
        return select.select(fds, [], [], timeout_s)[0]

    def deliver(self) -> None:
        """There is no broker."""

    def _tap(self, call: Call, received: bytes | Signal, turn: Turn, now: Instant) -> None:
        with self.lock:
            self.tally.take(received if isinstance(received, bytes) else b"", turn, now)
        if self._record is not None:
            self._record(call, received, turn, now)
        if self._hear is not None:
            for reading in turn.readings:
                self._hear(self.device.name, reading)


class Listening:
    """Several devices at once: a context manager; the ports are open while it is entered."""

    def __init__(self, listeners: Iterable[Listener]) -> None:
        self.listeners = list(listeners)

    def __enter__(self) -> Self:
        for listener in self.listeners:
            listener.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for listener in self.listeners:
            listener.stop()


__all__ = ["Heard", "Listener", "Listening"]
