"""What the bytes of FEIG OBID readers mean: control bytes, status bytes, models, and the records of an
inventory.

Source: manuals ID CPR-Family H20800-16e-ID-B (annex B names models), ID ISC.MR/PR/PRH101 H60301-3e-ID-B, ID
ISC.LR1002 H20411-0e-ID-B, ID ISC.LRU3000 H90202-7e-ID-B; the vendor's own library FEDM 04.06.10, whose
sources UC3MSocialRobots/maggie_drivers has: `FEDM_ISC.h` (models, transponder types), `FEDM_ISOTabItem.cpp`
(`SetSnr_wo_Antenna`: the records), `FEDM_ISC_READER_INFO` (`ucRfcDevID`: the number of mode 80);
Amarok79/InlayTester.Drivers.FeigReader (models, status bytes). Of the types 84 and 85 the two name different
models.
"""

from typing import Final, Literal

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import rejected

# Control bytes.
BAUD_DETECTION: Final = 0x52
SOFTWARE_VERSION: Final = 0x65
CPU_RESET: Final = 0x63
READER_INFO: Final = 0x66
DEVICE: Final = 0x80
"""The mode of READER_INFO that begins with the device's number, four bytes."""
RF_RESET: Final = 0x69
RF_ON: Final = 0x6A
SELECT_CHANNEL: Final = 0xDD
"""Of a multiplexer: its level, the output of its first input, the output of its second (0: none)."""
HOST_COMMAND: Final = 0xB0

# Behind HOST_COMMAND: the sub-command, then its mode.
INVENTORY: Final = 0x01
MODE_NEW: Final = 0x00
MODE_PRESC: Final = 0x20
MODE_MORE: Final = 0x80

# Status bytes.
OK: Final = 0x00
NO_TAG: Final = 0x01
COLLISION: Final = 0x0B
RF_ERROR: Final = 0x83
RF_WARNING: Final = 0x84
OVERFLOW: Final = 0x93
MORE_DATA: Final = 0x94
ISO15693_ERROR: Final = 0x95
ISO14443_ERROR: Final = 0x96
HARDWARE_WARNING: Final = 0xF1

STATUS: Final = {
    0x00: "OK",
    0x01: "no transponder",
    0x02: "data damaged between tag and reader",
    0x03: "write error",
    0x04: "address error",
    0x05: "wrong transponder type",
    0x08: "authentication error",
    0x0B: "collision: tags answered at once",
    0x0E: "general error",
    0x10: "EEPROM failure",
    0x11: "parameter out of range",
    0x13: "login needed: the reader is protected by a password",
    0x14: "login refused",
    0x15: "protected against reading",
    0x16: "write to a reserved configuration block",
    0x17: "its firmware must be activated",
    0x80: "unknown command",
    0x81: "wrong length or content",
    0x82: "not available now: the reader is in scan or buffered mode; set it to host mode",
    0x83: "radio error, anticollision not finished",
    0x84: "antenna or noise problem: look at the antenna and its cable",
    0x85: "EPC error",
    0x92: "no data",
    0x93: "buffer overflow",
    0x94: "more data",
    0x95: "ISO 15693 error",
    0x96: "ISO 14443 error",
    0x97: "crypto processing error",
    0xF1: "hardware warning: look at the antenna and its cable",
}
SWEPT: Final = frozenset({OK, NO_TAG, MORE_DATA})
"""The inventory was done."""
CUT_SHORT: Final = frozenset({0x02, COLLISION, RF_ERROR, OVERFLOW, ISO15693_ERROR, ISO14443_ERROR})
"""The inventory was done in part: tags that answered are there, silence proves nothing."""
WITH_RECORDS: Final = frozenset({OK, RF_ERROR, MORE_DATA})
"""Records follow. (Behind status 0x95 an error byte comes first, and whether records come after it is not
known.)
"""

