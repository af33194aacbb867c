"""What waits for one webhook, and what became of it. Pure: time comes in.

| event of the delivery | then |
| --- | --- |
| an answer 200 to 299 | it is delivered; the next is due |
| an answer 408, 429 or 500 and above, or no answer | it is tried again, with growing waits; order is kept |
| any other answer | it is lost: the receiver does not want it, and a redirect is not followed |
| it has waited `OLDEST_S` | it is lost |
| `MOST` wait | the oldest is lost |

What is lost is counted, and the next event says how many were lost before it.
"""

from collections import deque
from typing import Final, NamedTuple

import msgspec

from tablebridge.backoff import Backoff, Chance
from tablebridge.model.site_event import SiteEvent

MOST: Final = 5_000
OLDEST_S: Final = 3_600.0
_AGAIN: Final = (408, 429)


class Waiting(NamedTuple):
    """An event that waits. `number`: its row on disk, 0 if it has none; `since_s`: since when."""

    number: int
    since_s: float
    event: SiteEvent


class Deliveries:
    """The queue of one webhook, by the seconds of a monotonic clock. `lost_before`: how many events were lost
    that no delivered event has reported. `finished`: the rows of events that wait no more, for whoever
    deletes them.
    """

    def __init__(self, chance: Chance, lost_before: int = 0) -> None:
        self.sent = self.lost = self.failures = 0
        self.lost_before = lost_before
        self.finished: list[int] = []
        self._waiting: deque[Waiting] = deque()
        self._backoff = Backoff(chance)

    def __len__(self) -> int:
        """How many events wait."""
        return len(self._waiting)

    def put(self, waiting: Waiting) -> None:
        """An event is to be delivered."""
        if len(self._waiting) >= MOST:
            self._lose()
        self._waiting.append(waiting)

    def next(self, now_s: float) -> SiteEvent | None:
        """The event that is to be sent now, if one is."""
        while self._waiting and now_s - self._waiting[0].since_s >= OLDEST_S:
            self._lose()
        if not self._waiting or not self._backoff.is_due(now_s):
            return None
        return msgspec.structs.replace(self._waiting[0].event, lost_before=self.lost_before)

    def wait_s(self, now_s: float) -> float | None:
        """How long nothing is to be done; None as long as nothing waits."""
        return max(0.0, self._backoff.due_s - now_s) if self._waiting else None

    def answered(self, event: SiteEvent, status: int, now_s: float) -> bool:
        """The receiver answered this event, which `next` gave. Whether it accepted it."""
        if status in _AGAIN or status >= 500:
            self.failed(now_s)
            return False
        self._backoff.worked()
        accepted = 200 <= status < 300
        # While it was under way it may have been counted as lost, since too many were waiting.
        if self._waiting and self._waiting[0].event.id == event.id:
            if not accepted:
                self._lose()
                return False
            self.finished.append(self._waiting.popleft().number)
        self.sent += accepted
        self.lost_before = max(0, self.lost_before - event.lost_before) if accepted else self.lost_before
        return accepted

    def failed(self, now_s: float) -> None:
        """No answer came."""
        self.failures += 1
        self._backoff.failed(now_s)

    def _lose(self) -> None:
        self.finished.append(self._waiting.popleft().number)
        self.lost += 1
        self.lost_before += 1
