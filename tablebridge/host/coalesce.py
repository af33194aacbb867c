"""Repeated sweeps become one: a card that does not move must not cost fifteen messages per second. Pure.

Theory. For each antenna there is a run: sweeps with the same content (the same tags, the same missed ones).
The first four of a run are passed on at once, since sensing decides on those. Further ones are held and
counted, and are sent as one `Sweep(visits=n)`: once per second, and at once when anything changes, before the
change. Evidence is summed, never dropped.

    comes                         then
    same as the run, run < 4      passed on
    same as the run, run >= 4     held: visits are added up
    another sweep                 what is held of all antennas goes first, oldest first, then this: a new run
    an incomplete sweep           as any other reading; the run goes on behind it, since it proves no silence
    any other reading             everything held goes first, then the reading
    a second after the first held everything held goes

A held sweep is stamped with the arrival of its last visit. So a run that goes out with the second's tick may
be older by up to a second than a repeated sweep of another antenna that was passed on in between; changes are
never out of order.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading, Sweep

AT_ONCE: Final = 4
EVERY_NS: Final = 1_000_000_000

Passed = list[tuple[Instant, Reading]]


class _Run:
    """Sweeps of one antenna with the same content: how many were passed on, and how many visits are held."""

    def __init__(self, sweep: Sweep, at: Instant) -> None:
        self.sweep = sweep
        self.at = at
        self.passed = 1
        self.held = 0

    def matches(self, sweep: Sweep) -> bool:
        return set(self.sweep.tags) == set(sweep.tags) and set(self.sweep.missed) == set(sweep.missed)


class Coalescer:
    """The runs of one device. What its methods return is to be kept in that order."""

    def __init__(self) -> None:
        self._runs: dict[int, _Run] = {}
        self.wake_ns: int | None = None
        """When `due` has something to give (monotonic); None while nothing is held."""

    def take(self, at: Instant, reading: Reading) -> Passed:
        """A reading arrived: what is to be passed on now."""
        if not isinstance(reading, Sweep) or not reading.complete:
            return [*self.flush(), (at, reading)]
        run = self._runs.get(reading.antenna)
        if run is None or not run.matches(reading):
            held = self.flush()
            self._runs[reading.antenna] = _Run(reading, at)
            return [*held, (at, reading)]
        if run.passed < AT_ONCE:
            run.passed += 1
            return [(at, reading)]
        run.held += reading.visits
        run.at = at
        if self.wake_ns is None:
            self.wake_ns = at.monotonic_ns + EVERY_NS
        return []

    def due(self, now_ns: int) -> Passed:
        """What is held, if its time has come."""
        return self.flush() if self.wake_ns is not None and now_ns >= self.wake_ns else []

    def flush(self) -> Passed:
        """All that is held, oldest first."""
        if self.wake_ns is None:
            return []
        self.wake_ns = None
        return list(
            _emptied(
                sorted((run for run in self._runs.values() if run.held), key=lambda run: run.at.monotonic_ns)
            )
        )

    def forget(self) -> Passed:
        """The device was lost or came back: all that is held, and every run begins again, so that its next
        sweeps are sent at once.
        """
        held = self.flush()
        self._runs.clear()
        return held


def _emptied(runs: Iterable[_Run]) -> Iterable[tuple[Instant, Reading]]:
    for run in runs:
        yield run.at, msgspec.structs.replace(run.sweep, visits=run.held)
        run.held = 0
