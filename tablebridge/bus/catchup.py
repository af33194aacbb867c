"""After an outage, the order of things between devices. Pure: time comes in as instants.

Theory. What was read while the broker or the engine was away comes again in order within a device, but one
device after the other: a card at seat 5 before the card that seat 4 got earlier. Sensing follows a deal by
its order, so nothing is passed on until all devices have caught up; then everything is, in the order in which
it was read.

| while catching up | then |
| --- | --- |
| a reading of a device that is waited for, made after the outage ended | the device has caught up |
| a device is lost or stopped | it is waited for no longer |
| no device is waited for any more, or 4 s have passed | what is held goes out by time of reading; the end |

Only antennas are waited for: they report every second even when nothing moves. 4 s are more than
a broker waits before it delivers again (3 s), and less than a person's command waits for its answer (5 s).

Readings of the box's present boot are ordered by the monotonic clock; those of any other boot come before
them, by the wall clock. Within a device the order stays that of the outbox, whatever the clocks say.
"""

from collections.abc import Iterable
from typing import Final

from tablebridge.bus.inbox import Lost, WentBack
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped

LONGEST_NS: Final = 4_000_000_000

Key = tuple[bool, int]


class CatchUp:
    """One outage's end at `began`, with the devices that are to catch up: those that have reported something
    before.
    """

    def __init__(self, began: Instant, devices: Iterable[str]) -> None:
        self._began = began
        self._waited_for = set(devices)
        self._held: list[tuple[Key, Stamped | Lost | WentBack]] = []
        self._latest: dict[str, Key] = {}

    @property
    def until_ns(self) -> int:
        """The monotonic time at which it is over at the latest."""
        return self._began.monotonic_ns + LONGEST_NS

    def over(self, now: Instant) -> bool:
        """Whether all devices have caught up, or the time for it has passed."""
        return not self._waited_for or now.monotonic_ns >= self.until_ns

    def hold(self, item: Stamped | Lost | WentBack) -> None:
        """Hold the next item of its device, in the order of its outbox. What is lost has the place of what
        came before it.
        """
        latest = self._latest.get(item.device, (False, 0))
        if isinstance(item, Stamped):
            same_boot = item.at.boot_id == self._began.boot_id
            latest = max(latest, (same_boot, item.at.monotonic_ns if same_boot else item.at.wall_ns))
            self._latest[item.device] = latest
            if latest >= (True, self._began.monotonic_ns):
                self._waited_for.discard(item.device)
        self._held.append((latest, item))

    def gone(self, device: str) -> None:
        """The device is lost or its process has stopped."""
        self._waited_for.discard(device)

    def release(self) -> list[Stamped | Lost | WentBack]:
        """All that is held, in order of time."""
        return [item for _, item in sorted(self._held, key=lambda held: held[0])]
