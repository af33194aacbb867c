"""Eccel Pepper C1 readers and their MUX model with eight antennas, on a serial line, USB or TCP.

The protocol is known from the vendor's manuals in public copies. It was never tried on a reader of ours. Not
known: how long the field of a MUX antenna needs after it is selected (`settle_ms`); which layer numbers
errors have. The RS485 models put an address into each frame, in both directions ("communication with the
module is symmetric").
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, SerialPort, boards
from tablebridge_drivers.pepper.frames import decode
from tablebridge_drivers.pepper.session import PepperSession


def _port(options: Options) -> SerialPort:
    # Its USB port resets the reader by DTR and RTS.
    return SerialPort(baud=int(options["baud"]), dtr=False, rts=False)


DRIVER: Final = Driver(
    name="pepper",
    title="Eccel Pepper C1 readers, and Pepper C1 MUX with eight antennas",
    trust="vendor document",
    source="the vendor's RS485 reader manuals in FCC copies, its open Python package, "
    "frames that others' programs send",
    tested="frames of others' programs, the manuals' examples, and an emulated reader; "
    "never on hardware of ours",
    port=_port,
    session=PepperSession,
    options={
        "baud": Option(115200, "speed of the line", lowest=9600, highest=115200),
        "antennas": Option(
            1,
            "antennas: the only one of a plain reader is number 0; those of a MUX are 1 to this one",
            lowest=1,
            highest=8,
        ),
        "address": Option(
            0, "address of an RS485 model (128 from the maker); 0 for all others", lowest=0, highest=253
        ),
        **boards.OPTIONS,
        "cards": Option(
            "iso15693",
            "standard of the tags: ISO 15693, of which any number is read, or ISO 14443, five at most",
            choices=("iso15693", "iso14443"),
        ),
        "afi": Option(0, "application family that answers (ISO 15693); 0 is all", lowest=0, highest=255),
        "settle_ms": Option(10, "wait after an antenna is selected", lowest=0, highest=1000),
        "poll_interval_ms": Option(10, "pause between two inventories", lowest=0, highest=10000),
        "answer_ms": Option(1000, "how long an inventory may take", lowest=50, highest=60000),
    },
    antennas=tuple(range(9)),
    stale_after_s=3.0,
    decode=decode,
    emulation="clients",
    distinctive=True,
)
