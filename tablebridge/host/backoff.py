"""When a device that cannot be opened is tried again. Pure: time and chance come in.

Theory. The waits are those of `tablebridge.backoff`. Only a device that proved that it works makes them short
again: a port that opens and breaks at once is a failure like any other. Two things are special:

    the port appears or changes while    it is tried now: somebody plugged it in, or gave us the right to it
    we wait
    the port refuses us (no right, held  the longest wait: only a person can fix it, and it is logged once
    by another program, no port at all)
"""

from tablebridge import backoff

Sight = tuple[int, ...] | None
"""What is seen of a port: what distinguishes it from another one with the same name, and its rights. None: it
is not there.
"""


class Backoff:
    """The waits of one device. `due_ns`: not to be tried before this time of the monotonic clock."""

    def __init__(self) -> None:
        self._chance = 0.0
        self._waits = backoff.Backoff(lambda: self._chance)
        self._sight: Sight = None

    @property
    def due_ns(self) -> int:
        return round(self._waits.due_s * 1e9)

    def failed(self, now_ns: int, sight: Sight, *, refused: bool, chance: float) -> None:
        """Opening failed, or an open link broke. `chance`: 0 to 1, spreads many hosts that fail together."""
        self._chance, self._sight = chance, sight
        if refused:
            self._waits.refused(now_ns / 1e9)
        else:
            self._waits.failed(now_ns / 1e9)

    def seen(self, now_ns: int, sight: Sight) -> None:
        """What is seen of the port now."""
        if sight is not None and sight != self._sight:
            self._waits.appeared(now_ns / 1e9)
        self._sight = sight

    def worked(self) -> None:
        """The device proved that it works."""
        self._waits.worked()