MODELS: Final = {
    30: "ID ISC.M01",
    31: "ID ISC.M02",
    33: "ID ISC.M02.M8",
    40: "ID ISC.LR100",
    41: "ID ISC.LR200",
    42: "ID ISC.LR2000",
    43: "ID ISC.LR2500-B",
    44: "ID ISC.LR2500-A",
    45: "ID ISC.LR1002",
    50: "ID ISC.MU02",
    51: "ID ISC.MU95",
    54: "ID ISC.MRU102",
    55: "ID ISC.MRU200",
    56: "ID ISC.MRU200-U",
    60: "ID ISC.PRH101-A",
    61: "ID ISC.PRH101-U",
    62: "ID ISC.PRHD102",
    63: "ID ISC.PRH102",
    64: "ID ISC.PRH200",
    71: "ID ISC.PRH100-U",
    72: "ID ISC.PRH100",
    73: "ID ISC.MR100-U",
    74: "ID ISC.MR100 or ID ISC.PR100",
    75: "ID ISC.MR200",
    76: "ID ISC.MR101-A",
    77: "ID ISC.MR102",
    78: "ID ISC.MR101-U",
    80: "ID CPR.M02",
    81: "ID CPR.02",
    82: "ID CPR40.xx-U",
    83: "ID CPR40.xx",
    84: "ID CPR50.xx or ID CPR.M03",
    85: "ID CPR44.xx or ID CPR.03",
    86: "ID CPR30.xx",
    87: "ID CPR52.xx",
    88: "ID CPR.04-U",
    89: "ID CPR46.xx",
    91: "ID ISC.LRU1002",
    92: "ID ISC.LRU1000",
    93: "ID ISC.LRU2000",
    94: "ID ISC.LRU3000",
    100: "ID MAX50.xx",
    101: "ID MAX.U1002",
    102: "OBID myAXXESS standard",
    103: "OBID myAXXESS comfort",
    110: "ID CPR20.xx",
    111: "ID CPR47.xx",
    112: "OBID myAXXESS onTop",
    113: "ID CPR60.xx",
    120: "ID MLC.COM",
    121: "ID MLC.EMPS",
}
TRANSPONDERS: Final = {
    0x00: "I-Code 1",
    0x01: "Tag-it HF",
    0x03: "ISO 15693",
    0x04: "ISO 14443A",
    0x05: "ISO 14443B",
    0x06: "I-Code EPC",
    0x07: "I-Code UID",
    0x08: "Jewel",
    0x09: "ISO 18000-3M3",
    0x0A: "SR176",
    0x0B: "SRIx",
    0x0C: "MCRFxxx",
    0x0E: "keyboard",
    0x10: "Innovatron",
    0x11: "ASK CTx",
    0x80: "ISO 18000-6A",
    0x81: "ISO 18000-6B",
    0x83: "EM4222",
    0x84: "EPC Class 1 Gen 2",
    0x88: "EPC Class 0",
    0x89: "EPC Class 1 Gen 1",
}
KINDS_OF_MODEL: Final = 16
"""Bits of TR-TYPE in the version: a bit for each of the lowest transponder types."""
LONGEST_ID: Final = 96
"""Bytes of the longest identifier (`FEDM_ISC_MAX_UID_LENGTH`)."""


def status_text(status: int) -> str:
    """The status in words, with its number."""
    return f"status {status:02X}: {STATUS.get(status, 'not documented')}"


def model_text(version: bytes) -> str | None:
    """Who the reader is, from the data of SOFTWARE_VERSION; None if they are too short.

    SW-REV(2) D-REV(1) HW-TYPE(1) SW-TYPE(1) TR-TYPE(2, a bit for each kind of transponder)
    """
    if len(version) < 7:
        return None
    kinds = int.from_bytes(version[5:7], "big")
    reads = ", ".join(text for bit, text in TRANSPONDERS.items() if bit < KINDS_OF_MODEL and kinds >> bit & 1)
    model = MODELS.get(version[4], f"reader of unknown type {version[4]}")
    return f"FEIG {model}, firmware {version[0]}.{version[1]}" + (f", reads {reads}" if reads else "")


def device_number(answer: bytes) -> str:
    """The reader's own number, from the data of READER_INFO in the mode `DEVICE`; empty if it has none."""
    number = answer[:4]
    return number.hex().upper() if len(number) == 4 and any(number) and number != b"\xff" * 4 else ""


class Records(msgspec.Struct, frozen=True):
    """The tags that an inventory answer names; `fault` where its records could not be read to the end."""

    tags: tuple[str, ...] = ()
    fault: Rejected | None = None


def read_records(data: bytes) -> Records:
    """The records of an inventory answer.

    NN                            number of records
    00 dd UU×8                    I-Code 1; 01 is a Tag-it HF
    03 dd UU×8                    ISO 15693: DSFID, UID with E0 first
    04 ii oo UU×7 or ×10          ISO 14443A: info (bit 2: ten bytes), option, UID
    05 pp UU×8                    ISO 14443B: protocol info, PUPI
    06 EE×12 or ×8                I-Code EPC: 96 bits if its first two bits are 00, else 64
    07 UU×19                      I-Code UID
    08 xx xx UU×6                 Jewel
    09 tt LL PC PC [XX XX] EE…    ISO 18000-3M3; 84 is EPC Class 1 Gen 2: kind of identifier, length of all
                                  that follows; XPC_W1 if PC has 0200
    0A cc UU×8                    SR176; 0B is an SRIx
    0C LL UU…                     MCRFxxx; 0E is a keyboard, which is no tag
    10 UU×8 vv cc LL AA…          Innovatron: UID, verlog, configuration, ATR
    11 xx×4 UU×8                  ASK CTx
    7F ss LL UU…                  generic
    8x tt LL UU…                  other UHF tags: kind of identifier, length
    """
    if not data:
        return Records(fault=rejected(Reason.TOO_SHORT, "inventory answer without number of records"))
    number, at = data[0], 1
    tags = []
    fault = None
    for record in range(number):
        found = _record(data, at, number - record)
        if isinstance(found, Rejected):
            fault = found
            break
        uid, at = found
        if uid:
            tags.append(uid.hex().upper())
    if fault is None and at < len(data):
        fault = rejected(Reason.TOO_LONG, f"{len(data) - at} bytes behind the last record", data[at:])
    return Records(tuple(tags), fault)


