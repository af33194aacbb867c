"""Frames of UHF readers of the UHFReader18 family (Chafon CF-RU5102 and others), both directions.

    request  LL AA CC dd … kk KK          answer  LL AA CC SS dd … kk KK

    LL     length of all that follows it
    AA     address of the reader; FF in a request: whichever hears it
    CC     command, the same in request and answer
    SS     status (answers only)
    kk KK  CRC-16/MCRF4XX of all before it, low byte first

    21     answer  VV vv TT PP HH LL WW SS      version, type, protocols, band and channels, power in dBm,
                                                longest inventory in 100 ms
    4C     answer  NN NN NN NN                  its own number; only newer readers know the command
    01     answer  NN, then NN times            status 01 to 04: LL EPC
           answer  PP NN, then NN times         the same of newer readers: antenna (a bit), LL EPC strength
    EE     a tag that a reader in scan mode names by itself; what its data are is known to nobody

Sources: PyPI uhfreader18 0.6.0 after "UHFReader18 User's Manual V2.0"; commands and answers that others
logged from an IQRFID-5102 and an RRU9816; command 4C: "UHF RFID Reader UR-SERIES User Manual v1.14", 8.4.12
(manualshelf.com), whose readers speak in these frames.
"""

from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames, crc_mcrf4xx, each, rejected

ANY: Final = 0xFF
REQUEST: Final = 5
"""The length of a request without data; no answer is so short."""

INVENTORY: Final = 0x01
INFO: Final = 0x21
SERIAL_NUMBER: Final = 0x4C
SET_POWER: Final = 0x2F
SET_MODE: Final = 0x35
PUSHED: Final = 0xEE

OK: Final = 0x00
DONE: Final = 0x01
MORE: Final = 0x03
NO_TAG: Final = 0xFB
WITH_RECORDS: Final = frozenset({0x01, 0x02, 0x03, 0x04})
CUT_SHORT: Final = frozenset({0x02, 0x04, 0xFA})
"""The inventory was done in part: its time was over, its memory full, or tags were hard to hear."""
STATUS: Final = {
    0x02: "the longest time of an inventory was over",
    0x04: "more tags than the reader can hold",
    0x13: "the setting could not be saved",
    0x14: "the power cannot be set",
    0xF9: "the command failed",
    0xFA: "tags are hard to hear",
    0xFB: "no tag",
    0xFC: "the tag reported an error",
    0xFD: "wrong length of a command",
    0xFE: "unknown command, or its CRC was wrong",
    0xFF: "parameter out of range",
}
LONGEST_EPC: Final = 62


class Answer(msgspec.Struct, frozen=True):
    """What the reader says."""

    command: int
    status: int
    data: bytes = b""
    address: int = 0


class Info(msgspec.Struct, frozen=True):
    """Who the reader is. `longest_ms`: how long an inventory may take."""

    text: str
    longest_ms: int


def encode(command: int, data: bytes = b"", address: int = ANY) -> bytes:
    """The request. `data`: at most 251 bytes."""
    body = bytes((len(data) + 4, address, command)) + data
    return body + crc_mcrf4xx(body).to_bytes(2, "little")


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame that begins at `at`, for `Frames`."""
    return buffer[at] + 1 if buffer[at] + 1 >= REQUEST else Reason.NOISE


def intact(frame: bytes) -> bool:
    """Whether the CRC fits."""
    return crc_mcrf4xx(frame[:-2]) == frame[-2] | frame[-1] << 8


def read_answer(frame: bytes) -> Answer | Rejected:
    """The answer in an intact frame."""
    if len(frame) == REQUEST or frame[1] == ANY:
        return rejected(Reason.UNEXPECTED, "a request, not an answer", frame)
    return Answer(frame[2], frame[3], frame[4:-2], frame[1])


def serial_number(data: bytes) -> str:
    """The reader's own number, from the data of SERIAL_NUMBER; empty if there is none."""
    return data.hex().upper() if len(data) == 4 and any(data) else ""


def read_records(data: bytes, antennas: bool) -> tuple[tuple[int, str], ...] | Rejected:
    """Antenna and EPC of each tag that an inventory names. `antennas`: the newer form, with antenna and
    strength; the older one knows antenna 1 only.
    """
    head = 2 if antennas else 1
    if len(data) < head:
        return rejected(Reason.TOO_SHORT, "an inventory without a number of tags", data)
    antenna = data[0].bit_length() if antennas else 1
    found, at = [], head
    for _ in range(data[head - 1]):
        size = data[at] if at < len(data) else 0
        end = at + 1 + size + antennas
        if not 2 <= size <= LONGEST_EPC or size % 2:
            return rejected(Reason.IMPOSSIBLE_VALUE, f"an EPC of {size} bytes", data)
        if end > len(data):
            return rejected(Reason.TOO_SHORT, "the last tag is cut", data)
        found.append((antenna, data[at + 1 : at + 1 + size].hex().upper()))
        at = end
    if at < len(data):
        return rejected(Reason.TOO_LONG, f"{len(data) - at} bytes behind the last tag", data)
    return tuple(found)


def read_info(data: bytes) -> Info | Rejected:
    """The data of the answer to INFO."""
    if len(data) < 8:
        return rejected(Reason.TOO_SHORT, "the reader's information is cut", data)
    text = f"UHFReader18 of type {data[2]:02X}, firmware {data[0]}.{data[1]}, {data[6]} dBm"
    return Info(text, max(data[7], 3) * 100)


def status_text(status: int) -> str:
    """A status in words."""
    return f"status {status:02X}: {STATUS.get(status, 'not documented')}"


def meaning(frame: bytes) -> Reading | Rejected:
    """What an intact frame says by itself."""
    answer = read_answer(frame)
    if isinstance(answer, Rejected):
        return answer
    match answer:
        case Answer(command=c, status=s) if c == INVENTORY and s == NO_TAG:
            return Sweep(1, ())
        case Answer(command=c, status=s, data=data) if c == INVENTORY and s in WITH_RECORDS:
            older, newer = read_records(data, False), read_records(data, True)
            records = newer if isinstance(older, Rejected) else older
            if isinstance(records, Rejected):
                return records
            antenna = records[0][0] if records else 1
            return Sweep(antenna, tuple(sorted({epc for _, epc in records})), complete=s == DONE)
        case Answer(command=c, status=s, data=data) if c == INFO and s == OK:
            info = read_info(data)
            return info if isinstance(info, Rejected) else DeviceStatus("identified", info.text)
        case Answer(command=c) if c == PUSHED:
            return DeviceStatus("degraded", SCANS)
    if answer.status == OK:
        return DeviceStatus("ok", f"command {answer.command:02X} done")
    return DeviceStatus("degraded", f"command {answer.command:02X}, {status_text(answer.status)}")


SCANS: Final = (
    "the reader is in scan mode and names tags by itself; it is put into answer mode by "
    "`tablebridge drivers configure`"
)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What answers mean outside a conversation."""
    return each(Frames(measure, intact), meaning, data)
