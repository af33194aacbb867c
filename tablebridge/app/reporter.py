"""What the engine's process reports of itself every few seconds, for those who watch the box."""

import logging
from collections.abc import Mapping
from typing import Final

from tablebridge.app.clock_watch import ClockWatch
from tablebridge.app.publisher import Publisher
from tablebridge.app.served import Served
from tablebridge.bus import topics
from tablebridge.bus.availability import Life
from tablebridge.bus.messages import BEAT_S, COUNTERS_S, EngineBeat
from tablebridge.model.instant import Instant

_log: Final = logging.getLogger(__name__)


class Reporter:
    """Publishes that the engine's loop works, and the counters of these tables; logs if the wall clock was
    set. `life`: the run of the process.
    """

    def __init__(self, publisher: Publisher, tables: Mapping[str, Served], life: Life) -> None:
        self._publisher = publisher
        self._tables = tables
        self._life = life
        self._clock_watch = ClockWatch()
        self._beat_ns = self._reported_ns = 0

    def beat(self, now: Instant) -> None:
        """After a round in which all tables were served: that the loop works."""
        if now.monotonic_ns - self._beat_ns >= BEAT_S * 1e9:
            self._beat_ns = now.monotonic_ns
            for name in self._tables:
                beat = EngineBeat(self._life.epoch, self._life.started_wall_ns)
                self._publisher.now(topics.ENGINE_BEAT, name, beat)
        self._report(now)

    def _report(self, now: Instant) -> None:
        if now.monotonic_ns - self._reported_ns < COUNTERS_S * 1e9:
            return
        self._reported_ns = now.monotonic_ns
        if jump := self._clock_watch.jumped(now):
            _log.warning("%s", jump)
        for name, served in self._tables.items():
            served.tally.hand(served.core.table.hand_number)
            counted = served.tally.message(
                self._life.epoch, served.core.measured, len(served.intake), len(self._publisher)
            )
            self._publisher.now(topics.COUNTERS, name, counted)