_FIXED: Final = {
    0x00: (2, 8),
    0x01: (2, 8),
    0x03: (2, 8),
    0x05: (2, 8),
    0x07: (1, 19),
    0x08: (3, 6),
    0x0A: (2, 8),
    0x0B: (2, 8),
    0x11: (5, 8),
}
"""Records of one length: where in it the UID begins, and its length."""
_COUNTED: Final = {0x0C: 1, 0x0E: 1, 0x7F: 2, **dict.fromkeys(range(0x80, 0x100), 2)}
"""Records that say the length of their UID: where."""
_GEN2: Final = frozenset({0x09, 0x84})
_KEYBOARD: Final = 0x0E


def _record(data: bytes, at: int, left: int) -> tuple[bytes, int] | Rejected:
    """The UID of the record at `at`, empty if it is no tag's, and where the next record begins; `left`:
    records that must still come.
    """
    if at >= len(data):
        return rejected(Reason.TOO_SHORT, f"{left} records are missing")
    kind = data[at]
    ends = _ends(data, at)
    if ends is None:
        name = TRANSPONDERS.get(kind, "unknown")
        return rejected(
            Reason.UNKNOWN_TYPE, f"a record of transponder type {kind:02X} ({name}) cannot be read", data[at:]
        )
    begin, end, behind = ends
    if behind > len(data):
        return rejected(Reason.TOO_SHORT, "the last record is cut", data[at:])
    if kind == 0x03 and data[begin] != 0xE0:
        return rejected(Reason.IMPOSSIBLE_VALUE, "an ISO 15693 UID that does not begin with E0", data[at:])
    if not 0 < end - begin <= LONGEST_ID:
        return rejected(Reason.IMPOSSIBLE_VALUE, f"an identifier of {end - begin} bytes", data[at:])
    return b"" if kind == _KEYBOARD else data[begin:end], behind


def _ends(data: bytes, at: int) -> tuple[int, int, int] | None:
    """Of the record at `at`: where its UID begins, where it ends, and where the next record begins; None if
    this kind of record is not known. A byte that is missing counts as 0: the record is cut then.
    """
    kind, (first, second) = data[at], data[at + 1 : at + 3].ljust(2, b"\0")
    if kind in _FIXED:
        begin, size = _FIXED[kind]
        return at + begin, at + begin + size, at + begin + size
    if kind == 0x04:
        end = at + (13 if first & 0x04 else 10)
        return at + 3, end, end
    if kind == 0x06:
        end = at + 1 + (8 if first & 0xC0 else 12)
        return at + 1, end, end
    if kind == 0x10:
        return at + 1, at + 9, at + 12 + (data[at + 11] if len(data) > at + 11 else 1)
    if kind in _GEN2:
        control = 4 if data[at + 3 : at + 4] and data[at + 3] & 0x02 else 2
        end = at + 3 + second
        return at + 3 + control, end, end
    if kind in _COUNTED:
        place = _COUNTED[kind]
        end = at + 1 + place + (first, second)[place - 1]
        return at + 1 + place, end, end
    return None


def meaning(control: int, status: int, data: bytes) -> list[Reading | Rejected]:
    """What one answer says by itself, whatever was asked before. Antenna 0 stands for the asked one."""
    # Of the host commands only an inventory answers with records; the others share its control byte and its
    # status 00.
    if control == HOST_COMMAND and (status in SWEPT or status in CUT_SHORT) and (data or status != OK):
        records = read_records(data) if status in WITH_RECORDS and data else Records()
        complete = status in (OK, NO_TAG) and records.fault is None
        sweep = Sweep(0, tuple(sorted(set(records.tags))), complete=complete)
        return [sweep] if records.fault is None else [records.fault, sweep] if sweep.tags else [records.fault]
    if control in (SOFTWARE_VERSION, READER_INFO) and status == OK:
        model = model_text(data)
        return (
            [DeviceStatus("identified", model)]
            if model
            else [rejected(Reason.TOO_SHORT, "the version is cut", data)]
        )
    state: Literal["ok", "degraded", "failed"] = (
        "ok" if status == OK else "failed" if status in (RF_WARNING, HARDWARE_WARNING) else "degraded"
    )
    return [DeviceStatus(state, f"answer to {control:02X}, {status_text(status)}")]
