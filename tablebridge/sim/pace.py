"""How fast people move: the times of a live table, divided by a speed, or not waited for at all."""

import math
import time
from collections.abc import Callable
from random import Random
from typing import Final

_STEP_S: Final = 0.2


class Stopped(Exception):
    """The person who started the table wants it to end."""


class Pace:
    """`speed`: 1 is life, 10 ten times as fast, None as fast as the table follows.

    `watching`: whether the dealer waits for the table to have seen each card before the next move. At the
    speed of life nobody does; far above it a dealer who did not would outrun the readers.
    """

    def __init__(self, speed: float | None, rng: Random, stopped: Callable[[], bool] = lambda: False) -> None:
        self.speed = speed
        self.watching = speed is None or speed > 3
        self._rng = rng
        self._stopped = stopped

    def seconds(self, low: float, high: float) -> float:
        """A human time between two bounds, at this speed; 0 at full speed."""
        return 0.0 if self.speed is None else self._rng.uniform(low, high) / self.speed

    def wait(self, low: float, high: float) -> None:
        """Waits a human time. Raises Stopped when the table shall end."""
        self.pause(self.seconds(low, high))

    def think(self, least: float = 0.8, mean: float = 1.7) -> None:
        """A player thinks: at least a moment, now and then for long. Raises Stopped."""
        self.pause(
            0.0 if self.speed is None else (least - mean * math.log(1 - self._rng.random())) / self.speed
        )

    def chance(self, probability: float) -> bool:
        """Whether something that people do now and then is done now; never at full speed, when nobody has
        the time.
        """
        return self.speed is not None and self._rng.random() < probability

    def now(self) -> float:
        """Seconds on the clock that waits are measured with."""
        return time.monotonic()

    def pause(self, seconds: float) -> None:
        """Waits this long at any speed. Raises Stopped when the table shall end."""
        deadline = time.monotonic() + seconds
        while True:
            if self._stopped():
                raise Stopped
            left = deadline - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _STEP_S))
