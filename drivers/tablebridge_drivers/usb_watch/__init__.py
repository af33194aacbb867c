"""Watches what is plugged into the box over USB, and tells of each device that the site file does not name.

    asked by an empty line
    answered by a line of JSON    [{"ids": "1209:0001", "path": "1-4.1", "what": "…", "named": false}, …]

A device that belongs to the box (a keyboard, a network adapter) is put into the option `expected`, by its
numbers or its path. Each is told once while it is there. Nothing is opened and nothing is written to any
device.

Source: our own; the host reads the devices from sysfs.
"""

from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Driver, Option, Options, Reading, Reason, Rejected, WatchPort
from tablebridge.sdk.framing import Lines, rejected
from tablebridge_drivers.polling import MS, Polling

LONGEST: Final = 65_536
ASK: Final = b"\n"
ANSWER_NS: Final = 500 * MS


class Plugged(msgspec.Struct, frozen=True):
    """One device of a line."""

    ids: str
    path: str
    what: str
    named: bool = False


_DECODER: Final = msgspec.json.Decoder(tuple[Plugged, ...])


def read(line: bytes) -> tuple[Plugged, ...] | Rejected:
    """The devices of a line."""
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError):
        return rejected(Reason.IMPOSSIBLE_VALUE, "no list of devices", line)


def told(device: Plugged) -> DeviceStatus:
    """What is said of a device that nobody knows."""
    return DeviceStatus("unknown", device.what)


class WatchSession(Polling[bytes]):
    """Asks again and again. A line is the answer, asked for or not."""

    def __init__(self, options: Options) -> None:
        super().__init__(ASK, ANSWER_NS, "the box was not looked at")
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._expected = frozenset(str(options["expected"]).lower().split())
        self._lines = Lines(LONGEST)
        self._there: frozenset[Plugged] = frozenset()

    def cut(self, data: bytes) -> list[bytes | Rejected]:
        return self._lines.feed(data)

    def heard(self, item: bytes, now_ns: int) -> list[Reading] | Rejected:
        found = read(item)
        if isinstance(found, Rejected):
            return found
        unknown = [one for one in found if not one.named and not self._expected & {one.ids, one.path}]
        new = [one for one in unknown if one not in self._there]
        self._there = frozenset(unknown)
        self.answered(now_ns + self._poll_ns)
        return [told(one) for one in new]


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines mean outside a conversation: each device that is not named, in each line."""
    lines = Lines(LONGEST)
    found: list[Reading | Rejected] = []
    for line in (*lines.feed(data), *lines.feed(b"\n")):
        devices = line if isinstance(line, Rejected) else read(line) if line else ()
        if isinstance(devices, Rejected):
            found.append(devices)
        else:
            found += [told(one) for one in devices if not one.named]
    return tuple(found)


DRIVER: Final = Driver(
    name="usb-watch",
    title="The box itself: tells of USB devices that the site file does not name",
    trust="own protocol",
    source="our own",
    tested="emulated devices in sysfs; never on a box of ours",
    watch=WatchPort(),
    session=WatchSession,
    options={
        "poll_interval_ms": Option(1000, "pause between two looks", lowest=100, highest=60000),
        "expected": Option("", 'devices that belong to the box, by numbers or path: "046d:c31c 1-1.3"'),
    },
    antennas=(),
    stale_after_s=5.0,
    decode=decode,
)
