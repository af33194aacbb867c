"""Whether another engine serves the same tables on the same broker: a restored box whose twin still runs, a
copied disk, a forgotten box. Pure.

Theory. Every run of an engine has an epoch and a time at which it started, and reports both. A message of
another epoch may be a late one of this engine's own previous run. Two things only a living engine does:

- it beats (beats are never kept for later), twice with a second in between;
- it connects to the broker after this engine was started.

Two engines that see each other agree on which of them stops: the one that was started later, by their own
clocks, or if those are equal the one whose epoch is greater as text.
"""

from typing import Final

from tablebridge.bus.messages import Availability, EngineBeat
from tablebridge.model.instant import Instant

_APART_NS: Final = 1_000_000_000
_MOST: Final = 16
"""How many other epochs are remembered."""


class SecondEngine:
    """Watches for other engines. `epoch`, `started_wall_ns`: of this one."""

    def __init__(self, epoch: str, started_wall_ns: int) -> None:
        self._own = (started_wall_ns, epoch)
        self._beat_ns: dict[str, int] = {}

    def beat(self, beat: EngineBeat, now: Instant) -> bool:
        """Whether this beat shows that another engine runs."""
        if beat.epoch == self._own[1]:
            return False
        while len(self._beat_ns) > _MOST:
            del self._beat_ns[next(iter(self._beat_ns))]
        return now.monotonic_ns - self._beat_ns.setdefault(beat.epoch, now.monotonic_ns) >= _APART_NS

    def availability(self, availability: Availability) -> bool:
        """Whether this shows that another engine runs."""
        return (
            availability.state == "online"
            and availability.epoch != self._own[1]
            and availability.since_wall_ns > self._own[0]
        )

    def yields(self, other: EngineBeat | Availability) -> bool:
        """Whether this engine is the one that has to stop."""
        return self._own > (other.started_wall_ns, other.epoch)
