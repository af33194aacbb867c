"""HID reports as a stream of bytes: the records between the host and a session whose `UsbPort.form` is
"reports".

    the session sends                                   the host answers, in this order and once to each
    4F LL dd…      O: an output report                  41 00       A: taken
    46 LL dd…      F: a feature report                  41 00       A: taken
    47 02 RR NN    G: the feature report RR, NN bytes   47 LL dd…   G: here it is
                                                        45 00       E: in place of A or G: the device
                                                                       refused (stalled)
                                                        49 LL dd…   I: an input report came; by itself

    LL  number of bytes that follow
    dd  the report as it is on the wire, with its number first if it has one

Output reports go over the interrupt OUT endpoint if the interface has one, else by SET_REPORT (USB HID
1.11, 7.2.2). A damaged or oversized input report is `E`, too. Nothing is damaged between host and session;
the search of `Frames` is there for captures and for people.
"""

from typing import Final

import msgspec

from tablebridge.sdk.driver import Reason, Rejected
from tablebridge.sdk.framing import Frames

OUTPUT: Final = ord("O")
FEATURE: Final = ord("F")
GET: Final = ord("G")
INPUT: Final = ord("I")
TAKEN: Final = ord("A")
REFUSED: Final = ord("E")
LONGEST: Final = 255


class Report(msgspec.Struct, frozen=True):
    """One record. `kind`: one of the letters above, as its code."""

    kind: int
    data: bytes = b""


def encode(kind: int, data: bytes = b"") -> bytes:
    """The bytes of one record. `data`: at most 255 bytes."""
    return bytes((kind, len(data))) + data


def get(number: int, length: int) -> bytes:
    """The record that asks for a feature report."""
    return encode(GET, bytes((number, length)))


def _measure(buffer: bytearray, at: int) -> int | Reason:
    if buffer[at] not in (OUTPUT, FEATURE, GET, INPUT, TAKEN, REFUSED):
        return Reason.NOISE
    return buffer[at + 1] + 2 if len(buffer) > at + 1 else 0


class Reports:
    """A receiver of records."""

    def __init__(self) -> None:
        self._frames = Frames(_measure, lambda frame: True)

    @property
    def pending(self) -> bool:
        """Whether a record has begun and not ended."""
        return self._frames.pending

    def feed(self, data: bytes) -> list[Report | Rejected]:
        """The records that these bytes complete, and one reject for each loss of step."""
        return [_record(item) for item in self._frames.feed(data)]

    def silence(self) -> list[Report | Rejected]:
        """What has begun will not go on: a reject for it, and the records behind its first byte."""
        return [_record(item) for item in self._frames.silence()]


def _record(item: bytes | Rejected) -> Report | Rejected:
    return item if isinstance(item, Rejected) else Report(item[0], item[2:])


def inputs(data: bytes, length: int) -> list[bytes]:
    """Input reports in what a person has: records from end to end, or reports of `length` bytes one behind
    the other.

    Bytes behind the last report belong to it: it is too long.
    """
    cut = Reports()
    records = cut.feed(data)
    if not cut.pending and all(isinstance(record, Report) for record in records):
        return [record.data for record in records if isinstance(record, Report) and record.kind == INPUT]
    last = max(len(data) // length - 1, 0) * length
    return [*(data[at : at + length] for at in range(0, last, length)), *([data[last:]] if data else [])]


__all__ = [
    "FEATURE",
    "GET",
    "INPUT",
    "LONGEST",
    "OUTPUT",
    "REFUSED",
    "TAKEN",
    "Report",
    "Reports",
    "encode",
    "get",
    "inputs",
]
