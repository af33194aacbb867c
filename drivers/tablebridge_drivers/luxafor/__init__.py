"""Luxafor Flag and Mute (USB HID 04D8:F372) as a table's signal light; the Mute is a button, too.

    output report    01 LL RR GG BB 00 00 00     colour; LL FF: all LEDs
    input report     83 00 …                     pushed (Mute only; 42 … has no meaning for us)
                     83 01 …                     released

Source: programs of others (busylight-core 2.5.0, pyluxa4); the Mute's reports stand in a comment of one of
them and were never logged. Never tried on a light of ours.
"""

from functools import partial
from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Reason, Rejected, UsbPort, reports
from tablebridge.sdk.framing import rejected
from tablebridge.sdk.lights import BREATHES, Colour, LightSession, decode_inputs

LENGTH: Final = 8
BUTTON: Final = 1
PUSH: Final = 0x83
STATUS: Final = 0x42


def paint(colour: Colour) -> bytes:
    """The output report that gives all LEDs this colour."""
    red, green, blue = (255 * part for part in colour.value)
    return bytes((0x01, 0xFF, red, green, blue, 0, 0, 0))


def meaning(report: bytes) -> tuple[ButtonPress | Rejected, ...]:
    """What an input report says."""
    if report[:1] == bytes((STATUS,)):
        return ()
    if len(report) < 2:
        return (rejected(Reason.TOO_SHORT, "report of the light", report),)
    if report[0] != PUSH or report[1] > 1:
        return (rejected(Reason.IMPOSSIBLE_VALUE, "report of the light", report),)
    return (ButtonPress(BUTTON, report[1] == 0),)


class Luxafor:
    """The lamp. It speaks of its button by itself."""

    poll_ns: int | None = None

    def paint(self, colour: Colour) -> bytes:
        return reports.encode(reports.OUTPUT, paint(colour))

    def ask(self) -> bytes:
        return b""

    def heard(self, record: reports.Report) -> tuple[ButtonPress | Rejected, ...]:
        return meaning(record.data)


decode: Final = partial(decode_inputs, meaning, LENGTH)
"""What input reports mean, of eight bytes each."""

DRIVER: Final = Driver(
    name="luxafor",
    title="Luxafor Flag and Mute signal lights (USB)",
    trust="logged traffic",
    source="reports in programs of others: busylight-core 2.5.0, pyluxa4",
    tested="an emulated light below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x04D8, 0xF372),), interface=(3, None, None), form="reports"),
    session=lambda options: LightSession(Luxafor(), bool(options["breathes"])),
    options={"breathes": BREATHES},
    antennas=(),
    stale_after_s=4.0,
    decode=decode,
    shows=True,
)
