"""What the engine's process reports of itself every few seconds, for those who watch the box."""

import logging
from collections.abc import Mapping
from typing import Final

from tablebridge.app.clock_watch import ClockWatch
from tablebridge.app.publisher import Publisher
from tablebridge.app.served import Served
from tablebridge.bus import topics
from tablebridge.bus.messages import COUNTERS_S
from tablebridge.model.instant import Instant

_log: Final = logging.getLogger(__name__)


class Reporter:
    """Publishes the counters of these tables, and logs if the wall clock was set. `epoch`: the run of the
    process.
    """

    def __init__(self, publisher: Publisher, tables: Mapping[str, Served], epoch: str) -> None:
        self._publisher = publisher
        self._tables = tables
        self._epoch = epoch
        self._clock_watch = ClockWatch()
        self._reported_ns = 0

    def report(self, now: Instant) -> None:
        """Report, if it is time."""
        if now.monotonic_ns - self._reported_ns < COUNTERS_S * 1e9:
            return
        self._reported_ns = now.monotonic_ns
        if jump := self._clock_watch.jumped(now):
            _log.warning("%s", jump)
        for name, served in self._tables.items():
            counted = served.tally.message(
                self._epoch, served.core.measured(), len(served.intake), len(self._publisher)
            )
            self._publisher.now(topics.COUNTERS, name, counted)
