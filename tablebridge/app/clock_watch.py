"""Notices that the wall clock was set: it moved by another amount than the monotonic clock. Pure: time comes
in.

Order, waits and the overlay's delay rest on the monotonic clock, so such a jump harms none of them. People
read wall time, tokens and commands end by it: so somebody should know.
"""

from typing import Final

from tablebridge.model.instant import Instant

LEAST_S: Final = 60.0
_DAY_S: Final = 86_400.0


class ClockWatch:
    """Compares the two clocks of this machine."""

    def __init__(self) -> None:
        self._offset_ns: int | None = None

    def jumped(self, now: Instant) -> str:
        """A sentence if the wall clock was set by `LEAST_S` or more since the last call, else nothing."""
        offset = now.wall_ns - now.monotonic_ns
        before, self._offset_ns = self._offset_ns, offset
        if before is None or abs(offset - before) < LEAST_S * 1e9:
            return ""
        by_s = (offset - before) / 1e9
        amount = f"{abs(by_s) / _DAY_S:.1f} days" if abs(by_s) >= _DAY_S else f"{abs(by_s):.0f} s"
        way = "ahead" if by_s > 0 else "back"
        return (
            f"the wall clock was set {amount} {way}: order, waits and the overlay's delay do not depend on "
            "it, but tokens may have expired and the times that people read have a jump; check timedatectl"
        )
