"""Readings: what a device said, before anybody concluded anything from it.

Tags are UIDs as upper-case hex, most significant byte first, whatever the reader prints.
"""

from typing import Literal

import msgspec

from tablebridge.model.instant import Instant


class Sweep(msgspec.Struct, frozen=True, tag="sweep", tag_field="kind"):
    """One antenna was visited `visits` times in a row and each time just these tags answered.

    `missed`: tags that the reader knew of and that did not answer, where a reader can tell.
    `complete`: False where the inventory was cut short (anticollision unfinished), so that silence proves nothing.
    """

    antenna: int
    tags: tuple[str, ...]
    visits: int = 1
    missed: tuple[str, ...] = ()
    complete: bool = True


class ShufflerReport(msgspec.Struct, frozen=True, tag="shuffler", tag_field="kind"):
    """What a shuffler says of the deck it is about to hand out. `faces`: cards as text, where it can read them."""

    report: Literal["ok", "count", "boxed", "missing", "extra", "jam", "door", "started", "ready"]
    count: int | None = None
    faces: tuple[str, ...] = ()


class TrayReading(msgspec.Struct, frozen=True, tag="tray", tag_field="kind"):
    """The chip tray was read: the tags of the chips it holds, or counts by denomination where the tray counts itself."""

    tags: tuple[str, ...] = ()
    counts: dict[int, int] = {}


class ButtonPress(msgspec.Struct, frozen=True, tag="button", tag_field="kind"):
    """A contact closed (`pressed`) or opened. `contact` is the device's own number; the site file says what it means."""

    contact: int
    pressed: bool = True


class DeviceStatus(msgspec.Struct, frozen=True, tag="status", tag_field="kind"):
    """A device speaks of itself: its health, its identity, a dead antenna. `antenna` None: the whole device.

    `unknown`: it found another device, named in `detail`, that nobody knows.
    """

    state: Literal["ok", "degraded", "failed", "restarted", "identified", "unknown"]
    detail: str = ""
    antenna: int | None = None


Reading = Sweep | ShufflerReport | TrayReading | ButtonPress | DeviceStatus


class Stamped(msgspec.Struct, frozen=True):
    """A reading with its identity for ever: (device, epoch, seq) is unique, seq grows by one within an epoch.

    `epoch` names one run of the device's outbox; `at` is when its last byte arrived.
    """

    device: str
    epoch: str
    seq: int
    at: Instant
    reading: Reading

