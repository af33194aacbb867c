"""What the engine's process counts of a table and reports every few seconds."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from tablebridge.app.overlay import OverlayFeed
from tablebridge.bus import topics
from tablebridge.bus.messages import TableCounters
from tablebridge.bus.topics import Topic
from tablebridge.model.commit_times import CommitTimes


class Measured(NamedTuple):
    """What a core knows of its own work, as it is now. `lost`: readings that can never come, by device."""

    lost: Mapping[str, int]
    commits: CommitTimes
    overlay: OverlayFeed


class Tally:
    """Counts what leaves a table: its findings, its hands, and what is asked of devices again."""

    def __init__(self) -> None:
        self._findings: Counter[str] = Counter()
        self._gaps: Counter[str] = Counter()
        self._hands = 0
        self._hand: int | None = None

    def leaves(self, topic: Topic, message: Any) -> None:
        """A message leaves the table."""
        if topic is topics.FINDING:
            self._findings[message.finding.finding] += 1

    def asked(self, device: str) -> None:
        """Readings of this device are asked for again."""
        self._gaps[device] += 1

    def hand(self, number: int) -> None:
        """The number of the table's hand now. The first that is seen may have begun before."""
        if self._hand is not None and number > self._hand:
            self._hands += number - self._hand
        self._hand = number

    def message(self, epoch: str, measured: Measured, waiting: int, unsent: int) -> TableCounters:
        """All that is counted. `waiting`: readings that wait for the engine; `unsent`: messages of the
        process that wait for the broker.
        """
        return TableCounters(
            epoch,
            self._hands,
            dict(self._findings),
            dict(self._gaps.most_common(64)),
            dict(Counter(measured.lost).most_common(64)),
            waiting,
            unsent,
            measured.overlay.waiting,
            measured.overlay.delay_s,
            tuple(measured.commits.counts),
            measured.commits.total_ns,
        )
