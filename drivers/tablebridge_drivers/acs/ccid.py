"""CCID messages of ACS readers, and what their answers mean. Pure functions.

    TT nn nn nn nn SL QQ SS EE CC dd …

    TT  type     host: 62 power on, 65 slot status, 6B escape, 6F block
                 reader: 80 block, 81 slot status, 83 escape
    nn  length of the data, low byte first  SL  slot, 0 QQ  number of the question, the same in its answer
    SS  bits 7-6: 0 done, 1 failed (reason in EE), 2 wait; bits 1-0: 0 card active, 1 card there, 2 no card
    EE  reason of a failure; ACR122U fill it with 81 or FE where nothing failed: it counts for failures only
    CC  chaining, 0

    50 BB   on the interrupt endpoint: bit 0: a card is there, bit 1: that has changed

Source: constants of USB CCID Rev 1.1; ACS "ACR122U API"; logged exchanges (nfcpy, libnfc);
escape E0 00 00 33: "Get Serial Number" of the package acr1552u and of several programs for the ACR1252U.
"""

from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames, each, rejected
from tablebridge.sdk.uids import uid_text

POWER_ON: Final = 0x62
SLOT_STATUS: Final = 0x65
ESCAPE: Final = 0x6B
BLOCK: Final = 0x6F
ANSWERS: Final = {POWER_ON: 0x80, SLOT_STATUS: 0x81, ESCAPE: 0x83, BLOCK: 0x80}
"""Type of a question to that of its answer."""
HOSTS: Final = frozenset({*ANSWERS, 0x63, 0x72})
"""Types of all that hosts say: power off and abort, too, which other programs use."""
SLOT_CHANGE: Final = 0x50
HEAD: Final = 10
LONGEST: Final = 271
FAILED, WAIT = 1, 2
NO_CARD: Final = 2

FIRMWARE_122: Final = bytes.fromhex("FF00480000")
FIRMWARE: Final = bytes.fromhex("E000001800")
SERIAL_NUMBER: Final = bytes.fromhex("E000003300")
UID: Final = bytes.fromhex("FFCA000000")
PICC_PARAMETER: Final = bytes.fromhex("FF00517F00")
"""The reader's own polling and automatic RATS off, as nfcpy does it."""
DONE: Final = b"\x90\x00"

LIST: Final = bytes.fromhex("4A0200")
"""InListPassiveTarget: at most two targets of 106 kbit/s type A."""
MOST_TARGETS: Final = 2
RETRIES: Final = bytes.fromhex("3205000102")
RF_OFF: Final = bytes.fromhex("320100")


class Message(msgspec.Struct, frozen=True):
    """One message of the reader. `outcome`: 0 done, 1 failed, 2 wait. `card`: 0 active, 1 there, 2 none."""

    kind: int
    number: int
    outcome: int
    card: int
    error: int
    data: bytes


def encode(kind: int, number: int, data: bytes = b"") -> bytes:
    """A question of the host."""
    return bytes((kind,)) + len(data).to_bytes(4, "little") + bytes((0, number, 0, 0, 0)) + data


def direct(command: bytes) -> bytes:
    """The block that hands a command to the PN532 inside an ACR122U."""
    return bytes((0xFF, 0, 0, 0, len(command) + 1, 0xD4)) + command


def _measure(buffer: bytearray, at: int) -> int | Reason:
    return _length(buffer, at) if buffer[at] in (0x80, 0x81, 0x83) else Reason.NOISE


def _length(buffer: bytearray, at: int) -> int | Reason:
    if len(buffer) < at + 6:
        return 0
    length = int.from_bytes(buffer[at + 1 : at + 5], "little")
    if buffer[at + 5] or (length and buffer[at] == 0x81):
        return Reason.IMPOSSIBLE_VALUE
    return HEAD + length if length <= LONGEST else Reason.TOO_LONG


def messages() -> Frames:
    """Cuts what the reader says. There is no checksum: USB has its own."""
    return Frames(_measure, lambda frame: True)


def decode_message(frame: bytes) -> Message:
    """The message in a whole frame."""
    return Message(frame[0], frame[6], frame[7] >> 6, frame[7] & 3, frame[8], frame[HEAD:])


def uid(message: Message) -> str | None:
    """The UID in an answer to `UID`; None if it is none."""
    return uid_text(message.data[:-2]) if message.outcome != FAILED and message.data[-2:] == DONE else None


