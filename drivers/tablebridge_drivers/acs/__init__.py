"""ACS readers over USB (CCID): ACR122U (ISO 14443A cards), ACR1251U, ACR1252U, ACR1255U, ACR1281U, ACR1552U
(ISO 15693 cards, too), ACR1581U.

Known from ACS's public API documents, from exchanges that users of nfcpy and libnfc logged (ACR122U), and
from a program for the ACR1552U. That the ACR1552U gives an ISO 15693 UID for FF CA 00 00 00, and in which
order of bytes, was not seen; either order is understood. The numbers are those of the CCID driver's list of
readers (LudovicRousseau/CCID, readers/). 072F:90CC is the Tikitag, an ACR122U, and also the ACR38U and its
like, which read cards by contacts alone: such a reader does not name itself. It was never tried on a reader
of ours.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, UsbPort, boards
from tablebridge_drivers.acs.ccid import decode
from tablebridge_drivers.acs.session import AcsSession

PRODUCTS: Final = (
    0x2200,  # ACR122U
    0x90CC,  # ACR122U as Tikitag
    0x221A,  # ACR1251U
    0x2224,  # ACR1281U
    0x223B,  # ACR1252U with a SAM
    0x223E,  # ACR1252U
    0x223F,  # ACR1255U-J1
    0x2259,  # ACR1252IMP
    0x226B,  # WalletMate
    0x2301,  # ACR1581U
    0x2303,  # ACR1552U with a SAM, as it is sold most
    0x2308,  # ACR1552U
)


DRIVER: Final = Driver(
    name="acs",
    title="ACS ACR122U, ACR1251U, ACR1252U, ACR1255U, ACR1281U, ACR1552U, ACR1581U readers (USB)",
    trust="vendor document",
    source="ACS ACR122U API V2.02/2.04; logged exchanges (nfcpy tests, libnfc issues 263 and 666); "
    "acr1552u 0.1.0 for escape commands; the CCID driver's list of readers",
    tested="messages that others logged, and emulated readers below libusb; never on hardware of ours",
    usb=UsbPort(
        ids=tuple((0x072F, product) for product in PRODUCTS),
        interface=(0x0B, None, None),
    ),
    session=AcsSession,
    options={
        "poll_interval_ms": Option(50, "pause between two looks for cards", lowest=0, highest=10000),
        **boards.OPTIONS,
    },
    antennas=(0,),
    stale_after_s=4.0,
    decode=decode,
    emulation="published",
    distinctive=True,
)
