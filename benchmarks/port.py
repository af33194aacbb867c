"""One end of a measurement: a process that notes when each badge came in on a serial port.

    python -m benchmarks.port plain PORT COUNT     pyserial alone: what came is read, and cut at the
                                                   frames' length
    python -m benchmarks.port host PORT COUNT      the host's own loop with the driver rdm6300, up to where
                                                   readings are kept

When so many badges came it prints a line for each: its UID and the time (monotonic ns). A line "ready" goes
before.
"""

import select
import sys
import time
from collections.abc import Sequence

import serial

from tablebridge.host import registry
from tablebridge.host.coalesce import Passed
from tablebridge.host.health import Health
from tablebridge.host.loop import Loop
from tablebridge.host.supervisor import Supervisor
from tablebridge.sdk import Sweep
from tablebridge.watchdog import Watchdog

LENGTH = 14


def plain(port: str, count: int) -> dict[str, int]:
    found: dict[str, int] = {}
    held = b""
    with serial.Serial(port, 9600) as line:
        print("ready", flush=True)
        while len(found) < count:
            held += line.read(line.in_waiting or 1)
            now_ns = time.monotonic_ns()
            while len(held) >= LENGTH:
                found[held[1:11].decode()] = now_ns
                held = held[LENGTH:]
    return found


class Kept:
    """Where readings go."""

    def __init__(self, count: int) -> None:
        self.found: dict[str, int] = {}
        self.loop: Loop
        self._count = count

    def keep(self, passed: Passed) -> None:
        now_ns = time.monotonic_ns()
        for _, reading in passed:
            if isinstance(reading, Sweep) and reading.tags:
                self.found.setdefault(reading.tags[0], now_ns)
        if len(self.found) >= self._count:
            self.loop.stop()

    def report(self, health: Health) -> None:
        pass

    def step(self, timeout_s: float, fds: Sequence[int]) -> list[int]:
        return select.select(fds, [], [], timeout_s)[0]

    def deliver(self) -> None:
        pass


def host(port: str, count: int) -> dict[str, int]:
    driver = registry.load("rdm6300")
    kept = Kept(count)
    device = Supervisor("bench", port, driver, registry.settle(driver, {}), kept)
    kept.loop = Loop("bench", [device], kept, Watchdog({}))
    print("ready", flush=True)
    kept.loop.run()
    return kept.found


if __name__ == "__main__":
    kind, where, how_many = sys.argv[1:]
    for uid, at_ns in (plain if kind == "plain" else host)(where, int(how_many)).items():
        print(uid, at_ns)
