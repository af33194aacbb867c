"""Frames of an OBID reader, seen from the reader's side: requests in, answers out.

This is an encoder of its own, written from the protocol description and not shared with the driver, so that a
mistake in one of the two shows. A request is `LENGTH ADR CONTROL data CRC`, or with the length in two bytes
behind an 0x02; the CRC is the reflected CCITT one (MCRF4XX) and goes low byte first. A reader does not answer
what it cannot read.
"""

from typing import Final

import msgspec

STX: Final = 0x02
SILENCE_S: Final = 0.1
"""A request that is not complete after this much silence is dropped. (A reader takes 12 ms; a busy computer
needs more.)
"""

OK: Final = 0x00
NO_TAG: Final = 0x01
UNKNOWN_COMMAND: Final = 0x80
BAD_CONTENT: Final = 0x81
RF_ERROR: Final = 0x83
RF_WARNING: Final = 0x84
MORE_DATA: Final = 0x94


def _crc_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


_TABLE: Final = _crc_table()


def crc(data: bytes) -> bytes:
    """The two check bytes of a frame, low byte first."""
    value = 0xFFFF
    for byte in data:
        value = (value >> 8) ^ _TABLE[(value ^ byte) & 0xFF]
    return value.to_bytes(2, "little")


class Request(msgspec.Struct, frozen=True):
    """What the host asked. `advanced`: with a long length, and so to be answered."""

    address: int
    control: int
    data: bytes
    advanced: bool


def answer(request: Request, status: int, data: bytes = b"", address: int = 0) -> bytes:
    """The answer frame; it is advanced where the request was or where it would pass 255 bytes."""
    body = bytes((address, request.control, status)) + data
    if request.advanced or len(body) + 3 > 255:
        head = bytes((STX,)) + (len(body) + 5).to_bytes(2, "big")
    else:
        head = bytes((len(body) + 3,))
    return head + body + crc(head + body)


class Requests:
    """Cuts the host's bytes into requests. Bytes that fail their check are dropped together with all behind
    them.
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._last = 0.0

    def feed(self, data: bytes, now: float) -> list[Request]:
        """The requests that these bytes complete. `now`: seconds on a clock that only grows."""
        if now - self._last > SILENCE_S:
            self._buffer = b""
        self._last = now
        self._buffer += data
        found = []
        while len(self._buffer) >= 3:
            advanced = self._buffer[0] == STX
            length = int.from_bytes(self._buffer[1:3], "big") if advanced else self._buffer[0]
            if length < (7 if advanced else 5):
                self._buffer = b""
                break
            if len(self._buffer) < length:
                break
            frame, self._buffer = self._buffer[:length], self._buffer[length:]
            if crc(frame[:-2]) != frame[-2:]:
                self._buffer = b""
                break
            body = frame[3 if advanced else 1 : -2]
            found.append(Request(body[0], body[1], body[2:], advanced))
        return found
