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
from typing import Final

import msgspec

from tablebridge.backoff import Backoff, Chance
from tablebridge.model.site_event import SiteEvent

MOST: Final = 1_000
OLDEST_S: Final = 600.0
_AGAIN: Final = (408, 429)


class Deliveries:
    """The queue of one webhook, by the seconds of a monotonic clock."""

    def __init__(self, chance: Chance) -> None:
        self.sent = self.lost = self.failures = 0
        self._waiting: deque[tuple[float, SiteEvent]] = deque()
        self._lost_before = 0
        self._backoff = Backoff(chance)

    def __len__(self) -> int:
        """How many events wait."""
        return len(self._waiting)

    def put(self, event: SiteEvent, now_s: float) -> None:
        """An event is to be delivered."""
        if len(self._waiting) >= MOST:
            self._lose()
        self._waiting.append((now_s, event))

    def next(self, now_s: float) -> SiteEvent | None:
        """The event that is to be sent now, if one is."""
        while self._waiting and now_s - self._waiting[0][0] >= OLDEST_S:
            self._lose()
        if not self._waiting or not self._backoff.is_due(now_s):
            return None
        return msgspec.structs.replace(self._waiting[0][1], lost_before=self._lost_before)

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
        if self._waiting and self._waiting[0][1].id == event.id:
            if not accepted:
                self._lose()
                return False
            self._waiting.popleft()
        self.sent += accepted
        self._lost_before = max(0, self._lost_before - event.lost_before) if accepted else self._lost_before
        return accepted

    def failed(self, now_s: float) -> None:
        """No answer came."""
        self.failures += 1
        self._backoff.failed(now_s)

    def _lose(self) -> None:
        self._waiting.popleft()
        self.lost += 1
        self._lost_before += 1
