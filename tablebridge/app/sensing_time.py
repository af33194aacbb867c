"""The time of sensing: it is as far behind the clock as the readings are.

A card that was not read says something only if its antenna has looked. Readings may lie in an outbox, in the
broker or before a busy engine for many seconds. If the clock ended waits of sensing meanwhile, a table whose
readings come late would report other events than one whose readings come at once. So the waits end by the
last reading that was applied and by what has passed since it came. When nothing is read any more, time still
passes. After a start it passes from the last reading that is kept: what was read meanwhile is still to come.
"""

from tablebridge.model.instant import Instant, later, seconds_between
from tablebridge.model.readings import Stamped
from tablebridge.tracking.tracker import Tracker


class SensingTime:
    """When waits of a table's sensing end: as late by the clock as the last reading came. A reading of
    another boot does not say how late it came.
    """

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._behind_s = 0.0

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which a wait ends."""
        wake_ns = self._tracker.wake_ns
        return None if wake_ns is None else wake_ns + round(self._behind_s * 1e9)

    def reading(self, stamped: Stamped, now: Instant) -> None:
        """The next reading has come."""
        self._note(stamped.at, now)
        self._tracker.reading(stamped, now)

    def replay_reading(self, stamped: Stamped, now: Instant) -> None:
        """A reading that is kept is fed to sensing again, at a start."""
        self._note(stamped.at, now)
        self._tracker.replay_reading(stamped)

    def due(self, now: Instant) -> Instant | None:
        """The time of sensing, if a wait is over by then."""
        at = later(now, -self._behind_s)
        return at if self._tracker.due(at) else None

    def _note(self, at: Instant, now: Instant) -> None:
        self._behind_s = seconds_between(at, now) if at.boot_id == now.boot_id else 0.0
