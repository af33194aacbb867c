"""Messages of LLRP, the EPCglobal Low Level Reader Protocol 1.0.1 and 1.1, both directions.

    message   VV TT  LL LL LL LL  II II II II  parameters …
    TLV       TT TT  LL LL  value …                           type 128 to 1023
    TV        8T  value …                                     type 1 to 127, of one length

    VV TT  bits 10 to 12 version, 0 to 9 type
    LL     length of the whole, head counted
    II     number of the message: an answer has that of its request
    8T     128 and the type

All numbers have their highest byte first. Source: EPCglobal LLRP 1.0.1; messages logged from readers in the
tests of sllurp 3.0.5 and by others; the open package llrpkit 0.3.0.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from tablebridge.sdk import Reason, Rejected
from tablebridge.sdk.framing import rejected

HEAD: Final = 10
LONGEST: Final = 1 << 16
"""Bytes of a message. The longest that a reader sends are its capabilities, some kilobytes."""

# Messages; an answer stands beside its request.
CAPABILITIES, CAPABILITIES_ANSWER = 1, 11
GET_CONFIG, GET_CONFIG_ANSWER = 2, 12
SET_CONFIG, SET_CONFIG_ANSWER = 3, 13
ADD_ROSPEC, ADD_ROSPEC_ANSWER = 20, 30
DELETE_ROSPEC, DELETE_ROSPEC_ANSWER = 21, 31
START_ROSPEC, START_ROSPEC_ANSWER = 22, 32
ENABLE_ROSPEC, ENABLE_ROSPEC_ANSWER = 24, 34
DELETE_ACCESSSPEC, DELETE_ACCESSSPEC_ANSWER = 41, 51
REPORT: Final = 61
KEEPALIVE: Final = 62
EVENT: Final = 63
KEEPALIVE_ACK: Final = 72
ERROR: Final = 100
FROM_READER: Final = frozenset({4, *range(11, 14), *range(30, 37), *range(50, 57), 61, 62, 63, ERROR, 1023})
FROM_HOST: Final = frozenset({1, 2, 3, 14, *range(20, 27), *range(40, 47), 60, 64, 72})

# Parameters.
ANTENNA_ID, EPC_96 = 1, 13
IDENTIFICATION: Final = 218
GENERAL, REGULATORY, UHF_BAND, POWER_LEVEL, FREQUENCIES, HOP_TABLE = 137, 143, 144, 145, 146, 147
TAG_REPORT, EPC_DATA = 240, 241
EVENT_DATA, READER_EXCEPTION, ANTENNA_EVENT, CONNECTION_ATTEMPT, CONNECTION_CLOSE = 246, 252, 255, 256, 257
STATUS: Final = 287
_TV_SIZES: Final = {
    1: 2, 2: 8, 3: 8, 4: 8, 5: 8, 6: 1, 7: 2, 8: 2, 9: 4, 10: 2,
    11: 2, 12: 2, 13: 12, 14: 2, 15: 2, 16: 4, 17: 2, 18: 4, 19: 2, 20: 2,
}  # fmt: skip
"""Bytes of the value of each TV parameter."""
SHORTEST_EPC: Final = 2
LONGEST_EPC: Final = 62
MOST_ANTENNAS: Final = 32
"""An Impinj reader with its antenna hub."""
HUNDREDTHS: Final = 100
"""Powers are given in hundredths of a dBm."""


class Message(msgspec.Struct, frozen=True):
    """`kind`: one of the numbers above. `number`: that of its request, or of itself. `data`: parameters."""

    kind: int
    number: int
    data: bytes = b""


class Capabilities(msgspec.Struct, frozen=True):
    """`text`: who the reader is. `powers`: its steps, dBm by index. `hop_table`: the first, 0 if it does not
    hop.
    """

    text: str
    powers: dict[int, float] = {}
    hop_table: int = 0


def encode(kind: int, number: int, data: bytes = b"") -> bytes:
    """The bytes of a message of version 1.0.1."""
    head = (1 << 10 | kind).to_bytes(2, "big") + (HEAD + len(data)).to_bytes(4, "big")
    return head + number.to_bytes(4, "big") + data


def tlv(kind: int, value: bytes) -> bytes:
    """The bytes of a TLV parameter."""
    return kind.to_bytes(2, "big") + (len(value) + 4).to_bytes(2, "big") + value


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the message that begins at `at`, for `Frames`."""
    if buffer[at] & 0xFC not in (0x04, 0x08):
        return Reason.NOISE
    if len(buffer) < at + 2:
        return 0
    if (buffer[at] & 3) << 8 | buffer[at + 1] not in FROM_READER | FROM_HOST:
        return Reason.NOISE
    if len(buffer) < at + HEAD:
        return 0
    length = int.from_bytes(buffer[at + 2 : at + 6], "big")
    return Reason.TOO_SHORT if length < HEAD else length if length <= LONGEST else Reason.TOO_LONG


