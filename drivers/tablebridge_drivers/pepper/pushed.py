"""Eccel Pepper C1 readers that poll by themselves and push what they read, without being asked: over a serial
line, USB or TCP, as was chosen on their own page.

    binary   F5 LL ll NN nn  FE 00 TT PP UU…  kk KK    a frame as of `frames`: kind, SAK or DSFID, UID
    JSON     {"type": "uid", "uid": "E0…", "antenna": 1, …}       a text without a frame around it

A tag is named again and again while it lies there, so each naming holds it for `hold_ms`; the reader's own
time between two polls must be shorter. A binary event names no antenna: its tag lies on number 0, and so does
one of a JSON event without an antenna. Texts in a form of one's own are not read.

Source: the vendor's open integration ha-pepper-c1 (`coordinator.py`: both forms and their fields;
`fake_reader.py`: a binary event) and its package pepper_c1 0.2.0 (the forms' numbers). Not known: whether the
antennas of a MUX are counted from 1 in events, as they are in commands; in which order a JSON event has the
bytes of an ISO 15693 UID, so the one with E0 first is taken.
"""

from typing import Final

import msgspec

from tablebridge.sdk import Driver, Option, Reading, Reason, Rejected, SerialPort
from tablebridge.sdk.conversations.holding import HoldingSession
from tablebridge.sdk.conversations.push import STALE_AFTER_S, Named, Said, decode_named
from tablebridge.sdk.framing import Frames, rejected
from tablebridge_drivers.pepper import frames

TEXT: Final = ord("{")
LONGEST_TEXT: Final = 4096
"""Bytes of a JSON event: the vendor's own client takes no longer one."""
EVENT: Final = 0x00
"""The number behind FE of an event that names a tag."""
MOST_ANTENNAS: Final = 8
_ENDS: Final = (b"\r", b"\n")
_QUOTE, _ESCAPE, _OPEN, _CLOSE = b'"\\{}'


class Event(msgspec.Struct):
    """What is used of a JSON event."""

    type: str
    uid: str = ""
    antenna: int | None = None


_EVENTS: Final = msgspec.json.Decoder(Event)


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame or text that begins at `at`, for `Frames`."""
    if buffer[at] != TEXT:
        return frames.measure(buffer, at)
    depth, quoted, escaped = 0, False, False
    for place in range(at, min(len(buffer), at + LONGEST_TEXT)):
        byte = buffer[place]
        if escaped:
            escaped = False
        elif quoted:
            escaped, quoted = byte == _ESCAPE, byte != _QUOTE
        elif byte == _QUOTE:
            quoted = True
        elif byte in (_OPEN, _CLOSE):
            depth += 1 if byte == _OPEN else -1
            if depth == 0:
                return place + 1 - at
    return 0 if len(buffer) - at < LONGEST_TEXT else Reason.TOO_LONG


def intact(frame: bytes) -> bool:
    """Whether the CRC of a frame fits. A text has none."""
    return frame[0] != frames.BEGIN or frames.intact(frame)


def meaning(frame: bytes) -> Said:
    """What an intact frame or text says."""
    if frame[0] == TEXT:
        return _text(frame)
    answer = frames.read_answer(frame)
    if isinstance(answer, Rejected):
        return answer
    if answer.kind != frames.UNASKED or answer.command != EVENT:
        return rejected(Reason.UNEXPECTED, "no event that names a tag", frame)
    uid = frames.read_uid(answer.data)
    return uid if isinstance(uid, Rejected) else Named(0, uid)


def _text(text: bytes) -> Said:
    try:
        event = _EVENTS.decode(text)
        number = bytes.fromhex(event.uid)
    except (msgspec.DecodeError, ValueError):
        return rejected(Reason.IMPOSSIBLE_VALUE, "a text that is no event of a tag", text)
    if event.type != "uid":
        return rejected(Reason.UNKNOWN_TYPE, "an event that names no tag", text)
    antenna = 0 if event.antenna is None else event.antenna
    if not 0 <= antenna <= MOST_ANTENNAS:
        return rejected(Reason.IMPOSSIBLE_VALUE, "an antenna above 8", text)
    uid = frames.read_uid(bytes(2) + number)
    return uid if isinstance(uid, Rejected) else Named(antenna, uid)


class Events(Frames):
    """A receiver of events; an end of a line behind one is no fault."""

    def __init__(self) -> None:
        super().__init__(measure, intact)

    def feed(self, data: bytes) -> list[bytes | Rejected]:
        return _without_ends(super().feed(data))

    def silence(self) -> list[bytes | Rejected]:
        return _without_ends(super().silence())


def _without_ends(items: list[bytes | Rejected]) -> list[bytes | Rejected]:
    return [item for item in items if not isinstance(item, Rejected) or item.raw not in _ENDS]


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What events mean outside a conversation."""
    return decode_named(Events(), meaning, data)


DRIVER: Final = Driver(
    name="pepper-push",
    title="Eccel Pepper C1 readers that push what they read, with one antenna or as a MUX",
    trust="vendor document",
    source="the vendor's open integration ha-pepper-c1 and its package pepper_c1 0.2.0",
    tested="events of the form that the vendor's emulated reader and its tests have; "
    "never on hardware of ours",
    # As of a reader that is asked: its USB port resets it by DTR and RTS.
    port=lambda options: SerialPort(baud=int(options["baud"]), dtr=False, rts=False),
    session=lambda options: HoldingSession(Events(), meaning, int(options["hold_ms"])),
    options={
        "baud": Option(115200, "speed of the line", lowest=9600, highest=115200),
        "hold_ms": Option(
            1000,
            "how long a tag counts as there after it was named last; longer than the reader's polling time",
            lowest=50,
            highest=60000,
        ),
    },
    antennas=tuple(range(MOST_ANTENNAS + 1)),
    stale_after_s=STALE_AFTER_S,
    decode=decode,
    emulation="published",
    distinctive=True,
)
