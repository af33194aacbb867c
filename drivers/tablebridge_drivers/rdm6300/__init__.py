"""RDM6300, ID-12LA, ID-20LA and their like: 125 kHz readers of EM4100 badges that talk by themselves.

    02 hh×10 cc cc 03              RDM6300, Seeed
    02 hh×10 cc cc 0D 0A 03        ID-12LA, ID-20LA

    hh  hex digits, of one case: a version byte and four bytes of number, high byte first
    cc  hex digits: exclusive-or of all five bytes

An RDM6300 repeats the frame about every 65 ms while the badge is there; an ID-12LA sends it once. There is no
anticollision: one badge at a time. Source: the Seeed 125 kHz module's wiki; a worked example that several
programs share.
"""

from functools import partial
from typing import Final

from tablebridge.sdk import Driver, Option, Options, Reading, Reason, Rejected, SerialPort
from tablebridge.sdk.card_numbers import badge, badge_option
from tablebridge.sdk.conversations.push import (
    STALE_AFTER_S,
    Named,
    NamingSession,
    Said,
    decode_named,
    hold_option,
)
from tablebridge.sdk.framing import Frames, rejected, xor_sum

BEGIN: Final = 0x02
END: Final = 0x03
SHORT: Final = 14
LONG: Final = 16
HEX: Final = frozenset(b"0123456789ABCDEFabcdef")


def encode(uid: str, line_end: bool = False) -> bytes:
    """The frame of a badge, its UID as ten hex digits. `line_end`: as an ID-12LA sends it."""
    text = f"{uid}{xor_sum(bytes.fromhex(uid)):02X}".encode()
    return bytes((BEGIN,)) + text + (b"\r\n" if line_end else b"") + bytes((END,))


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame that begins at `at`, for `Frames`."""
    if buffer[at] != BEGIN:
        return Reason.NOISE
    text = buffer[at + 1 : at + SHORT - 1]
    if any(byte not in HEX for byte in text) or (text != text.upper() and text != text.lower()):
        return Reason.IMPOSSIBLE_VALUE
    if len(buffer) < at + SHORT:
        return 0
    if buffer[at + SHORT - 1] == END:
        return SHORT
    ended = b"\r\n\x03".startswith(buffer[at + SHORT - 1 : at + LONG])
    if not ended:
        return Reason.TOO_LONG
    return LONG if len(buffer) >= at + LONG else 0


def intact(frame: bytes) -> bool:
    """Whether the sum over all five bytes fits. (One that leaves out the first is a known mistake.)"""
    return xor_sum(bytes.fromhex(frame[1:13].decode())) == 0


def meaning(frame: bytes, part: str = "whole") -> Said:
    """What an intact frame says. `part`: which part of the number is the badge's identity."""
    uid = frame[1:11].decode().upper()
    if not int(uid, 16):
        return rejected(Reason.IMPOSSIBLE_VALUE, "a badge of zeros only", frame)
    return Named(0, badge(uid, part))


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What frames mean outside a conversation."""
    return decode_named(Frames(measure, intact), meaning, data)


def _session(options: Options) -> NamingSession:
    return NamingSession(
        Frames(measure, intact),
        partial(meaning, part=str(options["badge"])),
        int(options["hold_ms"]),
        repeats=bool(options["repeats"]),
    )


DRIVER: Final = Driver(
    name="rdm6300",
    title="RDM6300, ID-12LA, ID-20LA: 125 kHz readers for badges",
    trust="vendor document",
    source="the Seeed 125 kHz module's wiki; a worked example that several programs share",
    tested="that example, and an emulated reader; never on hardware of ours",
    port=lambda options: SerialPort(baud=9600),
    session=_session,
    options={
        "badge": badge_option(),
        "hold_ms": hold_option(300),
        "repeats": Option(
            True,
            "the reader names a badge again and again while it is there (RDM6300); false: once (ID-12LA)",
        ),
    },
    stale_after_s=STALE_AFTER_S,
    decode=decode,
    emulation="published",
    distinctive=True,
)
