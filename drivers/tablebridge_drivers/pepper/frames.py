"""Frames of Eccel Pepper C1 readers, both directions.

    F5 LL ll NN nn pp … kk KK

    F5     begin
    LL ll  length of payload and CRC, low byte first
    NN nn  the same with all bits inverted
    pp …   payload
    kk KK  CRC-16/CCITT-FALSE of the payload, low byte first

    RS485 models put their address before all that follows, in both directions: it is part of the payload.

    request  CC dd …               CC command
    answer   00 CC dd …            acknowledged
             FF CC LL NN           error: layer and number
             FE CC dd …            unasked

    03     answer  TT PP UU …         type, SAK or DSFID, UID: most significant byte first, but for ICODE
    90 91  answer  UU×8 DD MM         UID least significant byte first, DSFID, 1 if more tags are there

Source: the vendor's RS485 reader manuals in FCC copies, its open Python package (`get_device_name`: 13),
frames that others' programs send.
"""

from binascii import crc_hqx
from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames, each, rejected

BEGIN: Final = 0xF5
ACK: Final = 0x00
ERROR: Final = 0xFF
UNASKED: Final = 0xFE
KINDS: Final = (ACK, ERROR, UNASKED)
FIRST_ADDRESS: Final = 0x80
"""The address that an RS485 model has from the maker; a lower one would look like a command."""
LONGEST: Final = 1030
"""Payloads of more than a kilobyte are damaged lengths."""

DUMMY: Final = 0x01
TAG_COUNT: Final = 0x02
TAG_UID: Final = 0x03
POLLING: Final = 0x06
VERSION: Final = 0x0B
ANTENNA: Final = 0x0F
SETTINGS: Final = 0x13
"""General settings of its network side, for the data 00: that byte, two flags, the length of its name, its
name, which ends with a part of its MAC address unless somebody has named it.
"""
INVENTORY_START: Final = 0x90
INVENTORY_NEXT: Final = 0x91

TIMED_OUT: Final = 0x01
"""The number of the error of an inventory without a tag: the manual says "a timeout flag", the number is
NXP's for timeouts.
"""
ICODE: Final = range(0x21, 0x29)
"""Tag types of ISO 15693."""


class Answer(msgspec.Struct, frozen=True):
    """`kind`: ACK, ERROR or UNASKED. `command`: what it belongs to. `address`: of an RS485 model."""

    kind: int
    command: int
    data: bytes = b""
    address: int | None = None


class Icode(msgspec.Struct, frozen=True):
    """A tag that an inventory step found, and whether there are more."""

    uid: str
    more: bool


def encode(payload: bytes) -> bytes:
    """The frame. `payload`: 1 to 1024 bytes."""
    length = len(payload) + 2
    return (
        bytes((BEGIN,))
        + length.to_bytes(2, "little")
        + (length ^ 0xFFFF).to_bytes(2, "little")
        + payload
        + crc_hqx(payload, 0xFFFF).to_bytes(2, "little")
    )


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame that begins at `at`, for `Frames`."""
    if buffer[at] != BEGIN:
        return Reason.NOISE
    if len(buffer) < at + 5:
        return 0
    length = buffer[at + 1] | buffer[at + 2] << 8
    if length ^ 0xFFFF != buffer[at + 3] | buffer[at + 4] << 8:
        return Reason.CHECKSUM
    if length < 3:
        return Reason.TOO_SHORT
    return length + 5 if length <= LONGEST else Reason.TOO_LONG


def intact(frame: bytes) -> bool:
    """Whether the CRC fits."""
    return crc_hqx(frame[5:-2], 0xFFFF) == frame[-2] | frame[-1] << 8


def read_answer(frame: bytes) -> Answer | Rejected:
    """The answer in an intact frame."""
    payload, address = frame[5:-2], None
    if len(payload) > 2 and FIRST_ADDRESS <= payload[0] < UNASKED and payload[1] in KINDS:
        address, payload = payload[0], payload[1:]
    if payload[0] not in KINDS:
        return rejected(Reason.UNEXPECTED, "a request, not an answer", frame)
    if len(payload) < 2:
        return rejected(Reason.TOO_SHORT, "an answer that does not say to what", frame)
    return Answer(payload[0], payload[1], payload[2:], address)


def read_icode(data: bytes) -> Icode | Rejected:
    """The data of an answer to INVENTORY_START or INVENTORY_NEXT."""
    if len(data) != 10:
        return rejected(Reason.TOO_SHORT if len(data) < 10 else Reason.TOO_LONG, "the record of a tag", data)
    uid = data[7::-1]
    if uid[0] != 0xE0 or data[9] > 1:
        return rejected(
            Reason.IMPOSSIBLE_VALUE, "a UID that does not begin with E0, or a flag that is none", data
        )
    return Icode(uid.hex().upper(), data[9] == 1)


def read_uid(data: bytes) -> str | Rejected:
    """The data of an answer to TAG_UID."""
    uid = data[2:]
    if len(uid) not in (4, 7, 8, 10):
        return rejected(
            Reason.TOO_SHORT if len(uid) < 10 else Reason.TOO_LONG, f"a UID of {len(uid)} bytes", data
        )
    if data[0] in ICODE or (len(uid) == 8 and uid[0] != 0xE0):
        uid = uid[::-1]
    if len(uid) == 8 and uid[0] != 0xE0:
        return rejected(Reason.IMPOSSIBLE_VALUE, "an ISO 15693 UID that does not begin with E0", data)
    return uid.hex().upper()


def device_name(data: bytes) -> str:
    """The name of the reader, from the data of SETTINGS; empty if there is none."""
    return data[4 : 4 + data[3]].decode("ascii", "replace") if len(data) > 3 else ""


def error_text(answer: Answer) -> str:
    """An error in words."""
    layer, number = (*answer.data, 0, 0)[:2]
    return f"command {answer.command:02X} refused, layer {layer}, error {number}"


def meaning(frame: bytes) -> Reading | Rejected:
    """What an intact frame says by itself. Antenna 0 stands for the one that was selected."""
    answer = read_answer(frame)
    if isinstance(answer, Rejected):
        return answer
    if answer.kind == ERROR:
        return DeviceStatus("degraded", error_text(answer))
    if answer.kind == UNASKED:
        return DeviceStatus("ok", f"unasked, command {answer.command:02X}: {answer.data.hex().upper()}")
    match answer.command:
        case c if c in (INVENTORY_START, INVENTORY_NEXT):
            icode = read_icode(answer.data)
            return icode if isinstance(icode, Rejected) else Sweep(0, (icode.uid,), complete=not icode.more)
        case c if c == TAG_UID:
            uid = read_uid(answer.data)
            return uid if isinstance(uid, Rejected) else Sweep(0, (uid,))
        case c if c == VERSION:
            return DeviceStatus("identified", version_text(answer.data))
        case c if c == TAG_COUNT and len(answer.data) == 1:
            return DeviceStatus("ok", f"tags: {answer.data[0]}")
    return DeviceStatus("ok", f"command {answer.command:02X} done")


def version_text(data: bytes) -> str:
    """Who the reader is, from the data of VERSION: text."""
    text = "".join(
        character for character in data.decode("ascii", "replace") if character.isprintable()
    ).strip()
    return f"Eccel Pepper C1, firmware {text or 'not told'}"


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What answers mean outside a conversation."""
    return each(Frames(measure, intact), meaning, data)
