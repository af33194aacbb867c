"""What devices send one table, put in order: what may be applied now, and what waits on disk until all have
caught up.
"""

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from tablebridge.bus.catchup import CatchUp
from tablebridge.bus.inbox import Arrived, Inbox, Lost, Request, WentBack
from tablebridge.bus.messages import DeviceMeta
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped

_DUE_EVERY_NS: Final = 250_000_000
"""How often gaps are looked for, which are asked for again after a second and more."""

Arrival = Stamped | Lost | WentBack


class Ready(NamedTuple):
    """What is to be done now. `apply`: in this order; `released`: those that were held on disk are among
    them. `hold`: to be kept on disk until they can be put in order.
    """

    apply: list[Arrival]
    hold: list[Stamped]
    released: bool = False


class Arrivals:
    """The inbox of one table and, after an outage, its catching up.

    `positions`: by device and epoch the next reading to take; `held`: the readings that were on disk at the
    start, waiting to be put in order. `asks`: what must be asked again, and of what device. `lost`: how many
    readings of each device can never come.
    """

    def __init__(self, positions: dict[tuple[str, str], int], held: Iterable[Stamped], now: Instant) -> None:
        self.asks: deque[Request] = deque()
        self._due_ns = now.monotonic_ns
        self.lost: Counter[str] = Counter()
        self._inbox = Inbox(positions)
        self._known = {device for device, _ in positions}
        self._catch_up: CatchUp | None = None
        waiting = [
            reading for stamped in held for reading in self._inbox.take(stamped, now.monotonic_ns).ready
        ]
        if waiting:
            self._catch_up = CatchUp(now, {reading.device for reading in waiting})
            for reading in waiting:
                self._catch_up.hold(reading)

    @property
    def catching_up(self) -> bool:
        """Whether readings are held until they can be put in order."""
        return self._catch_up is not None

    @property
    def gaps(self) -> bool:
        """Whether a gap is to be asked for again, about once per second."""
        return self._inbox.waits

    @property
    def until_ns(self) -> int | None:
        """The monotonic time at which catching up is over at the latest; None if nothing is held."""
        return None if self._catch_up is None else self._catch_up.until_ns

    def connected(self, devices: Iterable[str], now: Instant) -> None:
        """The broker is there again: what was read before comes out of order between devices. Of `devices`,
        those that never sent anything are not waited for.
        """
        before = self._catch_up
        self._catch_up = CatchUp(now, self._known.intersection(devices))
        for arrival in before.release() if before is not None else ():
            self._catch_up.hold(arrival)

    def gone(self, device: str) -> None:
        """The device is lost or its process has stopped: it is not waited for."""
        if self._catch_up is not None:
            self._catch_up.gone(device)

    def readings(self, stamped: Iterable[Stamped], now: Instant) -> Ready:
        """Readings have come."""
        return self._ready([self._inbox.take(reading, now.monotonic_ns) for reading in stamped], now)

    def birth(self, meta: DeviceMeta, now: Instant, *, retained: bool) -> Ready:
        """A driver process said which readings it still has; `retained` if it did so before this
        connection.
        """
        return self._ready([self._inbox.meta(meta, now.monotonic_ns, retained=retained)], now)

    def due(self, now: Instant) -> Ready:
        """Time has passed."""
        if self._catch_up is None and not self._inbox.waits and now.monotonic_ns < self._due_ns:
            return Ready([], [])
        self._due_ns = now.monotonic_ns + _DUE_EVERY_NS
        return self._ready(self._inbox.due(now.monotonic_ns), now)

    def applied(self, device: str) -> None:
        """A reading of the device, or the gap after it, was applied: after an outage it is waited for."""
        self._known.add(device)

    def _ready(self, taken: list[Arrived], now: Instant) -> Ready:
        self.asks.extend(answer.ask for answer in taken if answer.ask is not None)
        arrivals: list[Arrival] = []
        for answer in taken:
            if answer.back is not None:
                arrivals.append(answer.back)
            if answer.lost is not None:
                self.lost[answer.lost.device] += answer.lost.last - answer.lost.first + 1
                arrivals.append(answer.lost)
            arrivals += answer.ready
        if self._catch_up is None:
            return Ready(arrivals, [])
        for arrival in arrivals:
            self._catch_up.hold(arrival)
        if not self._catch_up.over(now):
            return Ready([], [arrival for arrival in arrivals if isinstance(arrival, Stamped)])
        released, self._catch_up = self._catch_up.release(), None
        return Ready(released, [], released=True)
