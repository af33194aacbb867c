"""Readings: what a device said, before anybody concluded anything from it.

Tags are UIDs as upper-case hex, most significant byte first, whatever the reader prints.
"""

from collections.abc import Collection
from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.bounds import (
    MOST_MEMBERS,
    Antenna,
    Count,
    Denominations,
    Odds,
    Short,
    Spot,
    Tags,
    Texts,
    TrayTags,
    Word,
)
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD

MOST_TAGS: Final = 64
"""Tags that are taken of one antenna: a deck with its jokers and cut card, and some."""
MOST_CHIPS: Final = MOST_MEMBERS
"""Tags that are taken of an antenna at a place for chips."""
MOST_TRAY_TAGS: Final = 2 * MOST_MEMBERS
HIDDEN_FACE: Final = "hidden-face"
"""The counter of a device's health for looks that name a face which may not lie open."""
TOO_MANY_TAGS: Final = "too-many-tags"
"""The counter of a device's health for tags that were left out."""


class Sweep(msgspec.Struct, frozen=True, tag="sweep", tag_field="kind"):
    """One antenna was visited `visits` times in a row and each time just these tags answered.

    `missed`: tags that the reader knew of and that did not answer, if the reader reports them. `complete`:
    False if the inventory was cut short (anticollision unfinished), so that silence proves nothing.
    """

    antenna: Antenna
    tags: Tags
    visits: Count = 1
    missed: Tags = ()
    complete: bool = True


class ShufflerReport(msgspec.Struct, frozen=True, tag="shuffler", tag_field="kind"):
    """What a shuffler says of the deck it is about to hand out. `faces`: cards as text, if it can read
    them.
    """

    report: Literal["ok", "count", "boxed", "missing", "extra", "jam", "door", "started", "ready"]
    count: Count | None = None
    faces: Texts = ()


class TrayReading(msgspec.Struct, frozen=True, tag="tray", tag_field="kind"):
    """The chip tray was read: the tags of the chips it holds, or counts by denomination if the tray counts
    itself.
    """

    tags: TrayTags = ()
    counts: Denominations = {}


class ButtonPress(msgspec.Struct, frozen=True, tag="button", tag_field="kind"):
    """A contact closed (`pressed`) or opened. `contact` is the device's own number; the site file says what
    it means.
    """

    contact: Antenna
    pressed: bool = True


class DeviceStatus(msgspec.Struct, frozen=True, tag="status", tag_field="kind"):
    """A device speaks of itself: its health, its identity, a dead antenna. `antenna` None: the whole device.

    `unknown`: it found another device, named in `detail`, that nobody knows.
    """

    state: Literal["ok", "degraded", "failed", "restarted", "identified", "unknown"]
    detail: Short = ""
    antenna: Antenna | None = None


class Look(msgspec.Struct, frozen=True, tag="look", tag_field="kind"):
    """A camera looked at a placement. `sees`: what lies there; `chips`, `nothing`: no card. `odds`: how many
    times likelier its picture is if that is so than if not; bounded, so that no camera is surer than this.
    `face`: the card, as text, if it names one; refused but for the board (`hides_face`).
    """

    place: Spot
    sees: Literal["face-up", "face-down", "boxed", "chips", "nothing"]
    odds: Odds = 1.0
    face: Annotated[str, msgspec.Meta(max_length=6)] = ""


Reading = Sweep | ShufflerReport | TrayReading | ButtonPress | DeviceStatus | Look


class Stamped(msgspec.Struct, frozen=True):
    """A reading with its identity for ever: (device, epoch, seq) is unique, seq grows by one within an epoch.

    `epoch` names one run of the device's outbox; `at` is when its last byte arrived.
    """

    device: Word
    epoch: Word
    seq: Count
    at: Instant
    reading: Reading


def hides_face(reading: Reading) -> bool:
    """Whether a camera names a face at a placement whose cards do not lie open for everybody: such a reading
    goes nowhere.
    """
    return isinstance(reading, Look) and reading.face != "" and reading.place != BOARD


def bounded(reading: Reading, for_chips: Collection[int] = ()) -> tuple[Reading, int]:
    """The reading with as many tags as are taken, whatever their order, and how many were left out.
    `for_chips`: antennas at places for chips.
    """
    match reading:
        case Sweep(antenna=antenna, tags=tags, missed=missed) if (
            len(tags) > MOST_TAGS or len(missed) > MOST_TAGS
        ):
            most = MOST_CHIPS if antenna in for_chips else MOST_TAGS
            some, few = _lowest(tags, most), _lowest(missed, most)
            return msgspec.structs.replace(reading, tags=some, missed=few), len(set(tags)) - len(some)
        case TrayReading(tags=tags) if len(tags) > MOST_TRAY_TAGS:
            some = _lowest(tags, MOST_TRAY_TAGS)
            return msgspec.structs.replace(reading, tags=some), len(set(tags)) - len(some)
        case _:
            return reading, 0


def _lowest(tags: tuple[str, ...], most: int) -> tuple[str, ...]:
    return tags if len(tags) <= most else tuple(sorted(set(tags))[:most])
