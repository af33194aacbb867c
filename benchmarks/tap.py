"""When emulated devices sent what: the beginning of each measured way."""

import time

from tablebridge.sim.bench import Bench, Line


class Tap:
    """Notes when an emulated device sent something. `sent`: monotonic ns and bytes, in order."""

    def __init__(self, bench: Bench, name: str) -> None:
        self.sent: list[tuple[int, bytes]] = []
        bench.watch(name, lambda data: self.sent.append((time.monotonic_ns(), data)))


class Mute:
    """A device that says only what it is made to."""

    def plugged(self, line: Line) -> None:
        self._line = line

    def received(self, data: bytes, baud: int) -> None:
        pass

    def say(self, data: bytes) -> None:
        """Send this soon."""
        self._line.bench.call(lambda: self._line.send(data))
