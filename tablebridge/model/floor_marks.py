"""What the floor sets beside the alerts: that an alert waits on the shelf, that a table or a device is out of
service. All of it is done by a named person, for a reason, and recorded.
"""

from typing import Annotated, Final

import msgspec

from tablebridge.model.bounds import Short, Word
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place

LONGEST_SHELF_MIN: Final = 30
ShelfMinutes = Annotated[int, msgspec.Meta(ge=1, le=LONGEST_SHELF_MIN)]


class Shelf(msgspec.Struct, frozen=True):
    """An alert waits on the shelf for `minutes` from `since`: who put it there, and why."""

    since: Instant
    minutes: ShelfMinutes
    by: Word
    why: Short

    def is_over(self, now: Instant) -> bool:
        """Whether the time is over: by the monotonic clock, after a restart of the machine by the other."""
        same = now.boot_id == self.since.boot_id
        passed = now.monotonic_ns - self.since.monotonic_ns if same else abs(now.wall_ns - self.since.wall_ns)
        return passed >= self.minutes * 60 * 10**9

    @property
    def until_wall_ns(self) -> int:
        """When it is over, in nanoseconds since 1970."""
        return self.since.wall_ns + self.minutes * 60 * 10**9


class Shelve(msgspec.Struct, frozen=True, tag="shelve", tag_field="mark"):
    """Put an alert on the shelf."""

    alert: Word
    minutes: ShelfMinutes
    why: Short
    by: Word = ""


class Unshelve(msgspec.Struct, frozen=True, tag="unshelve", tag_field="mark"):
    """Take an alert from the shelf. `by` is empty if its time was over."""

    alert: Word
    by: Word = ""


class EndService(msgspec.Struct, frozen=True, tag="end-service", tag_field="mark"):
    """Put a device out of service, or the table if `device` is empty."""

    device: Word
    why: Short
    by: Word = ""


class ResumeService(msgspec.Struct, frozen=True, tag="resume-service", tag_field="mark"):
    """Put a device, or the table if `device` is empty, into service again."""

    device: Word
    by: Word = ""


FloorMark = Shelve | Unshelve | EndService | ResumeService


class OutOfService(msgspec.Struct, frozen=True):
    """A device, or the table if `device` is empty, is out of service: since when, by whom, and why. `places`:
    those that its antennas read.
    """

    device: Word
    since: Instant
    by: Word
    why: Short
    places: Annotated[
        tuple[Annotated[Place, msgspec.Meta(max_length=16)], ...], msgspec.Meta(max_length=64)
    ] = ()
