"""Programs that play a device: readings as JSON, one per line, on a pseudo-terminal or `socket://`.

    {"kind": "sweep", "antenna": 1, "tags": ["E004015000000001"], "visits": 1, "complete": true} LF
    {"kind": "button", "contact": 1, "pressed": true} LF
    {"kind": "shuffler", "report": "ok", "count": 52} LF
    {"kind": "tray", "counts": {"25": 40}} LF
    {"kind": "status", "state": "ok"} LF

The objects are those of `tablebridge.model.readings`, as the captures' `expect.jsonl` has them; fields with a
default may be left out. Every line proves that the program is alive: one that has nothing to report says
"status ok" now and then. Source: our own.
"""

import re
from typing import Final

import msgspec

from tablebridge.sdk import (
    ButtonPress,
    DeviceStatus,
    Driver,
    Option,
    Options,
    Reading,
    Reason,
    Rejected,
    SerialPort,
    ShufflerReport,
    Sweep,
    TrayReading,
)
from tablebridge.sdk.conversations.push import Push
from tablebridge.sdk.framing import Lines, each, rejected

LONGEST: Final = 32_768
ANTENNAS: Final = 64
CONTACTS: Final = 256
MOST_VISITS: Final = 1_000_000
_TAG: Final = re.compile(r"(?:[0-9A-F]{2}){2,62}")
_BOUND: Final = re.compile(r"Expected `\w+` (?:[<>]=?|of length)")
_READING: Final[msgspec.json.Decoder[Reading]] = msgspec.json.Decoder(
    Sweep | ButtonPress | ShufflerReport | TrayReading | DeviceStatus
)


def meaning(line: bytes) -> Reading | Rejected:
    """What a line says."""
    try:
        reading = _READING.decode(line)
    except msgspec.ValidationError as error:
        # The types of readings have bounds; msgspec says which was passed, as in "Expected `int` >= 0".
        if _BOUND.search(str(error)):
            return rejected(Reason.IMPOSSIBLE_VALUE, "a number, text or list beyond its bound", line)
        return rejected(Reason.UNKNOWN_TYPE, "JSON that is no reading", line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Brackets within brackets without end are no reading either.
        return rejected(Reason.NOISE, "no JSON", line)
    if not _possible(reading):
        return rejected(
            Reason.IMPOSSIBLE_VALUE, "a number out of range, or a tag that is not upper-case hex", line
        )
    return reading


def _possible(reading: Reading) -> bool:
    match reading:
        case Sweep(antenna, tags, visits, missed):
            return (
                0 <= antenna < ANTENNAS
                and 0 < visits <= MOST_VISITS
                and len(set(tags)) == len(tags)
                and all(_TAG.fullmatch(tag) for tag in (*tags, *missed))
            )
        case TrayReading(tags, counts):
            return all(_TAG.fullmatch(tag) for tag in tags) and all(
                value > 0 <= count for value, count in counts.items()
            )
        case ButtonPress(contact):
            return 0 <= contact < CONTACTS
        case DeviceStatus(antenna=antenna):
            return antenna is None or 0 <= antenna < ANTENNAS
        case ShufflerReport(count=count):
            return count is None or 0 <= count <= 1000
    return False


def receiver() -> Lines:
    """Cuts what a program prints into its lines."""
    return Lines(LONGEST, patient=True, empty=False)


class SimulatorSession(Push[bytes]):
    """Listens. `options`: none that matters to it."""

    def __init__(self, options: Options) -> None:
        super().__init__(receiver())

    def heard(self, line: bytes, now_ns: int) -> None:
        self.report(meaning(line), alive=True)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines mean outside a conversation."""
    return each(receiver(), meaning, data)


DRIVER: Final = Driver(
    name="simulator",
    title="Programs that play a device: readings as lines of JSON",
    trust="own protocol",
    source="tablebridge.model.readings",
    tested="a program cannot be tried on hardware",
    port=lambda options: SerialPort(baud=int(options["baud"])),
    session=SimulatorSession,
    options={"baud": Option(115200, "speed of the line, if it is one", lowest=1200, highest=2000000)},
    antennas=tuple(range(ANTENNAS)),
    stale_after_s=5.0,
    decode=decode,
)
