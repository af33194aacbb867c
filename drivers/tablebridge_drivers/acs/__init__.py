"""ACS readers over USB (CCID): ACR122U (ISO 14443A cards), ACR1252U, ACR1552U (ISO 15693 cards, too).

Known from ACS's public API documents, from exchanges that users of nfcpy and libnfc logged (ACR122U), and
from a program for the ACR1552U. That the ACR1552U gives an ISO 15693 UID for FF CA 00 00 00, and in which
order of bytes, was not seen; either order is understood. The numbers of the ACR1252U come from hearsay. It
was never tried on a reader of ours.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, UsbPort
from tablebridge_drivers.acs.ccid import decode
from tablebridge_drivers.acs.session import AcsSession

DRIVER: Final = Driver(
    name="acs",
    title="ACS ACR122U, ACR1252U, ACR1552U readers (USB)",
    trust="vendor document",
    source="ACS ACR122U API V2.02/2.04; logged exchanges (nfcpy tests, libnfc issues 263 and 666); "
    "acr1552u 0.1.0 for escape commands",
    tested="messages that others logged, and emulated readers below libusb; never on hardware of ours",
    usb=UsbPort(
        ids=((0x072F, 0x2200), (0x072F, 0x90CC), (0x072F, 0x223B), (0x072F, 0x2308)),
        interface=(0x0B, None, None),
    ),
    session=AcsSession,
    options={"poll_interval_ms": Option(50, "pause between two looks for cards", lowest=0, highest=10000)},
    antennas=(0,),
    stale_after_s=4.0,
    decode=decode,
    distinctive=True,
)
