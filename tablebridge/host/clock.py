"""The clock that stamps readings: wall time, monotonic time, the boot both belong to, and whether wall time
can be trusted.
"""

import ctypes
import time
from pathlib import Path
from typing import Final, Protocol

from tablebridge.model.instant import Instant

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_CHECK_NS: Final = 10_000_000_000
_TIME_ERROR: Final = 5
_TIMEX_BYTES: Final = 512


class Clock(Protocol):
    """The source of time."""

    def now(self) -> Instant:
        """This moment."""


class SystemClock:
    """The kernel's clocks. `clock_synchronised` is what the kernel reports (adjtimex(2)), read every ten
    seconds.
    """

    def __init__(self) -> None:
        self._boot_id = _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else ""
        self._synchronised = False
        self._check_at_ns = 0

    def now(self) -> Instant:
        """This moment."""
        monotonic_ns = time.monotonic_ns()
        if monotonic_ns >= self._check_at_ns:
            self._check_at_ns = monotonic_ns + _CHECK_NS
            self._synchronised = _synchronised()
        return Instant(time.time_ns(), monotonic_ns, self._boot_id, self._synchronised)


def _synchronised() -> bool:
    """Reading the state needs no right; if even that is filtered the answer is no. The zeroed struct timex
    is longer than the kernel's, whose size differs between machines.
    """
    state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    return state not in (-1, _TIME_ERROR)
