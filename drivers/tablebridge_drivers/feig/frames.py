"""Frames of FEIG OBID readers, both directions.

    standard, up to 255 bytes        request  LL AA CC dd … KK kk        answer  LL AA CC SS dd … KK kk
    advanced, up to 65535 bytes      request  02 HH hh AA CC dd … KK kk  answer  02 HH hh AA CC SS dd … KK kk

    LL     length of the whole frame, itself and the CRC counted
    02     marks an advanced frame: no standard one has two bytes
    HH hh  length of the whole frame, high byte first
    AA     address of the reader; FF in a request: whichever hears it
    CC     control byte, the same in request and answer
    SS     status (answers only)
    dd     data
    KK kk  CRC-16/MCRF4XX of all before it, low byte first

The length comes first, so a damaged one can promise a frame that never ends; `tablebridge.sdk.framing.Frames`
heals that. Source: manuals ID CPR-Family H20800-16e-ID-B, ID ISC.MR/PR/PRH101 H60301-3e-ID-B; bytes logged
from readers at work.
"""

from collections.abc import Collection
from typing import Final

import msgspec

from tablebridge.sdk import Reason
from tablebridge.sdk.framing import crc_mcrf4xx

ADVANCED: Final = 0x02
ANY: Final = 0xFF
"""The address to which every reader answers; no reader has it, so an answer from it is the echo of a request.
"""
LONGEST_STANDARD: Final = 255
LONGEST_TAKEN: Final = 4096
"""An inventory answer names at most 255 tags of 14 bytes: an answer longer than this is a damaged length."""
SHORTEST_ANSWER: Final = 6


class Request(msgspec.Struct, frozen=True):
    """What the host asks. Bytes 0 to 255 in `address` and `control`."""

    control: int
    data: bytes = b""
    address: int = ANY
    advanced: bool = False


class Answer(msgspec.Struct, frozen=True):
    """What the reader says."""

    control: int
    status: int
    data: bytes = b""
    address: int = 0
    advanced: bool = False


def encode_request(request: Request) -> bytes:
    """The frame. It is advanced if the request says so or if a standard one would be too long."""
    return _frame(bytes((request.address, request.control)) + request.data, request.advanced)


def encode_answer(answer: Answer) -> bytes:
    """The frame as a reader sends it: advanced after an advanced request, or if a standard one would be too
    long.
    """
    return _frame(bytes((answer.address, answer.control, answer.status)) + answer.data, answer.advanced)


def _frame(body: bytes, advanced: bool) -> bytes:
    if advanced or len(body) + 3 > LONGEST_STANDARD:
        head = bytes((ADVANCED,)) + (len(body) + 5).to_bytes(2, "big")
    else:
        head = bytes((len(body) + 3,))
    return head + body + crc_mcrf4xx(head + body).to_bytes(2, "little")


def measure_answer(buffer: bytearray, at: int) -> int | Reason:
    """How long the answer that begins at `at` says it is; 0 if that cannot be seen yet; a reason if none
    begins.
    """
    first = buffer[at]
    if first != ADVANCED:
        return first if first >= SHORTEST_ANSWER else Reason.NOISE
    if len(buffer) < at + 3:
        return 0
    length = buffer[at + 1] << 8 | buffer[at + 2]
    if length < SHORTEST_ANSWER + 2:
        return Reason.TOO_SHORT
    return length if length <= LONGEST_TAKEN else Reason.TOO_LONG


def intact(frame: bytes) -> bool:
    """Whether the CRC fits."""
    return crc_mcrf4xx(frame[:-2]) == frame[-2] | frame[-1] << 8


def decode_answer(frame: bytes) -> Answer:
    """The answer in an intact frame of the length that `measure_answer` gives."""
    advanced = frame[0] == ADVANCED
    address, control, status = frame[3:6] if advanced else frame[1:4]
    return Answer(control, status, frame[6 if advanced else 4 : -2], address, advanced)


def why_not_answer(
    answer: Answer, frame: bytes, requests: Collection[bytes], address: int, control: int | None
) -> str:
    """Why an intact frame, decoded as `answer`, is not what is waited for; empty if it is. `requests`: those
    that would be their own echo; `address`: the reader's; `control`: that of the request, None if none waits.
    """
    if answer.address == ANY or frame in requests:
        return "the line sends requests back (echo)"
    if address not in (ANY, answer.address):
        return f"an answer of the reader with address {answer.address}"
    if answer.control != control:
        return f"an answer to {answer.control:02X} nobody waits for"
    return ""


def decode_request(frame: bytes) -> Request:
    """The request in an intact frame."""
    advanced = frame[0] == ADVANCED
    address, control = frame[3:5] if advanced else frame[1:3]
    return Request(control, frame[5 if advanced else 3 : -2], address, advanced)
