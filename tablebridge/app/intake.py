"""What devices send one table, on its way to the core: taken at once, or later if a device has used up its
share.

Theory. One thread serves all tables of a box, so no device may have it for itself. Each device has a store of
engine time that grows by its share of every second, up to `STORE_NS`. What its readings cost, decoding and
sensing both, is taken out of it.

| the store of a device | its readings |
| --- | --- |
| is not empty | arrive: they are committed in this round of the loop, then acknowledged |
| is empty | wait here in order, `WAITING` at most, acknowledged; `BATCH` per round are taken as it grows |
| is empty, and `WAITING` wait | are dropped, acknowledged: the inbox meets the gap and asks for them again |

What waits may be acknowledged, as what the inbox holds behind a gap may: an outbox keeps more than both after
acknowledgement, so what a crash takes comes again. After an outage, when all devices catch up, sensing is not
charged.
"""

from collections import deque
from typing import Final

from tablebridge.bus.client import Ack
from tablebridge.model.readings import Stamped

WAITING: Final = 1_000
BATCH: Final = 16
STORE_NS: Final = 1_000_000_000


class _Store:
    def __init__(self, share: float, now_ns: int) -> None:
        self._share = share
        self._left_ns = STORE_NS
        self._at_ns = now_ns

    def empty(self, now_ns: int) -> bool:
        self._grow(now_ns)
        return self._left_ns <= 0

    def spend(self, cost_ns: int, now_ns: int) -> None:
        self._grow(now_ns)
        # One reading that took long must not silence its device for long.
        self._left_ns = max(self._left_ns - cost_ns, -STORE_NS)

    def _grow(self, now_ns: int) -> None:
        self._left_ns = min(STORE_NS, self._left_ns + int((now_ns - self._at_ns) * self._share))
        self._at_ns = now_ns


class Intake:
    """The readings of one table's devices. `share`: seconds of engine time per second for each device."""

    def __init__(self, share: float) -> None:
        self._arrived: list[Stamped] = []
        self._acks: list[Ack] = []
        self._share = share
        self._stores: dict[str, _Store] = {}
        self._waiting: dict[str, deque[Stamped]] = {}

    def full(self, device: str, now_ns: int) -> bool:
        """Whether the device's next reading is to be dropped."""
        return len(self._waiting.get(device, ())) >= WAITING and self._store(device, now_ns).empty(now_ns)

    def take(self) -> tuple[list[Stamped], list[Ack]]:
        """What has arrived, and what is to be called when it is committed."""
        taken = self._arrived, self._acks
        self._arrived, self._acks = [], []
        return taken

    def put(self, stamped: Stamped, ack: Ack, now_ns: int) -> bool:
        """The next reading of its device. False if it has to wait."""
        waiting = self._waiting.get(stamped.device)
        if waiting or self._store(stamped.device, now_ns).empty(now_ns):
            self._waiting.setdefault(stamped.device, deque()).append(stamped)
            ack()
            return False
        self._arrived.append(stamped)
        self._acks.append(ack)
        return True

    def spend(self, device: str, cost_ns: int, now_ns: int) -> None:
        """The device's readings have taken this much of the engine's time."""
        self._store(device, now_ns).spend(cost_ns, now_ns)

    def let_in(self, now_ns: int) -> None:
        """A batch of what waits arrives, of each device whose store is not empty."""
        for device, waiting in self._waiting.items():
            if waiting and not self._store(device, now_ns).empty(now_ns):
                self._arrived += [waiting.popleft() for _ in range(min(BATCH, len(waiting)))]

    def __len__(self) -> int:
        """How many readings wait."""
        return sum(map(len, self._waiting.values()))

    @property
    def waits(self) -> bool:
        """Whether anything waits."""
        return any(self._waiting.values())

    def _store(self, device: str, now_ns: int) -> _Store:
        if device not in self._stores:
            self._stores[device] = _Store(self._share, now_ns)
        return self._stores[device]
