"""Frames of the NXP PN532 on its serial line (HSU), both directions.

    normal     00 00 FF LL KK TT dd … SS 00            ACK    00 00 FF 00 FF 00
    extended   00 00 FF FF FF HH hh KK TT dd … SS 00   NACK   00 00 FF FF 00 00
                                                       error  00 00 FF 01 FF 7F 81 00

    00 00 FF  preamble and start; any number of zeros may stand before it
    LL, HH hh length of TT and data; high byte first
    KK        makes the length bytes zero modulo 256
    TT        D4 from the host, D5 from the chip
    dd        command, in an answer command + 1, then its data
    SS        makes TT and data zero modulo 256

Zeros between frames are no noise. Behind SS comes a zero; if it is missing, the first zero of the next
frame stands for it: so it is looked for, but left in its place. Source: NXP user manual UM0701-02; frames
logged from chips at work.
"""

from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames, each, lrc, rejected

HOST: Final = 0xD4
CHIP: Final = 0xD5
LONGEST: Final = 265
"""TT and data of the longest frame that the chip knows."""

FIRMWARE: Final = 0x02
SAM: Final = 0x14
RF_CONFIGURATION: Final = 0x32
LIST: Final = 0x4A
RELEASE: Final = 0x52
AUTO_POLL: Final = 0x60

ACK: Final = bytes.fromhex("0000FF00FF00")
WAKE_UP: Final = bytes.fromhex("5555") + bytes(14)
"""The chip sleeps after power-on and wakes by these, followed at once by the first command."""


class Ack(msgspec.Struct, frozen=True):
    """The chip took the command; its answer follows. `good` False: it asks for the command again (NACK)."""

    good: bool


class Answer(msgspec.Struct, frozen=True):
    """`command`: that which it answers."""

    command: int
    data: bytes = b""


