"""Cutting a stream of bytes into frames, and the checksums that frames carry.

A serial port gives bytes cut anywhere, sometimes damaged, sometimes none for a while. A `Receiver` holds what
has not become a frame yet. It finds the same frames and the same faults whichever way the stream was cut,
holds a bounded number of bytes, and never raises. Which one fits:

    Frames       frames whose length is known from their beginning
    Lines        frames that end with a delimiter
    TextLines    lines that a person or a program types: CR, LF or both end them, and a pause ends nothing
"""

from binascii import crc_hqx
from collections.abc import Callable, Sequence
from functools import reduce
from operator import xor
from typing import Final, Protocol, TypeVar

from tablebridge.sdk.driver import Reason, Rejected

RAW_LIMIT: Final = 64

_REVERSED: Final = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))


def crc_mcrf4xx(data: bytes | bytearray) -> int:
    """CRC-16/MCRF4XX (polynomial 0x8408 reflected, start 0xFFFF, no final xor): 0x6F91 for `123456789`.

    It is the CRC that the standard library has, with the bits of every byte and of the result turned round:
    that way the loop over the bytes runs in C.
    """
    crc = crc_hqx(data.translate(_REVERSED), 0xFFFF)
    return _REVERSED[crc & 0xFF] << 8 | _REVERSED[crc >> 8]


def xor_sum(data: bytes | bytearray) -> int:
    """All bytes joined by exclusive-or (often called BCC)."""
    return reduce(xor, data, 0)


def lrc(data: bytes | bytearray) -> int:
    """The byte that makes the sum of all bytes zero modulo 256 (longitudinal redundancy check)."""
    return -sum(data) & 0xFF


def rejected(reason: Reason, detail: str = "", raw: bytes | bytearray = b"") -> Rejected:
    """A `Rejected` with `raw` cut to its length."""
    return Rejected(reason, detail, bytes(raw[:RAW_LIMIT]))


Item_co = TypeVar("Item_co", covariant=True)


class Receiver(Protocol[Item_co]):
    """Cuts a stream of bytes into items: frames, lines, records."""

    @property
    def pending(self) -> bool:
        """Whether an item has begun that silence would end."""

    def feed(self, data: bytes) -> Sequence[Item_co | Rejected]:
        """The items that these bytes complete, and a reject for each loss of step."""

    def silence(self) -> Sequence[Item_co | Rejected]:
        """The stream went silent, so what has begun will not go on: what can be made of it, and an empty
        buffer.
        """


class Lines:
    """A receiver of frames ended by a delimiter, which is cut off. One of more than `limit` bytes is dropped
    up to its delimiter; one that never gets its delimiter is rejected by `silence`.

    `patient`: lines that are typed or printed in pieces. A pause ends nothing, so nothing is ever pending;
    and what stands at the end of the stream is a whole line. `empty`: whether empty lines are given.
    """

    def __init__(
        self, limit: int, delimiter: bytes = b"\n", patient: bool = False, empty: bool = True
    ) -> None:
        self._limit = limit
        self._delimiter = delimiter
        self._patient = patient
        self._empty = empty
        self._buffer = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | Rejected]:
        """The lines that these bytes complete, and one `too-long` for each that is none."""
        found: list[bytes | Rejected] = []
        *ended, rest = bytes(self._buffer + data).split(self._delimiter)
        if not self._skipping and len(max(ended, key=len, default=b"")) <= self._limit:
            found += ended
        else:
            for line in ended:
                self._take(line, found)
                self._skipping = False
        # The end of the rest may be the beginning of the delimiter.
        begun = len(self._delimiter) - 1
        if self._skipping or len(rest) > self._limit + begun:
            self._take(rest, found)
            self._skipping = True
            rest = rest[max(len(rest) - begun, 0) :]
        self._buffer[:] = rest
        return found if self._empty else [line for line in found if line]

    @property
    def pending(self) -> bool:
        """Whether a line has begun that silence would end."""
        return (bool(self._buffer) or self._skipping) and not self._patient

    def silence(self) -> list[bytes | Rejected]:
        """What has begun will not go on: a reject for it, or, of a patient receiver, the line itself."""
        found: list[bytes | Rejected] = []
        if self._buffer and not self._skipping and self._patient:
            self._take(bytes(self._buffer), found)
        elif self._buffer and not self._skipping:
            found.append(rejected(Reason.TOO_SHORT, "a line without its end", self._buffer))
        self._buffer.clear()
        self._skipping = False
        return found

    def _take(self, line: bytes, found: list[bytes | Rejected]) -> None:
        if self._skipping:
            return
        if len(line) > self._limit:
            found.append(
                rejected(Reason.TOO_LONG, f"a line of more than {self._limit} bytes", line[: self._limit])
            )
        else:
            found.append(line)


