"""Delcom 904x visual indicators (USB HID 0FC5:B080) as a table's signal light; some have a button.

    feature report 101    65 0C LO HI 00 00 00 00     port 1: pins in LO pulled low (LED on), pins in HI set
                                                      high (LED off); low wins; bit 0 green, bit 1 red,
                                                      bit 2 blue or yellow, as the model has it;
                                                      white is all three
    feature report 100    PP …                        port 0: bit 0 is low while the button is pressed

Source: delcom904x 0.5.0, which its author tried on a 904007; Delcom's own DelcomLinux.c (the answer begins
with port 0); a library that quotes Delcom's data sheet USBIOHID ("the internal switch is mapped to port 0 pin
0"). On a light without a switch that pin is nobody's, so the button is off unless the option asks for it.
Never tried on a light of ours.
"""

from functools import partial
from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Option, Options, Reason, Rejected, UsbPort, reports
from tablebridge.sdk.framing import rejected
from tablebridge.sdk.lights import BREATHES, Colour, LightSession, decode_inputs

LENGTH: Final = 8
PORTS: Final = 100
BUTTON: Final = 1
POLL_NS: Final = 50_000_000
PAINT: Final = b"\x65\x0c"
GREEN, RED, THIRD = 1, 2, 4


def paint(colour: Colour, third: str) -> bytes:
    """The feature report. `third`: what the LED on bit 2 is, "blue" or "yellow"."""
    lit = {
        Colour.DARK: 0,
        Colour.GREEN: GREEN,
        Colour.RED: RED,
        Colour.YELLOW: THIRD if third == "yellow" else GREEN | RED,
        Colour.BLUE: THIRD if third == "blue" else 0,
        Colour.WHITE: GREEN | RED | THIRD,
    }[colour]
    return PAINT + bytes((lit, 0xFF, 0, 0, 0, 0))


def meaning(report: bytes) -> tuple[ButtonPress | Rejected, ...]:
    """The button, from feature report 100."""
    if len(report) != LENGTH:
        return (
            rejected(
                Reason.TOO_SHORT if len(report) < LENGTH else Reason.TOO_LONG, "report of the ports", report
            ),
        )
    if report[:2] == PAINT:
        return (rejected(Reason.UNEXPECTED, "a report of the host, not of the light", report),)
    return (ButtonPress(BUTTON, not report[0] & 1),)


class Delcom:
    """The lamp."""

    def __init__(self, options: Options) -> None:
        self.poll_ns = POLL_NS if options["button"] else None
        self._third = str(options["third"])

    def paint(self, colour: Colour) -> bytes:
        return reports.encode(reports.FEATURE, paint(colour, self._third))

    def ask(self) -> bytes:
        return reports.get(PORTS, LENGTH)

    def heard(self, record: reports.Report) -> tuple[ButtonPress | Rejected, ...]:
        return meaning(record.data) if record.kind == reports.GET else ()


decode: Final = partial(decode_inputs, meaning, LENGTH)
"""What feature report 100 means, eight bytes each time."""

DRIVER: Final = Driver(
    name="delcom",
    title="Delcom 904x signal lights, with or without a button (USB)",
    trust="logged traffic",
    source="reports in programs of others: delcom904x 0.5.0; Delcom's own DelcomLinux.c",
    tested="an emulated light below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x0FC5, 0xB080),), interface=(3, None, None), form="reports", numbered=True),
    session=lambda options: LightSession(Delcom(options), bool(options["breathes"])),
    options={
        "breathes": BREATHES,
        "third": Option("blue", "colour of the third LED", choices=("blue", "yellow")),
        "button": Option(False, "the light has a button: contact 1"),
    },
    antennas=(),
    stale_after_s=4.0,
    decode=decode,
    shows=True,
)
