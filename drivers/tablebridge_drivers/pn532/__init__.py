"""NXP PN532 modules on a serial line (HSU): one antenna, two cards of ISO 14443 type A at most. They do not
read ISO 15693.

The protocol is known from the vendor's user manual and from traffic that others logged. It was never tried on
a chip of ours.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, SerialPort
from tablebridge_drivers.pn532.frames import decode
from tablebridge_drivers.pn532.session import Pn532Session


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=int(options["baud"]))


DRIVER: Final = Driver(
    name="pn532",
    title="NXP PN532 modules on a serial line (HSU), for MIFARE and NTAG",
    trust="vendor document",
    source="NXP user manual UM0701-02; frames logged from chips of others",
    tested="frames logged from chips of others, and an emulated chip; never on hardware of ours",
    port=_port,
    session=Pn532Session,
    options={
        "baud": Option(115200, "speed of the line", lowest=9600, highest=1288000),
        "targets": Option(
            2,
            "cards asked for at once: two on one antenna are read badly, one hides the other",
            lowest=1,
            highest=2,
        ),
        "tries": Option(
            2, "how often the chip looks for a card before it says that none is there", lowest=0, highest=254
        ),
        "let_go": Option(
            "field",
            "how a card is made to answer again: by the field off and on, which wakes every card, or by "
            "InRelease, which some cards take for a halt",
            choices=("field", "release"),
        ),
        "poll_interval_ms": Option(20, "pause between two looks", lowest=0, highest=10000),
        "answer_ms": Option(1500, "how long a look may take", lowest=50, highest=60000),
    },
    stale_after_s=4.0,
    decode=decode,
    emulation="clients",
    standard="ISO 14443 A (MIFARE, NTAG)",
    distinctive=True,
)
