"""`drive`: a driver session on a real serial port, by the smallest host that keeps to the contract of
`sdk/driver.py`.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading
from tablebridge.sdk import Driver, Options, Rejected, Turn


class Drive:
    """One conversation with one device. `readings` and `rejected`: all so far."""

    def __init__(self, driver: Driver, link: Path, **options: bool | int | float | str) -> None:
        settings: Options = {name: option.default for name, option in driver.options.items()} | options
        how = driver.port(settings)
        self.port = serial.Serial(str(link), how.baud, parity=how.parity, timeout=0, exclusive=True)
        self.readings: list[Reading] = []
        self.rejected: list[Rejected] = []
        self.sent = 0
        self._session = driver.session(settings)
        self._wake_ns: int | None = None
        self._take(self._session.start(self._now()))

    def until(self, holds: Callable[[list[Reading]], bool], within_s: float = 60.0) -> list[Reading]:
        """Drives until something holds of the readings that come from now on; gives them. Fails after
        `within_s`.
        """
        self.readings = []
        deadline = time.monotonic() + within_s
        while not holds(self.readings):
            assert time.monotonic() < deadline, (
                f"not within {within_s} s: {self.readings[-5:]}, {self.rejected[-5:]}"
            )
            data = self.port.read(4096)
            if data:
                self._take(self._session.received(data, self._now()))
            elif self._wake_ns is not None and self._wake_ns <= time.monotonic_ns():
                self._take(self._session.due(self._now()))
            else:
                time.sleep(0.0005)
        return self.readings

    def _take(self, turn: Turn) -> None:
        self.readings.extend(turn.readings)
        self.rejected.extend(turn.rejected)
        self._wake_ns = turn.wake_ns
        if turn.send:
            self.port.write(turn.send)
            self.sent += 1

    @staticmethod
    def _now() -> Instant:
        return Instant(time.time_ns(), time.monotonic_ns())


@pytest.fixture
def drive() -> Iterator[Callable[..., Drive]]:
    """Starts conversations as `Drive` does; the ports are closed at the end of the test."""
    started: list[Drive] = []

    def start(driver: Driver, link: Path, **options: bool | int | float | str) -> Drive:
        started.append(Drive(driver, link, **options))
        return started[-1]

    yield start
    for one in started:
        one.port.close()
