"""Frames of UHF modules with the M100 / QM100 chip (YRM100, R200 and many others), both directions.

    BB tt cc HH hh pp … SS 7E          the R200 board of another maker: AA … DD

    BB, 7E  begin and end; either pair is understood
    tt      00 command, 01 answer, 02 notice
    cc      command
    HH hh   length of the parameters, high byte first
    SS      sum of all from tt to the last parameter, modulo 256

    notice  02 22  RR PP pp EE … KK kk    a tag: strength in dBm (signed), PC, EPC of any length, and the CRC
                                          that the tag sent with them: CRC-16/GENIBUS, high byte first
    failure 01 FF  code [PC, EPC]

The end byte may occur inside, so only the length says where a frame ends. Source: "R200 user protocol
V2.3.3" and "R200 module interface description", public copies; frames that others logged.
"""

from binascii import crc_hqx
from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames, each, rejected

ENDS: Final = {0xBB: 0x7E, 0xAA: 0xDD}
COMMAND: Final = 0x00
ANSWER: Final = 0x01
NOTICE: Final = 0x02
LONGEST: Final = 512

INFO: Final = 0x03
POLL: Final = 0x22
STOP: Final = 0x28
SET_POWER: Final = 0xB6
FAILED: Final = 0xFF

NO_TAG: Final = 0x15
FAILURES: Final = {
    0x09: "read failed",
    0x10: "write failed",
    0x12: "kill failed",
    0x13: "lock failed",
    0x15: "no tag",
    0x16: "access password",
    0x17: "unknown command",
    0x20: "no free channel",
}


class Frame(msgspec.Struct, frozen=True):
    """`kind`: COMMAND, ANSWER or NOTICE. `begin`: BB or AA, the dialect."""

    kind: int
    command: int
    data: bytes = b""
    begin: int = 0xBB


class Seen(msgspec.Struct, frozen=True):
    """A tag in a notice. `dbm`: strength of its answer. `air_crc`: whether the CRC that the tag sent fits."""

    epc: str
    dbm: int
    air_crc: bool


def encode(frame: Frame) -> bytes:
    """The bytes of a frame. `data`: at most 505 bytes."""
    body = bytes((frame.kind, frame.command)) + len(frame.data).to_bytes(2, "big") + frame.data
    return bytes((frame.begin,)) + body + bytes((sum(body) & 0xFF, ENDS[frame.begin]))


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame that begins at `at`, for `Frames`."""
    if buffer[at] not in ENDS:
        return Reason.NOISE
    if len(buffer) < at + 5:
        return 0
    if buffer[at + 1] > NOTICE:
        return Reason.UNKNOWN_TYPE
    length = (buffer[at + 3] << 8 | buffer[at + 4]) + 7
    return length if length <= LONGEST else Reason.TOO_LONG


def intact(frame: bytes) -> bool:
    """Whether sum and end byte fit."""
    return sum(frame[1:-2]) & 0xFF == frame[-2] and frame[-1] == ENDS[frame[0]]


def read_frame(frame: bytes) -> Frame:
    """What an intact frame holds."""
    return Frame(frame[1], frame[2], frame[5:-2], frame[0])


def read_notice(data: bytes) -> Seen | Rejected:
    """The data of a tag's notice. EPCs are 2 to 62 bytes in steps of two; the upper five bits of PC say how
    many.
    """
    size = len(data) - 5
    if size < 2:
        return rejected(Reason.TOO_SHORT, "a notice without an EPC", data)
    if size > 62 or size % 2:
        return rejected(
            Reason.TOO_LONG if size > 62 else Reason.IMPOSSIBLE_VALUE, f"an EPC of {size} bytes", data
        )
    air_crc = crc_hqx(data[1:-2], 0xFFFF) ^ 0xFFFF == data[-2] << 8 | data[-1]
    return Seen(data[3:-2].hex().upper(), int.from_bytes(data[:1], "big", signed=True), air_crc)


def failure_text(data: bytes) -> str:
    """A failure in words."""
    if not data:
        return "failure without a code"
    return f"failure {data[0]:02X}: {FAILURES.get(data[0], 'not documented')}"


def meaning(frame: bytes) -> Reading | Rejected:
    """What an intact frame says by itself."""
    said = read_frame(frame)
    if said.kind == COMMAND:
        return rejected(Reason.UNEXPECTED, "a command, not an answer", frame)
    if said.kind == NOTICE or said.command == POLL:
        if said.command != POLL:
            return rejected(Reason.UNKNOWN_TYPE, f"a notice {said.command:02X}", frame)
        seen = read_notice(said.data)
        return seen if isinstance(seen, Rejected) else Sweep(0, (seen.epc,))
    if said.command == FAILED:
        return (
            Sweep(0, ())
            if said.data[:1] == bytes((NO_TAG,))
            else DeviceStatus("degraded", failure_text(said.data))
        )
    if said.command == INFO:
        return DeviceStatus("identified", info_text(said.data))
    return DeviceStatus("ok", f"command {said.command:02X} done")


def info_text(data: bytes) -> str:
    """Who the module is, from the data of INFO: which of three texts, then the text."""
    text = "".join(
        character for character in data[1:].decode("ascii", "replace") if character.isprintable()
    ).strip()
    return f"UHF module {text or 'that does not name itself'}"


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What frames mean outside a conversation: each notice is a sweep of antenna 0."""
    return each(Frames(measure, intact), meaning, data)
