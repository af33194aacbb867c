"""Frames of ThingMagic / JADAK Mercury UHF modules (M5e, M6e, Nano, M7E), both directions.

    request  FF LL cc dd … KK kk            answer  FF LL cc SS ss dd … KK kk

    LL     number of data bytes                 SS ss  status, 0000 is done
    cc     opcode, the same in the answer       KK kk  CRC of all between FF and itself, high byte first

The CRC is the CCITT one, but only the bits of the message are shifted through the register: without the
sixteen zeros that CRC-16/CCITT-FALSE shifts in behind it.

    21  answer  EE … AA aa                       one tag: EPC, CRC of the air
    22  answer  10 ss ss 01 FF xx xx  RR AN FF FF FF TT TT TT TT PH PH PR bb bb [dd …]
                xx NN NN PC PC EE … AA aa
                a tag of a stream: flags (01 FF: all of the following); strength in dBm (signed);
                antenna, sent by << 4 | heard by; frequency in kHz; time in ms; phase; protocol;
                bits of embedded data and the data; bits of PC, EPC and CRC. Antenna 16 is sent as 0.
                If PC has 0200 set, XPC_W1 (2 bytes) follows it; if that has 8000 set, XPC_W2 does, too.

Source: a session with an M5e that somebody logged; the JADAK Mercury6e-A manual's frame layout; constants and
sample bytes of SparkFun's library for the Nano; `TMR_SR_parseMetadataFromMessage`, `TMR_SR_cmdSetRegion`,
`getSerialNumber`, `tm_reader.h`, `tmr_region.h` and `tmr_status.h` of the vendor's Mercury API in C (1.29,
1.37).
"""

from binascii import crc_hqx
from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames, each, rejected

BEGIN: Final = 0xFF
LONGEST: Final = 248
"""Data bytes of the longest answer."""

VERSION: Final = 0x03
BOOT: Final = 0x04
HARDWARE: Final = 0x10
READ_SINGLE: Final = 0x21
READ_MULTIPLE: Final = 0x22
STREAM: Final = 0x2F
GET_REGION: Final = 0x67
GET_REGIONS: Final = 0x71
SET_ANTENNA: Final = 0x91
SET_POWER: Final = 0x92
SET_PROTOCOL: Final = 0x93
SET_REGION: Final = 0x97
SET_CONFIGURATION: Final = 0x9A

DONE: Final = 0x0000
NOT_BOOTED: Final = 0x0101
NO_TAG: Final = 0x0400
NO_REGION: Final = 0x010B
SET_UP_AGAIN: Final = frozenset({0x010B, 0x0401, 0x0402, 0x0405, 0x0507})
"""Statuses of a read by a module that has forgotten what it was set to."""
STATUS: Final = {
    0x0100: "wrong length",
    0x0101: "opcode not available: the boot loader runs",
    0x0102: "opcode not implemented",
    0x0103: "power too high",
    0x0104: "invalid frequency",
    0x0105: "invalid value",
    0x0106: "power too low",
    0x0109: "not implemented",
    0x010A: "invalid speed",
    0x010B: "no region is set, or the module does not have this one: set region",
    0x010C: "invalid licence key",
    0x0200: "its firmware is damaged",
    0x0400: "no tag",
    0x0401: "no protocol is set",
    0x0402: "invalid protocol",
    0x0405: "its radio is not on",
    0x0500: "invalid frequency",
    0x0501: "the channel is occupied",
    0x0502: "its transmitter is already on",
    0x0503: "no antenna is connected",
    0x0504: "too hot: let it cool, or lower its power",
    0x0505: "high return loss: look at the antenna and its cable",
    0x0506: "its oscillator does not lock",
    0x0507: "invalid antennas",
    0x7F00: "internal error",
    0x7F01: "internal error",
}
REGIONS: Final = {
    "NA": 1,
    "EU": 2,
    "KR": 3,
    "IN": 4,
    "JP": 5,
    "PRC": 6,
    "EU2": 7,
    "EU3": 8,
    "KR2": 9,
    "PRC2": 10,
    "AU": 11,
    "NZ": 12,
    "NA2": 13,
    "NA3": 14,
    "IS": 15,
    "MY": 16,
    "ID": 17,
    "PH": 18,
    "TW": 19,
    "MO": 20,
    "RU": 21,
    "SG": 22,
    "JP2": 23,
    "JP3": 24,
    "VN": 25,
    "TH": 26,
    "AR": 27,
    "HK": 28,
    "BD": 29,
    "EU4": 30,
    "IS2": 32,
    "NA4": 33,
    "open": 255,
}
"""Radio regions: what the law at a place allows."""
_NAME_OF_REGION: Final = {code: name for name, code in REGIONS.items()}
_ALL_FIELDS: Final = b"\x01\xff"
_TWO_ZEROS: Final = 0x1D0F
"""CRC-16/CCITT-FALSE of two zero bytes."""


