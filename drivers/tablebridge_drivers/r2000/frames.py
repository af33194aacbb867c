"""Frames of UHF modules with Impinj's R2000 or their successors (IND903, D2184 and others), both directions.

    A0 LL AA CC dd … SS

    A0  begin
    LL  length of all that follows it
    AA  address of the module; FF in a request: whichever hears it
    CC  command, the same in request and answer
    SS  makes the sum of all bytes zero modulo 256

    done, refused    dd      10: done; else why not
    72               MM mm   firmware
    68               NN ×12  identifier of the module, which a host can set by 67
    89               FF PP PP EE … RR [pp pp]   a tag: FF has the antenna in its bits 0 and 1, RR in bit 7 of
                                                a module with eight ports; PC, EPC, strength, phase
                     AA HH LL NN NN NN NN       the end: antenna, tags per second, how many were named

An EPC has whole words, so the end, which is as long as a tag with an EPC of three bytes, is none. Sources:
bytes that others logged from an IND903 and other modules; PyPI pyImpinj 1.2; command 68: constants of
several public programs, such as `ImpinjR2KCommands.GET_READER_IDENTIFIER` of pyImpinj.
"""

from typing import Final

import msgspec

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames, each, lrc, rejected

BEGIN: Final = 0xA0
ANY: Final = 0xFF
SHORTEST: Final = 5

IDENTIFIER: Final = 0x68
RESET: Final = 0x70
VERSION: Final = 0x72
SET_ANTENNA: Final = 0x74
SET_POWER: Final = 0x76
INVENTORY: Final = 0x89
SESSION_INVENTORY: Final = 0x8B
NAMING: Final = frozenset({INVENTORY, SESSION_INVENTORY})

DONE: Final = 0x10
NO_ANTENNA: Final = 0x22
FAULTS: Final = {
    0x11: "failed",
    0x20: "the module could not be reset",
    0x21: "the carrier could not be switched on",
    0x22: "no antenna is connected",
    0x23: "memory could not be written",
    0x25: "the power could not be set",
    0x31: "inventory error",
    0x36: "no tag",
    0x41: "parameter out of range",
    0x46: "no such address",
    0x47: "no such antenna",
    0x48: "power out of range",
    0x49: "no such region",
    0x52: "the oscillator does not lock",
    0x53: "the radio chip does not answer",
    0x54: "the power is not reached: look at the antenna and its cable",
    0x56: "forbidden by the region's spectrum",
    0x57: "power too low",
}


class Answer(msgspec.Struct, frozen=True):
    """What the module says."""

    command: int
    data: bytes
    address: int


class Seen(msgspec.Struct, frozen=True):
    """A tag that an inventory names; antennas count from 1, as they are printed on the module."""

    antenna: int
    epc: str


class Ended(msgspec.Struct, frozen=True):
    """The end of an inventory: how often tags were named."""

    named: int


def encode(command: int, data: bytes = b"", address: int = ANY) -> bytes:
    """The request. `data`: at most 252 bytes."""
    body = bytes((BEGIN, len(data) + 3, address, command)) + data
    return body + bytes((lrc(body),))


def measure(buffer: bytearray, at: int) -> int | Reason:
    """The length of the frame that begins at `at`, for `Frames`."""
    if buffer[at] != BEGIN:
        return Reason.NOISE
    if len(buffer) < at + 2:
        return 0
    length = buffer[at + 1] + 2
    return length if length >= SHORTEST else Reason.TOO_SHORT


def intact(frame: bytes) -> bool:
    """Whether the sum fits."""
    return sum(frame) & 0xFF == 0


def read_answer(frame: bytes) -> Answer | Rejected:
    """The answer in an intact frame."""
    if len(frame) == SHORTEST or frame[2] == ANY:
        return rejected(Reason.UNEXPECTED, "a request, not an answer", frame)
    return Answer(frame[3], frame[4:-1], frame[2])


def read_named(data: bytes) -> Seen | Ended | Rejected:
    """The data of an answer of an inventory, of more than one byte."""
    if len(data) == 7:
        return Ended(int.from_bytes(data[3:], "big"))
    if len(data) < 6:
        return rejected(Reason.TOO_SHORT, "a tag without an EPC", data)
    size = 2 * (data[1] >> 3)
    if not size or len(data) - size not in (4, 6):
        return rejected(
            Reason.IMPOSSIBLE_VALUE, f"an EPC of {size} bytes in an answer of {len(data)} bytes", data
        )
    strength = data[3 + size]
    return Seen(1 + (data[0] & 3 | strength >> 5 & 4), data[3 : 3 + size].hex().upper())


def fault_text(code: int) -> str:
    """Why something was not done, in words."""
    return f"error {code:02X}: {FAULTS.get(code, 'not documented')}"


def identifier(data: bytes) -> str:
    """The module's own number, from the data of IDENTIFIER; empty if it was never given one."""
    return data.hex().upper() if len(data) == 12 and any(data) and data != b"\xff" * 12 else ""


def version_text(data: bytes) -> str:
    """Who the module is, from the data of VERSION."""
    return "R2000 module" + (f", firmware {data[0]}.{data[1]}" if len(data) >= 2 else "")


def meaning(frame: bytes) -> Reading | Rejected:
    """What an intact frame says by itself. A request for an inventory looks like an answer and is none."""
    answer = read_answer(frame)
    if isinstance(answer, Rejected):
        return answer
    if answer.command == VERSION and len(answer.data) == 2:
        return DeviceStatus("identified", version_text(answer.data))
    if answer.command in NAMING and len(answer.data) > 3:
        said = read_named(answer.data)
        if isinstance(said, Ended):
            return DeviceStatus("ok", f"inventory done, tags named: {said.named}")
        return said if isinstance(said, Rejected) else Sweep(said.antenna, (said.epc,))
    if len(answer.data) == 1:
        code = answer.data[0]
        if code == DONE:
            return DeviceStatus("ok", f"command {answer.command:02X} done")
        if code in FAULTS:
            return DeviceStatus("degraded", f"command {answer.command:02X}, {fault_text(code)}")
    return rejected(Reason.UNEXPECTED, f"no answer to {answer.command:02X}", frame)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What answers mean outside a conversation: each tag that is named is a sweep."""
    return each(Frames(measure, intact), meaning, data)
