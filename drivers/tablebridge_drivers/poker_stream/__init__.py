"""Arduino boards with several MFRC522 readers that print a line for each card, as the project poker-stream
has them.

    0|4B219622 CR LF                                  reader from 0, UID
    0| 04 0E3BD2286B85 CR LF                          the same: a blank before each byte that begins with 0
    [Channel] 1 [UID: 04 0e 3b d2 28 6b 85] CR LF     as rfid-poker's board prints it: a blank between bytes
    Pair 1 is complete! CR LF                         rfid-poker: both readers of a place have a card
    Reader 0: Firmware Version: 0x92 = v2.0 CR LF     at the start, for each reader; 0x00, 0xFF: no answer
    WARNING: Communication failure, is the MFRC522 properly connected? CR LF       behind 0x00, 0xFF

A board of poker-stream halts a card that it has named: it names it once, when it comes, and says nothing when
it goes. A board of rfid-poker names a card again while it lies there, in each round or after 10 or 30 s. A
board starts again when the port is opened (DTR), so what lies there is named again. An M5Stack speaks at
115200 baud.

Sources: `braeden/poker-stream` arduinoReader/arduinoReader.ino (`dump_byte_array`); `whywaita/rfid-poker`
clients/m5stack/src/rfid.cpp (`readUID`, `triggerReadUID`); `PCD_DumpVersionToSerial` of the MFRC522 library.
"""

import re
from functools import partial
from typing import Final

from tablebridge.sdk import DeviceStatus, Driver, Option, Reason, SerialPort
from tablebridge.sdk.conversations.push import (
    STALE_AFTER_S,
    Named,
    Said,
    decode_lines,
    hold_option,
    line_session,
)
from tablebridge.sdk.framing import rejected

READERS: Final = 64
DEAD: Final = frozenset({0x00, 0xFF})

_UID: Final = r"(?P<uid>(?: ?[0-9A-Fa-f]{2})*[0-9A-Fa-f]?)"
_TAG: Final = re.compile(r"(?P<reader>\d{1,2})\|" + _UID)
_CHANNEL: Final = re.compile(r"\[Channel\] (?P<reader>\d{1,2}) \[UID: " + _UID + r" ?\]")
_FIRMWARE: Final = re.compile(
    r"Reader (?P<reader>\d{1,2}): Firmware Version: 0x(?P<version>[0-9A-Fa-f]{1,2})\b.*"
)
_PAIR: Final = re.compile(r"Pair \d{1,2} is complete!")
_NO_ANSWER: Final = re.compile(r"WARNING: Communication failure, is the MFRC522 properly connected\?")


def meaning(line: bytes) -> Said:
    """What a line says. UIDs are 4, 7 or 10 bytes (ISO 14443)."""
    text = line.decode("ascii", "replace").strip()
    if _PAIR.fullmatch(text):
        return DeviceStatus("ok", "both readers of a place have a card")
    if _NO_ANSWER.fullmatch(text):
        return DeviceStatus("degraded", "a reader does not answer: look at its wires")
    match = _TAG.fullmatch(text) or _CHANNEL.fullmatch(text) or _FIRMWARE.fullmatch(text)
    if match is None:
        return rejected(Reason.UNKNOWN_TYPE, "", line)
    reader = int(match["reader"])
    if reader >= READERS:
        return rejected(Reason.IMPOSSIBLE_VALUE, f"reader {reader}", line)
    if match.re is _FIRMWARE:
        return _firmware(reader, int(match["version"], 16))
    uid = match["uid"].replace(" ", "").upper()
    if len(uid) not in (8, 14, 20):
        return rejected(
            Reason.TOO_LONG if len(uid) > 20 else Reason.TOO_SHORT, f"a UID of {len(uid)} digits", line
        )
    return Named(reader, uid, again=match.re is _CHANNEL)


def _firmware(reader: int, version: int) -> DeviceStatus:
    """What a reader's version says of it."""
    if version in DEAD:
        return DeviceStatus(
            "failed", f"the reader does not answer (version {version:02X}): look at its wires", reader
        )
    return DeviceStatus("identified", f"MFRC522 version {version:02X}", reader)


decode: Final = partial(decode_lines, meaning)
"""What lines mean outside a conversation."""

DRIVER: Final = Driver(
    name="poker-stream",
    title="Arduino boards with MFRC522 readers that print lines, as poker-stream has them",
    trust="computed",
    source="the sketches of braeden/poker-stream and whywaita/rfid-poker; the MFRC522 library",
    tested="lines as the print functions of both sketches make them; never on hardware of ours",
    port=lambda options: SerialPort(baud=int(options["baud"])),
    session=partial(line_session, meaning),
    options={
        "baud": Option(9600, "speed of the line; 115200 of an M5Stack", lowest=9600, highest=921600),
        "hold_ms": hold_option(0),
    },
    antennas=tuple(range(READERS)),
    stale_after_s=STALE_AFTER_S,
    decode=decode,
    emulation="published",
    standard="ISO 14443 A (MIFARE, NTAG)",
    variants=({"baud": 115200},),
)
