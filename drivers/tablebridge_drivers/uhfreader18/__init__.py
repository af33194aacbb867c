"""UHF readers of the UHFReader18 family under a chip tray: Chafon CF-RU5102 and others, RRU9816 (EPC Gen2).

The protocol is known from an open package of somebody else after the maker's manual, and from traffic that
others logged. It was never tried on a reader of ours. UHF reads too far for hole cards.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, SerialPort, boards
from tablebridge.sdk.conversations import gathering
from tablebridge_drivers.uhfreader18.frames import decode
from tablebridge_drivers.uhfreader18.session import Uhf18Session
from tablebridge_drivers.uhfreader18.stored import STORED


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=int(options["baud"]))


DRIVER: Final = Driver(
    name="uhfreader18",
    title="UHF readers of the UHFReader18 family: Chafon CF-RU5102, IQRFID-5102, RRU9816, for chip trays",
    trust="logged traffic",
    source="the open package uhfreader18 0.6.0 after the UHFReader18 manual V2.0; commands and answers that "
    "others logged",
    tested="answers that others logged, the open package as a client of an emulated reader; never on "
    "hardware of ours",
    port=_port,
    session=Uhf18Session,
    options={
        "baud": Option(57600, "speed of the line", lowest=9600, highest=115200),
        "address": Option(
            255, "address of the reader on its bus; 255 is whichever hears it", lowest=0, highest=255
        ),
        **boards.OPTIONS,
        "records": Option(
            "classic",
            "form of what an inventory names: classic, or with antenna and strength (RRU9816, four ports)",
            choices=("classic", "antenna"),
        ),
        "power_dbm": Option(-1, "power in dBm; -1 leaves what the reader has", lowest=-1, highest=30),
        "poll_interval_ms": Option(20, "pause between two inventories", lowest=0, highest=10000),
        **gathering.OPTIONS,
    },
    antennas=(1, 2, 3, 4),
    stale_after_s=6.0,
    decode=decode,
    emulation="clients",
    stored=STORED,
    distinctive=True,
)
