"""Arduino boards with several MFRC522 readers that print a line for each card, as the project poker-stream
has them.

    0|4B219622 CR LF                                  reader from 0, UID
    [Channel] 3 [UID: 04A1B2C3] CR LF                 the same, as another project's board prints it
    Reader 0: Firmware Version: 0x92 = v2.0 CR LF     at the start, for each reader; 0x00, 0xFF: no answer

A card is named once, when it comes; nothing is said when it goes. The board starts again when the port is
opened (DTR), so what lies there is named again. Source: the sketches of `braeden/poker-stream` and
`whywaita/rfid-poker`.
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

_TAG: Final = re.compile(r"(?P<reader>\d{1,2})\|(?P<uid>[0-9A-F]*)")
_CHANNEL: Final = re.compile(r"\[Channel\] (?P<reader>\d{1,2}) \[UID: (?P<uid>[0-9A-F ]*)\]")
_FIRMWARE: Final = re.compile(
    r"Reader (?P<reader>\d{1,2}): Firmware Version: 0x(?P<version>[0-9A-Fa-f]{1,2})\b.*"
)


def meaning(line: bytes) -> Said:
    """What a line says. UIDs are 4, 7 or 10 bytes (ISO 14443)."""
    text = line.decode("ascii", "replace").strip()
    match = _TAG.fullmatch(text) or _CHANNEL.fullmatch(text) or _FIRMWARE.fullmatch(text)
    if match is None:
        return rejected(Reason.UNKNOWN_TYPE, "", line)
    reader = int(match["reader"])
    if reader >= READERS:
        return rejected(Reason.IMPOSSIBLE_VALUE, f"reader {reader}", line)
    if match.re is _FIRMWARE:
        version = int(match["version"], 16)
        if version in DEAD:
            return DeviceStatus(
                "failed", f"the reader does not answer (version {version:02X}): look at its wires", reader
            )
        return DeviceStatus("identified", f"MFRC522 version {version:02X}", reader)
    uid = match["uid"].replace(" ", "")
    if len(uid) not in (8, 14, 20):
        return rejected(
            Reason.TOO_LONG if len(uid) > 20 else Reason.TOO_SHORT, f"a UID of {len(uid)} digits", line
        )
    return Named(reader, uid)


decode: Final = partial(decode_lines, meaning)
"""What lines mean outside a conversation."""

DRIVER: Final = Driver(
    name="poker-stream",
    title="Arduino boards with MFRC522 readers that print lines, as poker-stream has them",
    trust="computed",
    source="the sketches of braeden/poker-stream and whywaita/rfid-poker",
    tested="lines composed after the sketches; never on hardware of ours",
    port=lambda options: SerialPort(baud=int(options["baud"])),
    session=partial(line_session, meaning),
    options={
        "baud": Option(9600, "speed of the line", lowest=9600, highest=921600),
        "hold_ms": hold_option(0),
    },
    antennas=tuple(range(READERS)),
    stale_after_s=STALE_AFTER_S,
    decode=decode,
)
