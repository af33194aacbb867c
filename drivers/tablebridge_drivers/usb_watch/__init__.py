"""Watches what is plugged into the box over USB, and reports each device that the site file does not name.

    asked by an empty line
    answered by a line of JSON    [{"ids": "1209:0001", "path": "1-4.1", "what": "…", "named": false}, …]

A device that belongs to the box (a keyboard, a network adapter) is put into the option `expected`, by its
numbers or its path. Each is reported once while it is there. Nothing is opened and nothing is written to any
device.

Source: our own; the host reads the devices from sysfs.
"""

from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Driver, Option, Options, Reading, Reason, Rejected, WatchPort
from tablebridge.sdk.conversations.polling import MS, Polling
from tablebridge.sdk.framing import Lines, rejected

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


def status(device: Plugged) -> DeviceStatus:
    """What is reported of a device that nobody knows."""
    return DeviceStatus("unknown", device.what)


def receiver() -> Lines:
    """Cuts what the host answers."""
    return Lines(LONGEST, patient=True, empty=False)


class WatchSession(Polling[bytes]):
    """Asks again and again. A line is the answer, asked for or not."""

    def __init__(self, options: Options) -> None:
        super().__init__(receiver(), ASK, ANSWER_NS, "the box was not looked at")
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._expected = frozenset(str(options["expected"]).lower().split())
        self._there: frozenset[Plugged] = frozenset()

    def heard(self, line: bytes, now_ns: int) -> None:
        found = read(line)
        if isinstance(found, Rejected):
            self.report(found)
            return
        self.answered(now_ns + self._poll_ns)
        self.prove_alive()
        unknown = [
            device for device in found if not device.named and not self._expected & {device.ids, device.path}
        ]
        for device in unknown:
            if device not in self._there:
                self.report(status(device))
        self._there = frozenset(unknown)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines mean outside a conversation: each device that is not named, in each line."""
    lines = receiver()
    found: list[Reading | Rejected] = []
    for line in (*lines.feed(data), *lines.silence()):
        devices = line if isinstance(line, Rejected) else read(line)
        if isinstance(devices, Rejected):
            found.append(devices)
        else:
            found += [status(device) for device in devices if not device.named]
    return tuple(found)


DRIVER: Final = Driver(
    name="usb-watch",
    title="The box itself: reports USB devices that the site file does not name",
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
