"""USB readers that type a card's number and Enter as a keyboard does, at 125 kHz or 13.56 MHz, through evdev.

    event    tt tt cc cc vv vv vv vv      the kernel's input_event without its time, low byte first

    type     00: end of a report (code 3: events were lost); 01: a key; 04: the scan code before it
    code     of a key: 2 to 11 digits 1 to 9 and 0, 16 to 25, 30 to 38, 44 to 50 letters, 28 and 96 Enter,
             71 to 82 the number pad, 42 and 54 shift
    value    1 pressed, 0 released, 2 repeated by the kernel

While the driver has the reader, nobody else gets its keys: what is typed reaches no console and no window. A
line is a number in one of the usual forms (`card_numbers`); a begin and an end that some readers can be set
to type around it (`;…?`, `%…?`) are left out. If the kernel lost events, the line is rejected.

Source: the kernel's linux/input-event-codes.h and Documentation/input/event-codes.rst; programs of others
that read such readers: kevwe.com/blog/usb-rfid-reader, blog.ssokolow.com; reports that somebody logged from
a reader (tbe-team/raybot, issue 89). Never tried on a reader of ours.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

from tablebridge.sdk import Driver, KeysPort, Options, Reading, Rejected
from tablebridge.sdk.card_numbers import Numbers, number_options, numbers_of
from tablebridge.sdk.conversations.numbers import NumberSession, decode_numbers
from tablebridge.sdk.conversations.push import STALE_AFTER_S, hold_option
from tablebridge.sdk.framing import TextLines

KNOWN: Final = ((0xFFFF, 0x0035), (0x08FF, 0x0009))
"""Readers whose USB numbers no keyboard has: Sycreader and its copies, those that borrowed AuthenTec's."""

EVENT: Final = struct.Struct("<HHi")
REPORT: Final = 0
KEY: Final = 1
LOST: Final = 3
SHIFTS: Final = frozenset({42, 54})
LOST_MARK: Final = b"\x00"
_ROWS: Final = {2: "1234567890-", 16: "qwertyuiop", 30: "asdfghjkl;", 44: "zxcvbnm,./", 71: "789-456+1230."}
CHARACTERS: Final = {
    **{first + offset: text for first, row in _ROWS.items() for offset, text in enumerate(row)},
    28: "\n",
    57: " ",
    96: "\n",
}
_AROUND: Final = b";?%\r\n "


class KeyLines:
    """A receiver of key events, which gives the lines that are typed."""

    def __init__(self) -> None:
        self._lines = TextLines()
        self._buffer = b""
        self._shift: set[int] = set()

    pending = False
    """A pause between two keys ends nothing."""

    def feed(self, data: bytes) -> Sequence[bytes | Rejected]:
        """The lines that these events complete."""
        self._buffer += data
        whole = len(self._buffer) // EVENT.size * EVENT.size
        events, self._buffer = self._buffer[:whole], self._buffer[whole:]
        return self._lines.feed(b"".join(self._typed(events)))

    def silence(self) -> Sequence[bytes | Rejected]:
        """What stands there without Enter."""
        return self._lines.silence()

    def _typed(self, events: bytes) -> Iterator[bytes]:
        for kind, code, value in EVENT.iter_unpack(events):
            if kind == REPORT and code == LOST:
                self._shift.clear()
                yield LOST_MARK
            elif kind == KEY and code in SHIFTS:
                (self._shift.add if value else self._shift.discard)(code)
            elif kind == KEY and value == 1:
                yield self._character(CHARACTERS.get(code, "")).encode()

    def _character(self, plain: str) -> str:
        """With shift a semicolon is a colon; of other shifted keys only letters are part of a number."""
        if not self._shift or plain.isalpha() or plain == "\n":
            return plain
        return {";": ":", "/": "?", "5": "%"}.get(plain, "")


def read(line: bytes, numbers: Numbers) -> str | Rejected:
    """The UID that a line names."""
    return numbers.read(line.strip(_AROUND))


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What events of one reader mean outside a conversation."""
    return decode_numbers(read, Numbers(), data, KeyLines())


def _session(options: Options) -> NumberSession:
    return NumberSession(numbers_of(options), read, options, KeyLines())


DRIVER: Final = Driver(
    name="hid-wedge",
    title="USB readers that type a card's number as a keyboard does (Sycreader and others)",
    trust="vendor document",
    source="the kernel's input events; the usual forms of numbers, as many readers type them",
    tested="key events that umockdev plays below the kernel's interface, some of them after reports that "
    "others logged; never on hardware of ours",
    keys=KeysPort(ids=KNOWN),
    session=_session,
    options={
        **number_options(),
        "hold_ms": hold_option(1500),
    },
    stale_after_s=STALE_AFTER_S,
    decode=decode,
    emulation="published",
)
