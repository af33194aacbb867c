"""ThingM blink(1) (USB HID 27B8:01ED) as a table's signal light.

    feature report 1     01 63 RR GG BB TH TL LL 00     fade to a colour within TH TL hundredths of a second, all LEDs (LL 00)

Source: blink1 1.1.0, the maker's own library. Never tried on a light of ours.
"""

from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Rejected, UsbPort, reports
from tablebridge.sdk.lights import Colour, LightSession

FADE: Final = 10
"""Hundredths of a second: short enough to blink."""


def fade(colour: Colour, hundredths: int) -> bytes:
    """The feature report."""
    red, green, blue = (255 * part for part in colour.value)
    return bytes((0x01, ord("c"), red, green, blue)) + hundredths.to_bytes(2, "big") + bytes(2)


class Blink1:
    """The lamp."""

    poll_ns: int | None = None

    def paint(self, colour: Colour) -> bytes:
        return reports.encode(reports.FEATURE, fade(colour, FADE))

    def ask(self) -> bytes:
        return b""

    def heard(self, record: reports.Report) -> tuple[ButtonPress | Rejected, ...]:
        return ()


DRIVER: Final = Driver(
    name="blink1",
    title="ThingM blink(1) signal light (USB)",
    trust="vendor document",
    source="the maker's library blink1 1.1.0",
    tested="an emulated light below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x27B8, 0x01ED),), interface=(3, None, None), form="reports", numbered=True),
    session=lambda options: LightSession(Blink1()),
    antennas=(),
    stale_after_s=4.0,
    shows=True,
)
