"""The delay gate: pictures with hole cards leave only after the delay.

Fail closed: a picture whose time cannot be compared with the present (another boot) waits the whole delay from now on.
The gate keeps every picture of the delay window, at most `CAPACITY`; beyond that the second-oldest goes, so that what is
shown is late rather than early.
"""

from collections import deque
from typing import Final

from tablebridge.model.instant import Instant
from tablebridge.model.views import TableView

CAPACITY: Final = 5000


class DelayGate:
    """Holds pictures back for `delay_s` seconds of monotonic time."""

    def __init__(self, delay_s: float) -> None:
        self._delay_ns = round(delay_s * 1e9)
        self._waiting: deque[tuple[int, TableView]] = deque()

    def put(self, picture: TableView, taken: Instant, now: Instant) -> None:
        """A picture that was true at `taken`."""
        same_clock = taken.boot_id == now.boot_id and taken.monotonic_ns <= now.monotonic_ns
        due = (taken if same_clock else now).monotonic_ns + self._delay_ns
        if self._waiting and due < self._waiting[-1][0]:
            due = self._waiting[-1][0]
        self._waiting.append((due, picture))
        if len(self._waiting) > CAPACITY:
            oldest = self._waiting.popleft()
            self._waiting.popleft()
            self._waiting.appendleft(oldest)

    def still_waits(self, taken: Instant, now: Instant) -> bool:
        """Whether a picture of that time is still held back: after a restart the delay window is made anew from these."""
        return taken.boot_id == now.boot_id and now.monotonic_ns - taken.monotonic_ns < self._delay_ns

    def due(self, now: Instant) -> TableView | None:
        """The newest picture whose time has come since the last call; older ones are passed over."""
        picture = None
        while self._waiting and self._waiting[0][0] <= now.monotonic_ns:
            picture = self._waiting.popleft()[1]
        return picture

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which the next picture may leave."""
        return self._waiting[0][0] if self._waiting else None
