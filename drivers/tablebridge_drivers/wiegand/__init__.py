"""Readers with a Wiegand output behind a converter to a serial line: badges.

    bits     E ddd…ddd O     26 of them, or 34, 37, …: even parity over the first half of the data, odd over
                             the second; of an odd number of data bits the middle one is in both halves
    digits   as in `card_numbers`

Converters have no common form: most send hex or decimal digits and CR, some the bits themselves as 0 and 1;
what has no other digits is taken for bits unless `form` says otherwise. Of 26 bits, 24 are data: 8 of
facility, 16 of number. Source: Wiegand emulation in FEIG's manual H20800-16e-ID-B 4.2.2, with worked parity.
"""

import re
from functools import partial
from typing import Final, cast

from tablebridge.sdk import Driver, Option, Options, Reading, Reason, Rejected, SerialPort
from tablebridge.sdk.card_numbers import FORMS, Form, Numbers, badge_option
from tablebridge.sdk.conversations.numbers import NumberSession, decode_numbers
from tablebridge.sdk.conversations.push import STALE_AFTER_S, hold_option
from tablebridge.sdk.framing import rejected

FEWEST: Final = 26
MOST: Final = 66
_BITS: Final = re.compile(r"[01]{3,}")


def read_bits(bits: str) -> str | Rejected:
    """The data of a Wiegand frame as hex, in whole bytes. `bits`: its bits as 0 and 1, in their order."""
    if not FEWEST <= len(bits) <= MOST:
        return rejected(
            Reason.TOO_SHORT if len(bits) < FEWEST else Reason.TOO_LONG, f"{len(bits)} bits", bits.encode()
        )
    data = bits[1:-1]
    half = (len(data) + 1) // 2
    even, odd = bits[0] + data[:half], data[-half:] + bits[-1]
    if even.count("1") % 2 or not odd.count("1") % 2:
        return rejected(Reason.CHECKSUM, "parity", bits.encode())
    return f"{int(data, 2):0{(len(data) + 7) // 8 * 2}X}"


def read(line: bytes, numbers: Numbers, form: str = "auto", turned: bool = False) -> str | Rejected:
    """The UID that a line names."""
    text = line.decode("ascii", "replace").replace(" ", "")
    if form == "bits" or (form == "auto" and _BITS.fullmatch(text)):
        uid = read_bits(text) if set(text) <= {"0", "1"} else rejected(Reason.UNKNOWN_TYPE, "no bits", line)
        return bytes.fromhex(uid)[::-1].hex().upper() if turned and isinstance(uid, str) else uid
    return numbers.read(line)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines of one converter mean outside a conversation."""
    return decode_numbers(read, Numbers(), data)


def _session(options: Options) -> NumberSession:
    form, turned = str(options["form"]), bool(options["reverse"])
    numbers = Numbers("auto" if form == "bits" else cast(Form, form), turned)
    return NumberSession(numbers, partial(read, form=form, turned=turned), options)


DRIVER: Final = Driver(
    name="wiegand",
    title="Wiegand readers behind a converter to a serial line",
    trust="vendor document",
    source="Wiegand emulation in FEIG's manual H20800-16e-ID-B 4.2.2; forms of digits that converters use",
    tested="the manual's worked example, and an emulated converter; never on hardware of ours",
    port=lambda options: SerialPort(baud=int(options["baud"])),
    session=_session,
    options={
        "baud": Option(9600, "speed of the line", lowest=1200, highest=115200),
        "form": Option(
            "auto",
            "what the converter sends: bits as 0 and 1, hex digits, decimal digits",
            choices=(*FORMS, "bits"),
        ),
        "reverse": Option(False, "the converter gives the least significant byte first"),
        "badge": badge_option(),
        "hold_ms": hold_option(1500),
    },
    stale_after_s=STALE_AFTER_S,
    decode=decode,
    emulation="published",
)
