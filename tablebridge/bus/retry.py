"""When a lost connection to the broker is tried again. Pure: time and chance come in.

Theory. The wait doubles from one second to five and has chance in it, so that many clients do not return at
once. A connection that lasted makes the waits short again. One that the broker ends soon after it was made
does not count as good after the third time in a row: then the client is *flapping*, as if two clients used
the same id.

| event | the next attempt |
| --- | --- |
| an attempt is made | after 1, 2, 4, 5 s without success |
| the broker refuses the account | after the longest wait |
| the connection is lost | after 1 s; while flapping, the waits go on growing |
"""

from collections.abc import Callable
from typing import Final

WAIT_S: Final = (1.0, 5.0)
_SHORT_LIFE_S: Final = 15.0
_FLAPS: Final = 3


class Retry:
    """The waits of one client, in seconds of the monotonic clock. `chance(low, high)` gives a number between
    the two.
    """

    def __init__(self, chance: Callable[[float, float], float]) -> None:
        self.due_at = 0.0
        self._chance = chance
        self._attempts = 0
        self._up_since = 0.0
        self._flaps = 0

    @property
    def flapping(self) -> bool:
        """Whether the broker has ended several connections in a row soon after it had accepted them."""
        return self._flaps >= _FLAPS

    def attempted(self, now: float) -> None:
        """An attempt is made."""
        self._schedule(now, min(WAIT_S[1], WAIT_S[0] * 2 ** min(self._attempts, 8)))

    def refused(self, now: float) -> None:
        """The broker refused the account."""
        self._schedule(now, WAIT_S[1])

    def up(self, now: float) -> None:
        """The connection is made."""
        self._up_since = now

    def lost(self, now: float) -> None:
        """The connection is lost."""
        self._flaps = self._flaps + 1 if now - self._up_since < _SHORT_LIFE_S else 0
        if not self.flapping:
            self._attempts = 0
        self.attempted(now)

    def _schedule(self, now: float, wait_s: float) -> None:
        self._attempts += 1
        self.due_at = now + wait_s * self._chance(0.8, 1.0)
