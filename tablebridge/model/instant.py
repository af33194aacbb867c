"""Time as three parts: a wall clock to show, a monotonic clock to measure with, the boot that it belongs to.

Order and intervals rest on `monotonic_ns` within one boot; `wall_ns` is for people and may jump.
"""

import msgspec

from tablebridge.model.bounds import Nanoseconds, Word


class Instant(msgspec.Struct, frozen=True, array_like=True):
    """When something was noticed. `wall_ns`: nanoseconds since 1970, UTC. `monotonic_ns`: since `boot_id`
    began.
    """

    wall_ns: Nanoseconds
    monotonic_ns: Nanoseconds
    boot_id: Word = ""
    clock_synchronised: bool = True


START = Instant(0, 0)


def later(instant: Instant, seconds: float) -> Instant:
    """The instant `seconds` after the given one, by both clocks."""
    ns = round(seconds * 1e9)
    return Instant(
        instant.wall_ns + ns, instant.monotonic_ns + ns, instant.boot_id, instant.clock_synchronised
    )


def seconds_between(before: Instant, now: Instant) -> float:
    """The seconds from one instant to another: by the monotonic clock within one boot, else by the wall
    clock, never below 0.
    """
    if before.boot_id == now.boot_id:
        return max(0.0, (now.monotonic_ns - before.monotonic_ns) / 1e9)
    return max(0.0, (now.wall_ns - before.wall_ns) / 1e9)
