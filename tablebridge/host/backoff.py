"""When a device that cannot be opened is tried again. Pure: time and chance come in.

Theory. Each failure makes the wait longer, up to a cap; it is tried again for ever. Only a device that proved
that it works makes the waits short again: a port that opens and breaks at once is a failure like any other.
Three things are special:

    the port appears or changes while    it is tried now: somebody plugged it in, or gave us the right to it
    we wait
    the port refuses us (no right, held  the longest wait: only a person can fix it, and it is logged once
    by another program, no port at all)
"""

from typing import Final

FIRST_S: Final = 0.25
GROWTH: Final = 1.8
LONGEST_S: Final = 15.0

Sight = tuple[int, ...] | None
"""What is seen of a port: what distinguishes it from another one with the same name, and its rights. None: it
is not there.
"""


class Backoff:
    """The waits of one device. `due_ns`: not to be tried before this time of the monotonic clock."""

    def __init__(self) -> None:
        self.due_ns = 0
        self._tries = 0
        self._sight: Sight = None

    def failed(self, now_ns: int, sight: Sight, *, refused: bool, chance: float) -> None:
        """Opening failed, or an open link broke. `chance`: 0 to 1, spreads many hosts that fail together."""
        wait_s = LONGEST_S if refused else min(LONGEST_S, FIRST_S * GROWTH ** min(self._tries, 40))
        self._tries += 1
        self._sight = sight
        self.due_ns = now_ns + round(wait_s * (0.8 + 0.2 * chance) * 1e9)

    def hold(self, until_ns: int, sight: Sight) -> None:
        """Not to be tried before then, unless the port changes."""
        self.due_ns, self._sight = until_ns, sight

    def seen(self, now_ns: int, sight: Sight) -> None:
        """What is seen of the port now."""
        if sight is not None and sight != self._sight:
            self.due_ns = min(self.due_ns, now_ns)
        self._sight = sight

    def worked(self) -> None:
        """The device proved that it works."""
        self._tries = 0
