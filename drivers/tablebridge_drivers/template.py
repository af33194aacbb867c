"""A whole driver for a device that does not exist: the Example CR-1, one antenna and one button. Copy it to
begin yours.

docs/drivers.md leads through it in ten steps.

    request  AA LL 'P' XX                poll
    answer   AA LL 'T' UU×8 … XX         the UIDs of all tags in the field, most significant byte first
             AA LL 'K' SS XX             the button: SS is 01 pressed, 00 let go; sent unasked
             AA LL 'F' EE XX             a fault: EE is 01 antenna broken, 02 supply low

    AA  begin          LL  length of the whole frame, 4 to 255          XX  exclusive-or of all bytes before it

Source: invented.
"""

from typing import Final

import msgspec

from tablebridge.sdk import (
    ButtonPress,
    DeviceStatus,
    Driver,
    Instant,
    Option,
    Options,
    Reading,
    Reason,
    Rejected,
    SerialPort,
    Sweep,
    Turn,
)
from tablebridge.sdk.framing import Frames, each, rejected, xor_sum

BEGIN: Final = 0xAA
SHORTEST: Final = 4
POLL: Final = ord("P")
TAGS: Final = ord("T")
BUTTON: Final = ord("K")
FAULT: Final = ord("F")
FAULTS: Final = {0x01: "the antenna is broken", 0x02: "the supply is low"}
ANSWER_NS: Final = 300_000_000


class Frame(msgspec.Struct, frozen=True):
    """`kind`: one of the letters above, as its code."""

    kind: int
    data: bytes = b""


def encode(frame: Frame) -> bytes:
    """The bytes of a frame, either direction. `data`: at most 251 bytes."""
    head = bytes((BEGIN, len(frame.data) + SHORTEST, frame.kind)) + frame.data
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


class TemplateSession:
    """Polls; a poll without an answer is counted and sent again.

    state      due                               a frame 'T' or 'F' comes
    waiting    count a timeout, poll: waiting    idle
    idle       poll: waiting                     reading all the same
    """

    def __init__(self, options: Options) -> None:
        self._poll_ns = int(options["poll_interval_ms"]) * 1_000_000
        self._frames = Frames(measure, intact)
        self._waiting = False
        self._at_ns = 0

    def start(self, now: Instant) -> Turn:
        return self._poll(now)

    def received(self, data: bytes, now: Instant) -> Turn:
        return self._turn(self._frames.feed(data), now)

    def due(self, now: Instant) -> Turn:
        if now.monotonic_ns < self._at_ns:
            return Turn(wake_ns=self._at_ns)
        if not self._waiting:
            return self._poll(now)
        cut = self._turn(self._frames.silence(), now)
        if not self._waiting:
            return cut
        timeout = Rejected(Reason.TIMEOUT, "no answer to the poll")
        return msgspec.structs.replace(
            self._poll(now), readings=cut.readings, rejected=(*cut.rejected, timeout)
        )

    def _poll(self, now: Instant) -> Turn:
        self._waiting = True
        self._at_ns = now.monotonic_ns + ANSWER_NS
        return Turn(send=encode(Frame(POLL)), wake_ns=self._at_ns)

    def _turn(self, found: list[bytes | Rejected], now: Instant) -> Turn:
        told = [item if isinstance(item, Rejected) else meaning(item) for item in found]
        readings = tuple(item for item in told if not isinstance(item, Rejected))
        alive = any(isinstance(reading, Sweep) for reading in readings)
        if any(isinstance(reading, Sweep | DeviceStatus) for reading in readings):
            self._waiting = False
            self._at_ns = now.monotonic_ns + self._poll_ns
        return Turn(
            readings, tuple(item for item in told if isinstance(item, Rejected)), b"", self._at_ns, alive
        )


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
