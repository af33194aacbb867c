"""How messages lie in a file of the outbox, one behind the other. Pure: bytes in, bytes out.

    magic       4 bytes   `TBm1` a message, `TBn1` the numbers with which a file begins
    length      u32       of the payload
    checksum    u32       CRC-32 of all that follows it
    number      u64       of the message
    acked       u64       up to here the broker had acknowledged all messages when this one was written
    payload     JSON

All numbers are little-endian. A file whose writer was killed, or whose power failed, ends in the middle of a
frame, or in zeros: that is its end and no damage. Anything else that is no frame is damage.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

MESSAGE: Final = b"TBm1"
NUMBERS: Final = b"TBn1"
_HEAD: Final = struct.Struct("<4sII")
_REST: Final = struct.Struct("<QQ")
OVERHEAD: Final = _HEAD.size + _REST.size
LONGEST: Final = 131_072
"""The longest payload that is read back."""


class Damaged(ValueError):
    """The bytes at this place are no frame and no end."""

    def __init__(self, place: int) -> None:
        super().__init__(f"what stands at byte {place} was not written so")


class Frame(NamedTuple):
    """One frame. `end`: where the next one begins."""

    kind: bytes
    number: int
    acked: int
    payload: bytes
    end: int


def framed(kind: bytes, number: int, acked: int, payload: bytes) -> bytes:
    """The bytes of a frame."""
    rest = _REST.pack(number, acked)
    return _HEAD.pack(kind, len(payload), zlib.crc32(payload, zlib.crc32(rest))) + rest + payload


def frames(data: bytes, begin: int = 0) -> Iterator[Frame]:
    """The frames from `begin` to the end. Raises Damaged if something else stands there."""
    at = begin
    while at + OVERHEAD <= len(data):
        kind, length, checksum = _HEAD.unpack_from(data, at)
        end = at + OVERHEAD + length
        if kind not in (MESSAGE, NUMBERS) or length > LONGEST:
            break
        if end > len(data):
            return
        if zlib.crc32(memoryview(data)[at + _HEAD.size : end]) != checksum:
            break
        number, acked = _REST.unpack_from(data, at + _HEAD.size)
        yield Frame(kind, number, acked, data[at + OVERHEAD : end], end)
        at = end
    if not _is_end(data, at):
        raise Damaged(at)


def _is_end(data: bytes, at: int) -> bool:
    """Whether nothing, the beginning of a frame, or zeros stand there. A frame that ends in zeros is a
    beginning too: no payload ends so.
    """
    left = data[at:]
    if left[:4] in (MESSAGE, NUMBERS):
        end = OVERHEAD + int.from_bytes(left[4:8], "little")
        return len(left) < OVERHEAD or not left[min(end, len(left)) - 1 :].strip(b"\0")
    beginning = len(left) < OVERHEAD and any(kind.startswith(left[:4]) for kind in (MESSAGE, NUMBERS))
    return beginning or not left.strip(b"\0")
