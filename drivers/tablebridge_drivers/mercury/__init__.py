"""ThingMagic / JADAK Mercury UHF modules (M5e, M6e, Nano, M7E) under a chip tray: EPC Gen2, antennas from 1.

The protocol is known from a logged session with an M5e, from a manual's frame layout, from SparkFun's library
for the Nano and from the vendor's own Mercury API in C. It was never tried on a module of ours. Not known:
the first speed of an M5e. UHF reads too far for hole cards.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, SerialPort, boards
from tablebridge.sdk.conversations import gathering
from tablebridge_drivers.mercury.frames import REGIONS, decode
from tablebridge_drivers.mercury.session import KEEP, MercurySession


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=int(options["baud"]))


DRIVER: Final = Driver(
    name="mercury",
    title="ThingMagic / JADAK Mercury UHF modules (M5e, M6e, Nano, M7E) for chip trays",
    trust="logged traffic",
    source="a logged session with an M5e; frame layout of the JADAK Mercury6e-A manual; "
    "SparkFun's library for the Nano; the vendor's Mercury API in C",
    tested="frames that others logged, and an emulated module; never on hardware of ours",
    port=_port,
    session=MercurySession,
    options={
        "baud": Option(115200, "speed of the line", lowest=9600, highest=921600),
        "reading": Option(
            "stream",
            "stream: the module reads by itself (M6e, Nano, M7E); single: one read at a time (M5e)",
            choices=("stream", "single"),
        ),
        "region": Option(
            KEEP,
            "radio region: what the law at the place allows; keep leaves what the module has, and a new "
            "one has none",
            choices=(KEEP, *REGIONS),
        ),
        **boards.OPTIONS,
        "antennas": Option(1, "ports with an antenna, from port 1", lowest=1, highest=16),
        "power_cdbm": Option(
            0, "power in hundredths of a dBm; 0 leaves what the module has", lowest=0, highest=3150
        ),
        **gathering.OPTIONS,
    },
    antennas=tuple(range(17)),
    stale_after_s=4.0,
    decode=decode,
    emulation="published",
    distinctive=True,
    variants=({"baud": 9600},),
)
