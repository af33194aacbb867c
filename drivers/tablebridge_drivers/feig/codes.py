"""What the bytes of FEIG OBID readers mean: control bytes, status bytes, models, and the records of an
inventory.

Source: manuals ID CPR-Family H20800-16e-ID-B (annex B names the models), ID ISC.MR/PR/PRH101 H60301-3e-ID-B,
ID ISC.LR1002 H20411-0e-ID-B, ID ISC.LRU3000 H90202-7e-ID-B.
"""

from typing import Final, Literal

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import rejected

# Control bytes.
BAUD_DETECTION: Final = 0x52
SOFTWARE_VERSION: Final = 0x65
READER_INFO: Final = 0x66
RF_RESET: Final = 0x69
RF_ON: Final = 0x6A
HOST_COMMAND: Final = 0xB0

# Behind HOST_COMMAND: the sub-command, then its mode.
INVENTORY: Final = 0x01
MODE_NEW: Final = 0x00
MODE_PRESC: Final = 0x20
MODE_MORE: Final = 0x80

# Status bytes.
OK: Final = 0x00
NO_TAG: Final = 0x01
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
    0x0E: "general error",
    0x10: "EEPROM failure",
    0x11: "parameter out of range",
    0x16: "write to a reserved configuration block",
    0x80: "unknown command",
    0x81: "wrong length or content",
    0x82: "not available now: the reader is in scan or buffered mode; set it to host mode",
    0x83: "radio error, anticollision not finished",
    0x84: "antenna or noise problem: look at the antenna and its cable",
    0x93: "buffer overflow",
    0x94: "more data",
    0x95: "ISO 15693 error",
    0x96: "ISO 14443 error",
    0xF1: "hardware warning: look at the antenna and its cable",
}
SWEPT: Final = frozenset({OK, NO_TAG, MORE_DATA})
"""The inventory was done."""
CUT_SHORT: Final = frozenset({0x02, RF_ERROR, OVERFLOW, ISO15693_ERROR, ISO14443_ERROR})
"""The inventory was done in part: tags that answered are there, silence proves nothing."""
WITH_RECORDS: Final = frozenset({OK, RF_ERROR, MORE_DATA})
"""Records follow. (Behind status 0x95 an error byte comes first, and whether records come after it is not
known.)
"""

MODELS: Final = {
    30: "ID ISC.M01",
    31: "ID ISC.M02",
    40: "ID ISC.LR100",
    41: "ID ISC.LR200",
    60: "ID ISC.PRH101-A",
    61: "ID ISC.PRH101-U",
    71: "ID ISC.PRH100/MR100",
    72: "ID ISC.PRH100/MR100",
    73: "ID ISC.PRH100/MR100",
    74: "ID ISC.PRH100/MR100",
    75: "ID ISC.MR200",
    76: "ID ISC.MR101-A",
    78: "ID ISC.MR101-U",
    80: "ID CPR.M02",
    81: "ID CPR.02",
    84: "ID CPR.M03",
    87: "ID CPR.04",
    91: "ID ISC.LRU1000",
}
TRANSPONDERS: Final = {
    0x00: "I-Code 1",
    0x03: "ISO 15693",
    0x04: "ISO 14443A",
    0x05: "ISO 14443B",
    0x06: "I-Code EPC",
    0x08: "Jewel",
    0x0A: "SR176",
    0x0B: "SRIx",
}


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
    reads = ", ".join(text for bit, text in TRANSPONDERS.items() if kinds >> bit & 1)
    model = MODELS.get(version[4], f"reader of unknown type {version[4]}")
    return f"FEIG {model}, firmware {version[0]}.{version[1]}" + (f", reads {reads}" if reads else "")


class Records(msgspec.Struct, frozen=True):
    """The tags that an inventory answer names; `fault` where its records could not be read to the end."""

    tags: tuple[str, ...] = ()
    fault: Rejected | None = None


def read_records(data: bytes) -> Records:
    """The records of an inventory answer.

    NN                            number of records
    03 dd UU×8                    ISO 15693: DSFID, UID with E0 first
    04 ii oo UU×7 or ×10          ISO 14443A: info (bit 2: ten bytes), option, UID
    06 EE×8 or ×12                I-Code EPC
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
        tags.append(uid.hex().upper())
    if fault is None and at < len(data):
        fault = rejected(Reason.TOO_LONG, f"{len(data) - at} bytes behind the last record", data[at:])
    return Records(tuple(tags), fault)


def _record(data: bytes, at: int, left: int) -> tuple[bytes, int] | Rejected:
    """The UID of the record at `at` and where the next one begins; `left`: records that must still come."""
    if at >= len(data):
        return rejected(Reason.TOO_SHORT, f"{left} records are missing")
    kind = data[at]
    if kind == 0x03:
        begin, end = at + 2, at + 10
    elif kind == 0x04:
        begin, end = at + 3, at + (13 if data[at + 1 : at + 2] and data[at + 1] & 0x04 else 10)
    elif kind == 0x06:
        # Nothing in the record says its length, so it is read only if all that are left have one length.
        size, odd = divmod(len(data) - at, left)
        if odd or size not in (9, 13):
            return rejected(
                Reason.IMPOSSIBLE_VALUE, "I-Code EPC records of mixed or impossible length", data[at:]
            )
        begin, end = at + 1, at + size
    else:
        name = TRANSPONDERS.get(kind, "unknown")
        return rejected(
            Reason.UNKNOWN_TYPE, f"a record of transponder type {kind:02X} ({name}) cannot be read", data[at:]
        )
    if end > len(data):
        return rejected(Reason.TOO_SHORT, "the last record is cut", data[at:])
    if kind == 0x03 and data[begin] != 0xE0:
        return rejected(Reason.IMPOSSIBLE_VALUE, "an ISO 15693 UID that does not begin with E0", data[at:])
    return data[begin:end], end


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