class Answer(msgspec.Struct, frozen=True):
    """What the module answers."""

    opcode: int
    status: int
    data: bytes = b""


class Seen(msgspec.Struct, frozen=True):
    """A tag of a stream. `antenna`: that which heard it, 1 to 16; `dbm`: strength of its answer."""

    epc: str
    antenna: int
    dbm: int


def crc(data: bytes | bytearray) -> int:
    """The CRC of the module over at least two bytes: 0xA69D for `123456789`.

    It is CRC-16/CCITT-FALSE of all but the last two bytes, begun two zero bytes earlier, with those two
    added: the remainder of the same polynomial, and so the loop over the bytes runs in C.
    """
    return crc_hqx(data[:-2], _TWO_ZEROS) ^ int.from_bytes(data[-2:], "big")


def encode(opcode: int, data: bytes = b"") -> bytes:
    """The bytes of a request. `data`: at most 250 bytes."""
    body = bytes((len(data), opcode)) + data
    return bytes((BEGIN,)) + body + crc(body).to_bytes(2, "big")


def encode_answer(answer: Answer) -> bytes:
    """The bytes of an answer."""
    body = bytes((len(answer.data), answer.opcode)) + answer.status.to_bytes(2, "big") + answer.data
    return bytes((BEGIN,)) + body + crc(body).to_bytes(2, "big")


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the answer that begins at `at`, for `Frames`."""
    if buffer[at] != BEGIN:
        return Reason.NOISE
    if len(buffer) < at + 2:
        return 0
    return buffer[at + 1] + 7 if buffer[at + 1] <= LONGEST else Reason.TOO_LONG


def intact(frame: bytes | bytearray) -> bool:
    """Whether the CRC fits."""
    return crc(frame[1:-2]) == frame[-2] << 8 | frame[-1]


def read_answer(frame: bytes) -> Answer:
    """The answer in an intact frame."""
    return Answer(frame[2], frame[3] << 8 | frame[4], frame[5:-2])


def read_single(data: bytes) -> str | Rejected:
    """The EPC in the data of an answer to READ_SINGLE."""
    return _epc(data[:-2], data)


def read_record(data: bytes) -> Seen | Rejected:
    """The tag in the data of an answer of a stream."""
    if len(data) < 24:
        return rejected(Reason.TOO_SHORT, "the record of a tag", data)
    if data[3:5] != _ALL_FIELDS:
        return rejected(Reason.UNKNOWN_TYPE, "a record with other fields than were asked for", data)
    at = 21 + (int.from_bytes(data[19:21], "big") + 7) // 8 + 1
    bits = int.from_bytes(data[at : at + 2], "big")
    tag = data[at + 2 :]
    if bits % 8 or bits // 8 != len(tag):
        reason = Reason.TOO_SHORT if bits // 8 > len(tag) else Reason.TOO_LONG
        return rejected(reason, f"{len(tag)} bytes of PC, EPC and CRC where {bits} bits are told", data)
    epc = _epc(tag[_control(tag) : -2], data)
    if isinstance(epc, Rejected):
        return epc
    return Seen(epc, data[8] & 0x0F or 16, int.from_bytes(data[7:8], "big", signed=True))


def _control(tag: bytes) -> int:
    """How many bytes of PC, XPC_W1 and XPC_W2 stand before a tag's EPC."""
    if len(tag) < 2 or not tag[0] & 0x02:
        return 2
    return 6 if len(tag) > 2 and tag[2] & 0x80 else 4


