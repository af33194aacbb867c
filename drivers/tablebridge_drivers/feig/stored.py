"""What FEIG readers store and the driver depends on: for how long they look for tags.

    80     request AA          answer CC×14     a block; AA: bit 7 EEPROM, bits 0 to 5 its number
    81     request AA CC×14    answer nothing

    block 1  bytes 6 and 7: the longest time of an inventory in 100 ms, high byte first

Source: manual ID CPR-Family H20800-16e-ID-B, 5.1 and 5.2; a logged request that writes block 1, with 4 in
these bytes.
"""

from typing import Final

from tablebridge.sdk import Options, Rejected
from tablebridge.sdk.framing import Frames
from tablebridge.sdk.stored import Stored
from tablebridge_drivers.feig import codes
from tablebridge_drivers.feig.frames import (
    Answer,
    Request,
    decode_answer,
    encode_request,
    intact,
    measure_answer,
)

READ: Final = 0x80
WRITE: Final = 0x81
BLOCK: Final = 0x81
"""Block 1 in the EEPROM."""
SIZE: Final = 14
TIME: Final = slice(6, 8)
STEP_MS: Final = 100
SPARE_MS: Final = 100
"""What an answer needs on the line beside the inventory."""


def _request(control: int, data: bytes, options: Options) -> bytes:
    return encode_request(Request(control, data, int(options["address"]), options["frames"] == "advanced"))


def _answer(heard: bytes, control: int) -> Answer | None:
    """The last whole answer to the request among what came."""
    found = None
    for frame in Frames(measure_answer, intact).feed(heard):
        if not isinstance(frame, Rejected) and decode_answer(frame).control == control:
            found = decode_answer(frame)
    return found


def _read(heard: bytes) -> str | None:
    answer = _answer(heard, READ)
    if answer is None or answer.status != codes.OK or len(answer.data) < SIZE:
        return None
    return f"{int.from_bytes(answer.data[TIME], 'big') * STEP_MS} ms"


def _longest_ms(options: Options) -> int:
    return max(STEP_MS, (int(options["answer_ms"]) - SPARE_MS) // STEP_MS * STEP_MS)


def _write(heard: bytes, options: Options) -> bytes:
    answer = _answer(heard, READ)
    block = bytearray(answer.data[:SIZE] if answer is not None else bytes(SIZE))
    block[TIME] = (_longest_ms(options) // STEP_MS).to_bytes(2, "big")
    return _request(WRITE, bytes((BLOCK,)) + block, options)


def _written(heard: bytes) -> bool | None:
    answer = _answer(heard, WRITE)
    return None if answer is None else answer.status == codes.OK


STORED: Final = (
    Stored(
        name="longest inventory",
        meaning="an inventory that takes longer than the option answer_ms counts as none",
        ask=lambda options: _request(READ, bytes((BLOCK,)), options),
        read=_read,
        wanted=lambda value, options: int(value.removesuffix(" ms")) <= _longest_ms(options),
        wish=lambda options: f"at most {_longest_ms(options)} ms",
        write=_write,
        written=_written,
    ),
)
