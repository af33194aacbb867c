"""UHF modules that speak in frames with A0, of Impinj's R2000 and its successors, under a chip tray: up to
eight antennas, EPC Gen2.

The protocol is known from traffic that others logged and from an open package. It was never tried on a module
of ours. UHF reads too far for hole cards.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, SerialPort, boards
from tablebridge.sdk.conversations import gathering
from tablebridge_drivers.r2000.frames import decode
from tablebridge_drivers.r2000.session import R2000Session


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=int(options["baud"]))


DRIVER: Final = Driver(
    name="r2000",
    title="UHF modules of Impinj's R2000 that speak in frames with A0 (IND903, D2184), for chip trays",
    trust="logged traffic",
    source="bytes that others logged from an IND903 and other modules; the open package pyImpinj 1.2",
    tested="frames that others logged, and an emulated module; never on hardware of ours",
    port=_port,
    session=R2000Session,
    options={
        "baud": Option(115200, "speed of the line", lowest=9600, highest=115200),
        "address": Option(
            255, "address of the module on its bus; 255 is whichever hears it", lowest=0, highest=255
        ),
        **boards.OPTIONS,
        "antennas": Option(1, "ports with an antenna, from port 1", lowest=1, highest=8),
        "power_dbm": Option(0, "power in dBm; 0 leaves what the module has", lowest=0, highest=33),
        "poll_interval_ms": Option(20, "pause between two inventories", lowest=0, highest=10000),
        **gathering.OPTIONS,
    },
    antennas=tuple(range(1, 9)),
    stale_after_s=4.0,
    decode=decode,
    emulation="published",
    distinctive=True,
)