def _epc(epc: bytes, data: bytes) -> str | Rejected:
    if len(epc) < 2:
        return rejected(Reason.TOO_SHORT, "a tag without an EPC", data)
    if len(epc) > 62 or len(epc) % 2:
        return rejected(
            Reason.TOO_LONG if len(epc) > 62 else Reason.IMPOSSIBLE_VALUE, f"an EPC of {len(epc)} bytes", data
        )
    return epc.hex().upper()


def status_text(status: int) -> str:
    """The status in words, with its number."""
    return f"status {status:04X}: {STATUS.get(status, 'not documented')}"


def regions_text(codes: bytes) -> str:
    """The names of regions, by the data of GET_REGIONS."""
    return ", ".join(_NAME_OF_REGION.get(code, f"{code:02X}") for code in codes) or "none"


def version_text(data: bytes) -> str:
    """The module, by the data of VERSION or BOOT: boot loader, hardware, date, firmware, protocols."""
    if len(data) != 20:
        return "Mercury module that does not name itself"
    hardware, date, firmware = (".".join(f"{byte:02X}" for byte in data[at : at + 4]) for at in (4, 8, 12))
    return f"Mercury module, hardware {hardware}, firmware {firmware} of {date.replace('.', '')}"


def serial_number(data: bytes) -> str:
    """The module's own number, from the data of HARDWARE for 00 40: three bytes, the length of a text, the
    text; empty if there is none.
    """
    text = data[4 : 4 + data[3]] if len(data) > 3 else b""
    return text.decode("ascii", "replace").strip("\0 ")


def meaning(frame: bytes) -> Reading | Rejected:
    """What an intact answer says by itself."""
    answer = read_answer(frame)
    opcode, status, data = answer.opcode, answer.status, answer.data
    if status == NO_TAG:
        return Sweep(0, ()) if opcode == READ_SINGLE else DeviceStatus("ok", "no tag, or still at work")
    if status != DONE:
        return DeviceStatus(
            "failed" if status in (0x0504, 0x0505) else "degraded",
            f"answer to {opcode:02X}, {status_text(status)}",
        )
    if opcode == READ_SINGLE:
        epc = read_single(data)
        return epc if isinstance(epc, Rejected) else Sweep(0, (epc,))
    if opcode == READ_MULTIPLE and len(data) > 10:
        seen = read_record(data)
        return seen if isinstance(seen, Rejected) else Sweep(seen.antenna, (seen.epc,))
    if opcode in (VERSION, BOOT) and data:
        return DeviceStatus("identified", version_text(data))
    return DeviceStatus("ok", f"answer to {opcode:02X}")


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What answers mean outside a conversation. A tag read singly is a sweep of antenna 0, one of a stream of
    its antenna.
    """
    return each(Frames(_measure_both, intact), _answer, data)


def _measure_both(buffer: bytearray, at: int) -> int | Reason:
    """The length of the answer that begins at `at`, or of the request if it is one: that has no status."""
    length = measure(buffer, at)
    if (
        isinstance(length, Reason)
        or length == 0
        or (len(buffer) >= at + length and intact(buffer[at : at + length]))
    ):
        return length
    asked = length - 2
    return asked if len(buffer) >= at + asked and intact(buffer[at : at + asked]) else length


def _answer(frame: bytes) -> Reading | Rejected:
    if len(frame) < frame[1] + 7:
        return rejected(Reason.UNEXPECTED, "a request, not an answer", frame)
    return meaning(frame)
