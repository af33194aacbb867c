"""A whole driver for a device that does not exist: the Example CR-1, one antenna and one button. Copy it to
begin yours.

docs/drivers.md leads through it in ten steps.

    request  AA LL 'P' XX                poll
    answer   AA LL 'T' UU×8 … XX         the UIDs of all tags in the field, most significant byte first
             AA LL 'K' SS XX             the button: SS is 01 pressed, 00 released; sent unasked
             AA LL 'F' EE XX             a fault: EE is 01 antenna broken, 02 supply low

    AA  begin
    LL  length of the whole frame, 4 to 255
    XX  exclusive-or of all bytes before it

Source: invented.
"""

from typing import Final

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
    Sweep,
)
from tablebridge.sdk.conversations.polling import MS, Polling
from tablebridge.sdk.framing import Frames, each, rejected, xor_sum

BEGIN, SHORTEST = 0xAA, 4
POLL, TAGS, BUTTON, FAULT = b"PTKF"
FAULTS: Final = {0x01: "the antenna is broken", 0x02: "the supply is low"}
ANSWER_NS: Final = 300 * MS


def encode(kind: int, data: bytes = b"") -> bytes:
    """The bytes of a frame, either direction. `kind`: its letter, as a code. `data`: at most 251 bytes."""
    head = bytes((BEGIN, len(data) + SHORTEST, kind)) + data
    return head + bytes((xor_sum(head),))


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame that begins at `at`, for `Frames`."""
    if buffer[at] != BEGIN:
        return Reason.NOISE
    if len(buffer) < at + 2:
        return 0
    return buffer[at + 1] if buffer[at + 1] >= SHORTEST else Reason.TOO_SHORT


def intact(frame: bytes) -> bool:
    """Whether the checksum fits."""
    return xor_sum(frame) == 0


def meaning(frame: bytes) -> Reading | Rejected:
    """What an intact frame says. It needs no memory of earlier frames, so it can be tested and shown by
    itself.
    """
    kind, data = frame[2], frame[3:-1]
    if kind == TAGS:
        if len(data) % 8:
            return rejected(Reason.TOO_SHORT, "the last UID is cut", frame)
        uids = {data[at : at + 8].hex().upper() for at in range(0, len(data), 8)}
        return Sweep(0, tuple(sorted(uids)))
    if kind == BUTTON and data in (b"\0", b"\1"):
        return ButtonPress(1, data == b"\1")
    if kind == FAULT and len(data) == 1:
        return DeviceStatus("failed", FAULTS.get(data[0], f"fault {data[0]:02X}"))
    if kind in (BUTTON, FAULT):
        return rejected(Reason.IMPOSSIBLE_VALUE, f"data of a frame {chr(kind)}", frame)
    return rejected(Reason.UNKNOWN_TYPE, f"frame type {kind:02X}", frame)


class TemplateSession(Polling[bytes]):
    """Asks for tags again and again. The button speaks by itself; a fault is an answer without life."""

    def __init__(self, options: Options) -> None:
        super().__init__(Frames(measure, intact), encode(POLL), ANSWER_NS, "no answer to the poll")
        self._poll_ns = int(options["poll_interval_ms"]) * MS

    def heard(self, frame: bytes, now_ns: int) -> None:
        said = meaning(frame)
        self.report(said, alive=isinstance(said, Sweep))
        if isinstance(said, Sweep | DeviceStatus):
            self.answered(now_ns + self._poll_ns)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What bytes mean outside a conversation."""
    return each(Frames(measure, intact), meaning, data)


DRIVER: Final = Driver(
    name="template",
    title="Example CR-1: a device that does not exist, to copy from",
    trust="own protocol",
    source="invented",
    tested="an invented device cannot be tried",
    port=lambda options: SerialPort(baud=9600),
    session=TemplateSession,
    options={"poll_interval_ms": Option(50, "pause between two polls", lowest=0, highest=10000)},
    decode=decode,
)
