"""How fast people move: the times of a live table, divided by a speed, or not waited for at all.

On a busy machine the readers are asked less often. People who moved at their usual speed then would outrun
what is read, and cards would seem to lie where they never lay: so time passes at the table no faster than its
readers work.
"""

import math
import time
from collections.abc import Callable
from random import Random
from typing import Final

_STEP_S: Final = 0.2
_LEAST_STEP_S: Final = 0.005
WATCHED_FROM: Final = 3.0
"""Above this speed, times that of life, the dealer waits until each card is seen."""
STALL_S: Final = 60.0
"""For readers that do not work at all nobody waits longer than this."""


class Stopped(Exception):
    """The person who started the table wants it to end."""


class Pace:
    """`speed`: 1 is life, 10 ten times as fast, None as fast as the table follows.

    `watching`: whether the dealer waits for the table to have seen each card before the next move. At the
    speed of life nobody does; far above it a dealer who did not would outrun the readers. `worked`: for how
    many seconds the readers have worked; the clock on the wall if there are none.
    """

    def __init__(
        self,
        speed: float | None,
        rng: Random,
        stopped: Callable[[], bool] = lambda: False,
        worked: Callable[[], float] = time.monotonic,
    ) -> None:
        self.speed = speed
        self.watching = speed is None or speed > WATCHED_FROM
        self._rng = rng
        self._stopped = stopped
        self._worked = worked

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

    def stopwatch(self) -> Callable[[], float]:
        """Gives how many seconds have passed at the table since now: no more than on the wall, and no more
        than the readers have worked.
        """
        began_s, had_worked_s = time.monotonic(), self._worked()

        def passed_s() -> float:
            wall_s = time.monotonic() - began_s
            return max(min(wall_s, self._worked() - had_worked_s), wall_s - STALL_S)

        return passed_s

    def pause(self, seconds: float) -> None:
        """Waits this long at any speed. Raises Stopped when the table shall end."""
        passed_s = self.stopwatch()
        while True:
            if self._stopped():
                raise Stopped
            left = seconds - passed_s()
            if left <= 0:
                return
            time.sleep(min(max(left, _LEAST_STEP_S), _STEP_S))