def encode(command: int, data: bytes = b"") -> bytes:
    """The frame of a command. `data`: at most 263 bytes."""
    body = bytes((HOST, command)) + data
    length = bytes((len(body),)) if len(body) < 255 else b"\xff\xff" + len(body).to_bytes(2, "big")
    return b"\0\0\xff" + length + bytes((lrc(length[-2:]),)) + body + bytes((lrc(body),)) + b"\0"


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame that begins at `at`, for `Frames`: from the zero before FF to SS."""
    have = len(buffer) - at
    if buffer[at] or (have > 1 and buffer[at + 1] != 0xFF):
        return Reason.NOISE
    if have < 4:
        return 0
    length, check = buffer[at + 2], buffer[at + 3]
    if (length, check) in ((0x00, 0xFF), (0xFF, 0x00)):
        return _ended(buffer, at, 4)
    begin = 4
    if (length, check) == (0xFF, 0xFF):
        if have < 7:
            return 0
        length, check, begin = (
            buffer[at + 4] << 8 | buffer[at + 5],
            buffer[at + 4] + buffer[at + 5] + buffer[at + 6],
            7,
        )
    else:
        check += length
    if check & 0xFF:
        return Reason.CHECKSUM
    if length == 0:
        return Reason.IMPOSSIBLE_VALUE
    if length > LONGEST:
        return Reason.TOO_LONG
    return _ended(buffer, at, begin + length + 1)


def _ended(buffer: bytearray, at: int, length: int) -> int | Reason:
    """The length, once the zero behind it has come."""
    if len(buffer) <= at + length:
        return length + 1
    return length if buffer[at + length] == 0 else Reason.IMPOSSIBLE_VALUE


def intact(frame: bytes) -> bool:
    """Whether the sum over the data fits."""
    # Without its TT and data a normal frame's head sums to 255, and an extended one's to 253.
    return len(frame) == 4 or sum(frame) & 0xFF == (0xFD if frame[2:4] == b"\xff\xff" else 0xFF)


def _body(frame: bytes) -> bytes:
    return frame[7 if frame[2:4] == b"\xff\xff" else 4 : -1]


def frames() -> Frames:
    """Cuts what the chip says."""
    return Frames(measure, intact, filler=0)


def read_frame(frame: bytes) -> Ack | Answer | Rejected:
    """What an intact frame is."""
    if len(frame) == 4:
        return Ack(frame[2] == 0)
    body = _body(frame)
    if body[0] == CHIP and len(body) > 1 and body[1]:
        return Answer(body[1] - 1, body[2:])
    if body == b"\x7f":
        return rejected(Reason.UNEXPECTED, "the chip did not understand the command", frame)
    if body[0] == HOST:
        return rejected(Reason.UNEXPECTED, "a command, not an answer", frame)
    if body[0] != CHIP:
        return rejected(Reason.UNKNOWN_TYPE, f"a frame from {body[0]:02X}", frame)
    return rejected(Reason.TOO_SHORT, "an answer that does not say to what", frame)


def read_targets(answer: Answer) -> tuple[str, ...] | Rejected:
    """The UIDs in an answer to LIST (of type A, 106 kbit/s) or AUTO_POLL.

        LIST       NN  then for each  nn AA aa KK LL UU×LL [ATS, its length first, where bit 5 of KK is set]
        AUTO_POLL  NN  then for each  type, length, the same

    A four-byte UID that begins with 08 is another at each activation: it names no card, so it is rejected.
    """
    data = answer.data
    if not data:
        return rejected(Reason.TOO_SHORT, "an answer without number of targets")
    found: list[str] = []
    at, polled = 1, answer.command == AUTO_POLL
    for _ in range(data[0]):
        if polled:
            if data[at : at + 1] not in (b"\x00", b"\x10", b"\x20", b"\x40", b"\x80"):
                return rejected(Reason.UNKNOWN_TYPE, "a target that is not of type A", data)
            at += 2
        length = data[at + 4] if len(data) > at + 4 else 0
        if length not in (4, 7, 10):
            return rejected(
                Reason.TOO_SHORT if not length else Reason.IMPOSSIBLE_VALUE, "a target without a UID", data
            )
        uid = data[at + 5 : at + 5 + length]
        ats = data[at + 3] & 0x20
        at += 5 + length
        if ats:
            at += data[at] if at < len(data) else 1
        if at > len(data):
            return rejected(Reason.TOO_SHORT, "the last target is cut", data)
        if length == 4 and uid[0] == 0x08:
            return rejected(Reason.IMPOSSIBLE_VALUE, "a card with a random UID, which names no card")
        found.append(uid.hex().upper())
    if at < len(data):
        return rejected(Reason.TOO_LONG, f"{len(data) - at} bytes behind the last target", data)
    return tuple(sorted(set(found)) if len(found) > 1 else found)


def firmware_text(data: bytes) -> str:
    """Who the chip is, from the data of FIRMWARE: IC, version, revision, what it supports."""
    if len(data) != 4:
        return "NXP PN532 that does not name itself"
    return f"NXP {'PN532' if data[0] == 0x32 else f'chip {data[0]:02X}'}, firmware {data[1]}.{data[2]}"


def meaning(frame: bytes) -> Reading | Rejected:
    """What an intact frame says by itself."""
    said = read_frame(frame)
    if isinstance(said, Answer):
        if said.command in (LIST, AUTO_POLL):
            targets = read_targets(said)
            return Sweep(0, targets) if isinstance(targets, tuple) else targets
        if said.command == FIRMWARE:
            return DeviceStatus("identified", firmware_text(said.data))
        return DeviceStatus("ok", f"command {said.command:02X} done")
    if isinstance(said, Ack):
        return (
            DeviceStatus("ok", "acknowledged") if said.good else DeviceStatus("degraded", "not acknowledged")
        )
    return said


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What frames mean outside a conversation. Zeros stand between frames; if there is no frame, one is
    missing.
    """
    return each(frames(), meaning, data) or (
        (rejected(Reason.TOO_SHORT, "zeros and no frame", data),) if data else ()
    )
