"""ThingM blink(1) (USB HID 27B8:01ED) as a table's signal light.

    feature report 1     01 63 RR GG BB TH TL LL 00     fade to a colour within TH TL hundredths of a second,
                                                        all LEDs (LL 00)
    and as an answer     nn 76 xx M N …                 its firmware, M and N digits; nn is 01, of a mk2 00

Source: blink1 1.1.0, the maker's own library; an answer that the maker logged (todbot/hidapitester, notes on
blink(1)); todbot/blink1 issue 88 on the mk2's first byte. Never tried on a light of ours.
"""

from typing import Final

from tablebridge.sdk import ButtonPress, DeviceStatus, Driver, Reading, Reason, Rejected, UsbPort, reports
from tablebridge.sdk.framing import rejected
from tablebridge.sdk.lights import BREATHES, Colour, LightSession

LENGTH: Final = 9
NUMBERS: Final = (0, 1)
VERSION: Final = ord("v")
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


def meaning(report: bytes) -> Reading | Rejected:
    """What the light's feature report 1 says: it holds nothing but its firmware."""
    if len(report) != LENGTH:
        return rejected(
            Reason.TOO_SHORT if len(report) < LENGTH else Reason.TOO_LONG, "report of the light", report
        )
    if report[0] not in NUMBERS:
        return rejected(Reason.UNKNOWN_TYPE, f"report {report[0]:02X}", report)
    if report[1] != VERSION:
        return rejected(Reason.UNEXPECTED, "a report of the host, not of the light", report)
    digits = report[3:5].decode("ascii", "replace")
    if not (digits.isascii() and digits.isdigit()):
        return rejected(Reason.IMPOSSIBLE_VALUE, "a firmware that is no number", report)
    return DeviceStatus("identified", f"ThingM blink(1), firmware {digits}")


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What feature report 1 means, nine bytes each time."""
    return tuple(meaning(report) for report in reports.inputs(data, LENGTH))


DRIVER: Final = Driver(
    name="blink1",
    title="ThingM blink(1) signal light (USB)",
    trust="vendor document",
    source="the maker's library blink1 1.1.0, and its notes on hidapitester",
    tested="an answer that the maker logged, and an emulated light below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x27B8, 0x01ED),), interface=(3, None, None), form="reports", numbered=True),
    session=lambda options: LightSession(Blink1(), bool(options["breathes"])),
    options={"breathes": BREATHES},
    antennas=(),
    stale_after_s=4.0,
    decode=decode,
    emulation="published",
    shows=True,
)