def targets(listed: bytes) -> tuple[str, ...] | None:
    """UIDs in an answer to InListPassiveTarget, from the number of targets on; None if it cannot be read.

    NN, then for each: TG AA AA SK LL UU…[, LL ATS…]      SK SAK, LL length of what follows
    """
    for with_ats in (False, True):
        found = _targets(listed, with_ats)
        if found is not None:
            return found
    return None


def _targets(listed: bytes, with_ats: bool) -> tuple[str, ...] | None:
    if not listed:
        return None
    found, at = [], 1
    for _ in range(listed[0]):
        if len(listed) < at + 5 or len(listed) < at + 5 + listed[at + 4]:
            return None
        tag = uid_text(listed[at + 5 : at + 5 + listed[at + 4]])
        if tag is None:
            return None
        found.append(tag)
        sak, at = listed[at + 3], at + 5 + listed[at + 4]
        if with_ats and sak & 0x20:
            # The length of an ATS counts itself.
            if at >= len(listed) or not 0 < listed[at] <= len(listed) - at:
                return None
            at += listed[at]
    return tuple(sorted(set(found))) if at == len(listed) else None


def firmware(message: Message) -> str:
    """The reader's name and version in an answer to either question for it; empty if it has none."""
    data = message.data
    if message.kind == 0x83 and data[:1] == b"\xe1" and len(data) >= 5:
        data = data[5 : 5 + data[4]]
    text = data.decode("ascii", "replace").strip("\0 ")
    return text if text[:1].isalpha() and text.isascii() and text.isprintable() else ""


def serial_number(message: Message) -> str:
    """The reader's own number in an answer to SERIAL_NUMBER; empty if it has none."""
    data = message.data
    if message.kind != 0x83 or message.outcome == FAILED or data[:1] != b"\xe1" or len(data) < 5:
        return ""
    return data[5 : 5 + data[4]].decode("ascii", "replace").strip("\0 ")


def meaning(message: Message, frame: bytes = b"") -> Reading | Rejected:
    """What one message says by itself, whatever was asked before."""
    data = message.data
    if message.outcome == WAIT:
        return DeviceStatus("ok", "the reader asks for more time")
    if name := firmware(message):
        return DeviceStatus("identified", f"ACS {name}")
    if data[:2] == b"\xd5\x4b":
        found = targets(data[2:-2]) if data[-2:] == DONE else None
        if found is None:
            return rejected(Reason.IMPOSSIBLE_VALUE, "a list of targets that cannot be read", frame)
        return Sweep(0, found, complete=len(found) < MOST_TARGETS)
    if message.card == NO_CARD and (message.outcome == FAILED or message.kind == 0x81):
        return Sweep(0, ())
    if message.outcome == FAILED:
        return DeviceStatus("degraded", f"the reader refuses: error {message.error:02X}")
    if (tag := uid(message)) is not None:
        return Sweep(0, (tag,), complete=False)
    if data[:1] in (b"\x3b", b"\x3f"):
        return DeviceStatus("ok", f"power is on, ATR {data.hex().upper()}")
    if message.kind == 0x80 and not data:
        return DeviceStatus("degraded", "the radio inside the reader does not answer")
    if len(data) == 2 and data[0] != 0x90:
        return DeviceStatus("degraded", f"the reader refuses: status {data.hex().upper()}")
    return DeviceStatus("ok", f"answer {data.hex().upper()}" if data else "done")


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What messages of a reader mean outside a conversation, those of the interrupt endpoint, too."""
    return each(Frames(_measure_any, lambda frame: True), _answer, data)


def _measure_any(buffer: bytearray, at: int) -> int | Reason:
    """Nothing protects a length but what follows: if that begins no message, the length was wrong."""
    length = _begun(buffer, at)
    if (
        isinstance(length, int)
        and len(buffer) > at + length
        and isinstance(_begun(buffer, at + length), Reason)
    ):
        return Reason.IMPOSSIBLE_VALUE
    return length


def _begun(buffer: bytearray, at: int) -> int | Reason:
    """The length of the message of either side that begins at `at`."""
    if buffer[at] != SLOT_CHANGE:
        return _length(buffer, at) if buffer[at] in HOSTS else _measure(buffer, at)
    if len(buffer) < at + 2:
        return 0
    return 2 if buffer[at + 1] < 4 else Reason.IMPOSSIBLE_VALUE


def _answer(frame: bytes) -> Reading | Rejected:
    if frame[0] in HOSTS:
        return rejected(Reason.UNEXPECTED, "a question of the host, not an answer", frame)
    if frame[0] == SLOT_CHANGE:
        return DeviceStatus("ok", "a card came" if frame[1] & 1 else "no card is there any more")
    return meaning(decode_message(frame), frame)