def intact(frame: bytes) -> bool:
    """Whether it is a message: TCP has its own checksum."""
    return len(frame) >= HEAD


def read_message(frame: bytes) -> Message | Rejected:
    """The message in a whole frame of a reader."""
    kind = (frame[0] & 3) << 8 | frame[1]
    if kind not in FROM_READER:
        return rejected(Reason.UNEXPECTED, "a request, not an answer", frame)
    return Message(kind, int.from_bytes(frame[6:HEAD], "big"), frame[HEAD:])


def parameters(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and value of each parameter, up to the first that is damaged."""
    at = 0
    while at < len(data):
        if data[at] & 0x80:
            kind, begin = data[at] & 0x7F, at + 1
            end = begin + _TV_SIZES[kind] if kind in _TV_SIZES else 0
        else:
            kind, begin = (data[at] & 3) << 8 | int.from_bytes(data[at + 1 : at + 2]), at + 4
            end = at + int.from_bytes(data[at + 2 : at + 4], "big")
        if not begin <= end <= len(data):
            return
        yield kind, data[begin:end]
        at = end


def parameter(data: bytes, wanted: int) -> bytes | None:
    """The value of the first parameter of this type; None: there is none."""
    return next((value for kind, value in parameters(data) if kind == wanted), None)


def status(data: bytes) -> tuple[int, str]:
    """Code and text of the LLRPStatus among these parameters; a missing one is code -1."""
    value = parameter(data, STATUS)
    if value is None or len(value) < 4:
        return -1, "no status"
    return int.from_bytes(value[:2], "big"), text(value[2:])


def text(value: bytes) -> str:
    """A counted text, its printable characters."""
    length = int.from_bytes(value[:2], "big")
    return "".join(filter(str.isprintable, value[2 : 2 + length].decode("utf-8", "replace")))


def read_report(data: bytes) -> list[tuple[int, str] | Rejected]:
    """Antenna and EPC of each tag in a report. A tag without an antenna is on number 0."""
    found: list[tuple[int, str] | Rejected] = []
    end = 0
    for kind, value in parameters(data):
        end += len(value) + 4
        if kind == TAG_REPORT:
            found.append(_tag(value))
    if end != len(data):
        found.append(rejected(Reason.TOO_SHORT, "a report that is cut", data[end:]))
    return found


def _tag(data: bytes) -> tuple[int, str] | Rejected:
    antenna, epc = 0, None
    for kind, value in parameters(data):
        if kind == ANTENNA_ID:
            antenna = int.from_bytes(value, "big")
        elif kind == EPC_96:
            epc = value
        elif kind == EPC_DATA:
            epc = value[2:]
            if len(value) < 2 or int.from_bytes(value[:2], "big") != len(epc) * 8:
                return rejected(Reason.IMPOSSIBLE_VALUE, "an EPC of another length than it says", data)
    if epc is None:
        return rejected(Reason.TOO_SHORT, "a tag without an EPC", data)
    if not SHORTEST_EPC <= len(epc) <= LONGEST_EPC:
        return rejected(Reason.IMPOSSIBLE_VALUE, f"an EPC of {len(epc)} bytes", data)
    if antenna > MOST_ANTENNAS:
        return rejected(Reason.IMPOSSIBLE_VALUE, f"antenna {antenna}", data)
    return antenna, epc.hex().upper()


def read_identification(data: bytes) -> str:
    """The reader's own number, from the answer to GET_READER_CONFIG: its MAC address, or an EPC that somebody
    gave it; empty if it says none.
    """
    value = parameter(data, IDENTIFICATION) or b""
    number = value[3 : 3 + int.from_bytes(value[1:3], "big")]
    return number.hex().upper() if any(number) else ""


def read_capabilities(data: bytes) -> Capabilities:
    """Who the reader is and what it can send with, as far as it says so."""
    general = parameter(data, GENERAL) or b""
    band = parameter((parameter(data, REGULATORY) or b"")[4:], UHF_BAND) or b""
    powers = {
        int.from_bytes(value[:2], "big"): int.from_bytes(value[2:4], "big", signed=True) / HUNDREDTHS
        for kind, value in parameters(band)
        if kind == POWER_LEVEL and len(value) == 4
    }
    hop = parameter((parameter(band, FREQUENCIES) or b"")[1:], HOP_TABLE) or b"\0"
    if len(general) < 14:
        return Capabilities("LLRP reader that does not name itself", powers, hop[0])
    maker, model = (int.from_bytes(general[at : at + 4], "big") for at in (4, 8))
    antennas = int.from_bytes(general[:2], "big")
    named = f"LLRP reader of maker {maker}, model {model}, firmware {text(general[12:])}, {antennas} ports"
    return Capabilities(named, powers, hop[0])


__all__ = [
    "Capabilities",
    "Message",
    "encode",
    "intact",
    "measure",
    "parameter",
    "parameters",
    "read_capabilities",
    "read_identification",
    "read_message",
    "read_report",
    "status",
    "text",
    "tlv",
]