class TextLines(Lines):
    """A receiver of lines that a person, a program or a keyboard wedge types: ended by CR, LF or both, and
    patient. `empty`: whether empty lines are given; CR LF then ends a line and an empty one.
    """

    def __init__(self, limit: int = 160, empty: bool = False) -> None:
        super().__init__(limit, patient=True, empty=empty)

    def feed(self, data: bytes) -> list[bytes | Rejected]:
        return super().feed(data.replace(b"\r", b"\n"))


Measure = Callable[[bytearray, int], "int | Reason"]
"""(buffer, at) -> length of the frame that begins at `at`; 0: too few bytes to know; a reason: no frame
begins here.
"""


class Frames:
    """A receiver of frames that begin with their length. `measure`: that length; `check`: whether a frame of
    that length is intact.

    After a fault the search goes on one byte further, so that no whole frame behind garbage is lost. One
    `Rejected` is given for each loss of step, not for each byte of it. A frame that never gets its end is
    found by `silence`.

    `filler`: a byte that may stand between frames in any number: one behind which the same comes again, or
    nothing.
    """

    def __init__(self, measure: Measure, check: Callable[[bytes], bool], filler: int | None = None) -> None:
        self._measure = measure
        self._check = check
        self._filler = filler
        self._buffer = bytearray()
        self._in_step = True

    @property
    def pending(self) -> bool:
        """Whether a frame has begun and not ended."""
        return len(self._buffer) > 1 or (len(self._buffer) == 1 and self._buffer[0] != self._filler)

    def feed(self, data: bytes) -> list[bytes | Rejected]:
        """The frames that these bytes complete."""
        self._buffer += data
        return self._search(ended=False)

    def silence(self) -> list[bytes | Rejected]:
        """What has begun will not go on: a reject for it, and the whole frames behind its first byte."""
        found = self._search(ended=True)
        self._in_step = True
        return found

    def _search(self, ended: bool) -> list[bytes | Rejected]:
        buffer, measure, check, filler = self._buffer, self._measure, self._check, self._filler
        size = len(buffer)
        found: list[bytes | Rejected] = []
        at = 0
        while at < size:
            if buffer[at] == filler:
                if at + 1 == size and not ended:
                    break
                if at + 1 == size or buffer[at + 1] == filler:
                    at += 1
                    continue
            length = measure(buffer, at)
            if isinstance(length, Reason):
                reason, raw = length, buffer[at : at + 1]
            elif length == 0 or at + length > size:
                if not ended:
                    break
                reason, raw = Reason.TOO_SHORT, buffer[at:]
            else:
                frame = bytes(buffer[at : at + length])
                if check(frame):
                    found.append(frame)
                    self._in_step = True
                    at += length
                    continue
                reason, raw = Reason.CHECKSUM, buffer[at : at + length]
            if self._in_step:
                found.append(rejected(reason, "", raw))
                self._in_step = False
            at += 1
        del buffer[:at]
        return found


T = TypeVar("T")


def each(receiver: Receiver[bytes], meaning: Callable[[bytes], T], data: bytes) -> tuple[T | Rejected, ...]:
    """What each frame of `data` means, and the rejects between, if nothing comes behind it: a driver's
    `decode`. A reject has all bytes between the frames before and behind it, up to `RAW_LIMIT`.
    """
    # Asking for bytes is quick; asking for a struct that it is not is slow, for structs are abstract base
    # classes.
    items = with_lost_bytes((*receiver.feed(data), *receiver.silence()), data)
    return tuple([meaning(item) if isinstance(item, bytes) else item for item in items])


def with_lost_bytes(items: Sequence[bytes | Rejected], data: bytes) -> list[bytes | Rejected]:
    """The frames and rejects of `data` with all bytes that were lost between two frames in the reject that
    stands alone there: a person who looks at them wants to see what came.
    """
    if {*map(type, items)} <= {bytes}:
        return list(items)
    found: list[bytes | Rejected] = []
    alone: int | None = None
    """Which item is the only reject since the last frame."""
    begin = 0
    for item in (*items, None):
        if isinstance(item, Rejected):
            alone = len(found) if not found or isinstance(found[-1], bytes) else None
            found.append(item)
            continue
        at = len(data) if item is None else data.find(item, begin)
        if alone is not None and begin < at:
            reject = found[alone]
            assert isinstance(reject, Rejected)
            found[alone] = rejected(reject.reason, reject.detail, data[begin:at])
        alone = None
        if item is not None:
            begin = max(at, begin) + len(item)
            found.append(item)
    return found


__all__ = [
    "Frames",
    "Lines",
    "Measure",
    "Receiver",
    "TextLines",
    "crc_mcrf4xx",
    "each",
    "lrc",
    "rejected",
    "with_lost_bytes",
    "xor_sum",
]
