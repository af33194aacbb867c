"""When something that failed is tried again: one set of numbers for ports, the broker, processes and
webhooks. Pure: time and chance come in, and nobody sleeps here.

Theory. Each failure makes the wait longer, up to a cap; it is tried again for ever. The wait has chance in
it, so that many who failed together do not return together. Only what proved that it works makes the waits
short again: what begins well and ends at once is a failure like any other, and after the third of them in a
row it is *flapping*.

| event | the next attempt |
| --- | --- |
| it failed | after 0.25, 0.5, 1, 2, 4, 5, 5 ... s |
| it was refused: only a person can change that | after the longest wait |
| it ended, `SHORT_LIFE_S` or more after it began | after 0.25 s |
| it ended sooner | as after a failure; while it flaps the waits go on growing |
| it appeared or changed while we wait   | now |
"""

from collections.abc import Callable
from typing import Final

FIRST_S: Final = 0.25
GROWTH: Final = 2.0
LONGEST_S: Final = 5.0
SHORT_LIFE_S: Final = 10.0
SPREAD: Final = 0.2
"""The share of a wait that chance may take away."""
_FLAPS: Final = 3

Chance = Callable[[], float]


class Backoff:
    """The waits of one thing, in seconds of a monotonic clock. `due_s`: it is not to be tried before this
    time. `chance` gives a number from 0 to 1. `short_lives`: how often in a row it ended soon after it began.
    """

    def __init__(self, chance: Chance) -> None:
        self.due_s = 0.0
        self.short_lives = 0
        self._chance = chance
        self._failures = 0
        self._began_s: float | None = None

    @property
    def flapping(self) -> bool:
        """Whether it begins well and ends soon, again and again."""
        return self.short_lives >= _FLAPS

    def is_due(self, now_s: float) -> bool:
        """Whether it may be tried."""
        return now_s >= self.due_s

    def failed(self, now_s: float) -> None:
        """An attempt failed, or is made and may fail."""
        self._wait(now_s, min(LONGEST_S, FIRST_S * GROWTH ** min(self._failures, 40)))
        self._failures += 1

    def refused(self, now_s: float) -> None:
        """An attempt was refused for a reason that does not go away by itself."""
        self._failures += 1
        self._wait(now_s, LONGEST_S)

    def began(self, now_s: float) -> None:
        """It works from now on, as far as can be seen."""
        self._began_s = now_s

    def ended(self, now_s: float) -> None:
        """What had begun has ended."""
        lasted = self._began_s is not None and now_s - self._began_s >= SHORT_LIFE_S
        self.short_lives = 0 if lasted else self.short_lives + 1
        self._began_s = None
        if lasted:
            self._failures = 0
        self.failed(now_s)

    def worked(self) -> None:
        """It proved that it works: the waits are short again."""
        self._failures = self.short_lives = 0

    def appeared(self, now_s: float) -> None:
        """Something has changed that makes an attempt worth while now."""
        self.due_s = min(self.due_s, now_s)

    def _wait(self, now_s: float, wait_s: float) -> None:
        self.due_s = now_s + wait_s * (1 - SPREAD + SPREAD * self._chance())
