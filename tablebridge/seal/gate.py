"""The delay gate: pictures with hole cards leave only after the delay, and by choice only after their hand.

Theory. All times are the engine's own monotonic clock, read when a picture was committed. The clock of a
device decides nothing here: it may be another machine's, or forged.

    when a picture leaves            its commit + the delay + the lag of its hand on the air
    while its hand is under way      not at all, if the policy is `hand-over`
    a hand that could leave late     its first picture leaves now, and that is its lag: the others follow at
                                     their true pace
    the next hand on the air         after the last picture of the hand before, with a pause of up to
                                     `PAUSE_S` as it was played

A hand runs on the air as long as it was played, and the next can begin only as long after it was over: so the
lag never grows beyond the longest hand, and is made up for in the pauses. With the policy `delay` there is
never a lag.

Between two departures are `EVERY_S` at least: of the pictures whose time has come meanwhile the newest
leaves, which is whole as each picture is. So a picture may leave that much later than the table says, and
none earlier.

The gate keeps every picture that waits, at most `CAPACITY`; beyond that the second-oldest goes, so that what
is shown is late rather than early.
"""

from collections import deque
from typing import Final

from tablebridge.model.overlay import OverlayView

CAPACITY: Final = 5000
PAUSE_S: Final = 5.0
EVERY_S: Final = 0.25
_EVERY_NS: Final = round(EVERY_S * 1e9)
_PAUSE_NS: Final = round(PAUSE_S * 1e9)


class DelayGate:
    """Holds pictures back for `delay_s` seconds, and until their hand is over if `until_over`. `now_ns`:
    monotonic time.
    """

    def __init__(self, delay_s: float, *, until_over: bool = False) -> None:
        self.delay_s = delay_s
        self._delay_ns = round(delay_s * 1e9)
        self._until_over = until_over
        self._waiting: deque[tuple[int, OverlayView]] = deque()
        self._held: int | None = None
        self._not_before_ns = 0
        # The hand on the air, its lag, when its last picture was committed, and when its time had come.
        self._on_air: int | None = None
        self._lag_ns = 0
        self._last: tuple[int, int] | None = None
        self._departed_ns: int | None = None

    def __len__(self) -> int:
        """How many pictures wait."""
        return len(self._waiting)

    def put(self, picture: OverlayView, now_ns: int, under_way: int | None) -> None:
        """A picture is committed. `under_way`: the number of the hand that is not over, None between
        hands.
        """
        held = under_way if self._until_over else None
        if held != self._held:
            if self._on_air == self._held:
                # What is left of it begins as a hand does: late, and at its true pace.
                self._on_air = None
            self._held, self._not_before_ns = held, now_ns
        self._waiting.append((now_ns, picture))
        if len(self._waiting) > CAPACITY:
            oldest = self._waiting.popleft()
            self._waiting.popleft()
            self._waiting.appendleft(oldest)

    def due(self, now_ns: int) -> OverlayView | None:
        """The newest picture whose time has come since the last departure; older ones are passed over."""
        wake = self.wake_ns
        if wake is None or wake > now_ns:
            return None
        newest = None
        while (at := self._scheduled_ns) is not None and at <= now_ns:
            committed, newest = self._waiting.popleft()
            self._on_air, self._lag_ns = newest.hand, at - committed - self._delay_ns
            self._last = committed, at
        self._departed_ns = now_ns
        return newest

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which the next picture may leave, None while none may."""
        scheduled = self._scheduled_ns
        if scheduled is None or self._departed_ns is None:
            return scheduled
        return max(scheduled, self._departed_ns + _EVERY_NS)

    @property
    def _scheduled_ns(self) -> int | None:
        """The time of the next picture by the table above, None while it has none."""
        if not self._waiting or self._waiting[0][1].hand == self._held:
            return None
        committed, picture = self._waiting[0]
        due = committed + self._delay_ns
        if picture.hand == self._on_air:
            return due + self._lag_ns
        if self._last is not None:
            before, left = self._last
            due = max(due, left + min(committed - before, _PAUSE_NS))
        return max(due, self._not_before_ns)
