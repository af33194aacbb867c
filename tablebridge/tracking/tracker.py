"""The loop of a table: what the engine expects guides sensing, what is sensed is entered, and sensing
observes it.

| verb | what it does |
| --- | --- |
| `reading`, `tick` | a reading, or the passing of time, is sensed; what is concluded of it is entered |
| `before` | what a person is about to enter shows to be true already is entered |
| `enter` | one event is entered, by a person or a device |
| `replay` | an entry that was recorded is folded again, with its old number |
| `recall` | what sensing had learnt when a hand began is known again |
| `measured` | what was measured of the antennas is known from the next hand on |
| `replay_reading`, `replay_tick` | sensing hears again what led to recorded entries; nothing is entered |

To enter is always the same: the event gets the next number and becomes an entry, the engine applies it,
sensing begins a new hand if it is one, sensing observes the entry, and then `entered` is called. So whoever
keeps a record can write the entry and its findings before the next number is taken.

Pure: no clock, file or chance; time comes in with the calls. An exception leaves the tracker in an unknown
state: it is then made again from the record.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol

from tablebridge.engine.outcome import Outcome, Settled
from tablebridge.model.events import Basis, Entry, Hand, TableEvent
from tablebridge.model.expectation import Expectation
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.learnt import LearntTable, LoneCard
from tablebridge.model.readings import Stamped
from tablebridge.sensing.sensor import Conclusion, Sensor


class Engine(Protocol):
    """What the tracker needs of an engine: `engine.table.Table`, or a `Follower` if no bets are known."""

    def expectation(self) -> Expectation:
        """What is likely to happen next."""

    def apply(self, entry: Entry) -> Outcome:
        """Fold one entry."""


class Entered(NamedTuple):
    """A folded entry and what the engine found. `sensed`: the conclusion that it records, if any. `settled`:
    hands that can no longer be corrected since.
    """

    entry: Entry
    findings: tuple[Finding, ...]
    sensed: Conclusion | None = None
    settled: tuple[Settled, ...] = ()


class Tracker:
    """The loop of one table. Only the tracker may apply entries to `engine` and show readings to `sensor`.

    `number`: gives the number of the next entry, by default 1, 2, 3 and so on. `entered` is called after each
    new entry, before the next one gets its number.
    """

    def __init__(
        self,
        sensor: Sensor,
        engine: Engine,
        number: Callable[[], int] | None = None,
        entered: Callable[[Entered], None] = lambda entered: None,
    ) -> None:
        self._sensor = sensor
        self._engine = engine
        self._number = number or itertools.count(1).__next__
        self._entered = entered
        self._expected: Expectation | None = None

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which `tick` has something to do; None if sensing waits for nothing."""
        return self._sensor.wake_ns

    def due(self, now: Instant) -> bool:
        """Whether a wait of sensing is over."""
        wake = self._sensor.wake_ns
        return wake is not None and wake <= now.monotonic_ns

    def reading(self, stamped: Stamped, now: Instant | None = None) -> list[Entered]:
        """The next reading. `now`: when its entries are made, if that is recorded; they happened when it was
        read.
        """
        return self._conclude(self.replay_reading(stamped), stamped.at, now)

    def tick(self, at: Instant, now: Instant | None = None) -> list[Entered]:
        """Time has passed without a reading, until `at`."""
        return self._conclude(self.replay_tick(at), at, now)

    def before(self, event: TableEvent, at: Instant, now: Instant | None = None) -> list[Entered]:
        """A person is about to enter an event at `at`."""
        return self._conclude(self._sensor.before(event, self._expectation()), at, now)

    def enter(
        self,
        event: TableEvent,
        basis: Basis,
        at: Instant,
        now: Instant | None = None,
        *,
        by: str = "",
    ) -> Entered:
        """An event that happened at `at` is entered. `by`: the person or device it comes from."""
        return self._enter(Entry(self._number(), at, event, basis, by=by, entered=now))

    def replay(self, entry: Entry) -> Entered:
        """Fold an entry that was recorded."""
        outcome = self._engine.apply(entry)
        self._expected = None
        if isinstance(entry.event, Hand):
            self._sensor.begin_hand()
        self._sensor.observe(entry)
        return Entered(entry, outcome.findings, settled=outcome.settled)

    def replay_reading(self, stamped: Stamped) -> tuple[Conclusion, ...]:
        """What sensing concludes of a reading. What was entered of it is among the recorded entries."""
        return self._sensor.update(stamped, self._expectation())

    def replay_tick(self, at: Instant) -> tuple[Conclusion, ...]:
        """What sensing concludes of time that has passed. What was entered of it is among the recorded
        entries.
        """
        return self._sensor.due(at, self._expectation())

    def measured(self, antennas: Mapping[str, LoneCard]) -> None:
        """Antennas were measured with one card: sensing knows it from the next hand on."""
        self._sensor.measured(antennas)

    def recall(self, known: LearntTable) -> None:
        """A hand began with the entry before, and this is what sensing knew of the table then."""
        self._sensor.recall(known)

    def _expectation(self) -> Expectation:
        """What the engine expects; only an entry changes it."""
        if self._expected is None:
            self._expected = self._engine.expectation()
        return self._expected

    def _conclude(self, conclusions: Iterable[Conclusion], at: Instant, now: Instant | None) -> list[Entered]:
        return [
            self._enter(
                Entry(
                    self._number(),
                    at,
                    sensed.event,
                    sensed.basis,
                    sensed.sure,
                    evidence=sensed.evidence,
                    entered=now,
                ),
                sensed,
            )
            for sensed in conclusions
        ]

    def _enter(self, entry: Entry, sensed: Conclusion | None = None) -> Entered:
        entered = self.replay(entry)._replace(sensed=sensed)
        self._entered(entered)
        return entered
