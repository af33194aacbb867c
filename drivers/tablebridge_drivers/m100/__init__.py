"""UHF modules with the M100 / QM100 chip (M100, YRM100, R200 and others) under a chip tray: one antenna, EPC
Gen2.

The protocol is known from public copies of a maker's manual and from traffic that others logged. It was never
tried on a module of ours. UHF reads too far for hole cards.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, SerialPort
from tablebridge.sdk.conversations import gathering
from tablebridge_drivers.m100.frames import decode
from tablebridge_drivers.m100.session import M100Session


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=int(options["baud"]))


DRIVER: Final = Driver(
    name="m100",
    title="UHF modules M100, QM100, YRM100, R200 for chip trays",
    trust="vendor document",
    source="R200 user protocol V2.3.3 and module interface description in public copies; "
    "frames that others logged",
    tested="frames that others logged, and an emulated module; never on hardware of ours",
    port=_port,
    session=M100Session,
    options={
        "baud": Option(115200, "speed of the line", lowest=9600, highest=115200),
        "power_cdbm": Option(
            0, "power in hundredths of a dBm; 0 leaves what the module has", lowest=0, highest=3000
        ),
        "poll_interval_ms": Option(20, "pause between two looks", lowest=0, highest=10000),
        "gap_ms": Option(20, "silence behind the last tag of a look", lowest=5, highest=1000),
        "tag_crc": Option(
            True, "reject a tag whose own CRC does not fit; false for a module that does not hand it on"
        ),
        **gathering.OPTIONS,
    },
    stale_after_s=3.0,
    decode=decode,
    emulation="published",
    distinctive=True,
)
