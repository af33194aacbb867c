"""What waits for one receiver, and what became of it. Pure: time comes in.

| what happens to the delivery | then |
| --- | --- |
| an answer 200 to 299 | it is delivered; the next is due |
| an answer 408, 429 or 500 and above, or no answer | it is tried again, with growing waits; order is kept |
| any other answer | it is lost: the receiver does not want it, and a redirect is not followed |
| it has waited for longer than the bound | it is lost |
| too many wait | the oldest is lost |

What is lost is counted.
"""

from collections import deque
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from tablebridge.backoff import Backoff, Chance

MOST: Final = 5_000
OLDEST_S: Final = 3_600.0
_AGAIN: Final = (408, 429)


class Item(Protocol):
    """What is delivered: `id` is the same if it is delivered again."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Item)


class Waiting(NamedTuple, Generic[T]):
    """What waits. `number`: its row on disk, 0 if it has none; `since_s`: since when."""

    number: int
    since_s: float
    item: T


class Deliveries(Generic[T]):
    """The queue of one receiver, by the seconds of a monotonic clock. `lost_before`: how many were lost that
    nothing delivered since has reported. `finished`: the rows of those that wait no more, for whoever deletes
    them. `most`: how many may wait, and `oldest_s` for how long.
    """

    def __init__(
        self, chance: Chance, lost_before: int = 0, most: int = MOST, oldest_s: float = OLDEST_S
    ) -> None:
        self.sent = self.lost = self.failures = 0
        self.lost_before = lost_before
        self.finished: list[int] = []
        self.most = most
        self.oldest_s = oldest_s
        self._waiting: deque[Waiting[T]] = deque()
        self._backoff = Backoff(chance)

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def put(self, waiting: Waiting[T]) -> None:
        """This is to be delivered."""
        if len(self._waiting) >= self.most:
            self._lose()
        self._waiting.append(waiting)

    def next(self, now_s: float) -> T | None:
        """What is to be sent now, if anything is."""
        while self._waiting and now_s - self._waiting[0].since_s >= self.oldest_s:
            self._lose()
        if not self._waiting or not self._backoff.is_due(now_s):
            return None
        return self._waiting[0].item

    def wait_s(self, now_s: float) -> float | None:
        """How long nothing is to be done; None as long as nothing waits."""
        return max(0.0, self._backoff.due_s - now_s) if self._waiting else None

    def answered(self, item: T, status: int, now_s: float, reported: int = 0) -> bool:
        """The receiver answered this, which `next` gave. `reported`: how many lost ones it was sent with.
        Whether it accepted it.
        """
        if status in _AGAIN or status >= 500:
            self.failed(now_s)
            return False
        self._backoff.worked()
        accepted = 200 <= status < 300
        # While it was under way it may have been counted as lost, since too many were waiting.
        if self._waiting and self._waiting[0].item.id == item.id:
            if not accepted:
                self._lose()
                return False
            self.finished.append(self._waiting.popleft().number)
        self.sent += accepted
        self.lost_before = max(0, self.lost_before - reported) if accepted else self.lost_before
        return accepted

    def failed(self, now_s: float) -> None:
        """No answer came."""
        self.failures += 1
        self._backoff.failed(now_s)

    def _lose(self) -> None:
        self.finished.append(self._waiting.popleft().number)
        self.lost += 1
        self.lost_before += 1
