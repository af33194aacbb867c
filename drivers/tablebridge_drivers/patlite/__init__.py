"""Patlite signal lights over USB: the tower LR6-USB (191A:8003) and the lamp NE-USB with its touch sensor
(191A:6001).

    LR6-USB, output report   00 00 0B TT RY GB C0 00     a nibble for each light: 0 off, 1 on, F as it is;
                                                         B buzzer: 0 off, 1 to 5 patterns, 8 as it is;
                                                         TT tones, FF as they are
    NE-USB, output report    00 00 0B 0V CP 00 00 00     C colour: 1 red, 2 green, 3 yellow, 4 blue;
                                                         P 0 off, 1 on; B as above; V volume, F as it is
    NE-USB, ask              00 80 00 00 00 00 00 00
    NE-USB, input report     xx TT …                     the answer; TT 01 or 11: touched

Source: drivers for ROS (sr_hazard_light, PatliteNode); nothing of the vendor's. That NE-USB lamps answer 00
while nobody touches them is our reading. Never tried on a light of ours.
"""

from functools import partial
from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Option, Options, Reason, Rejected, UsbPort, reports
from tablebridge.sdk.framing import rejected
from tablebridge.sdk.lights import Colour, LightSession, decode_inputs

LENGTH: Final = 8
TOUCH: Final = 1
TOUCHED: Final = frozenset({0x01, 0x11})
ASK: Final = bytes.fromhex("0080000000000000")
POLL_NS: Final = 50_000_000
KEEP: Final = 0x08
NE_COLOURS: Final = {Colour.DARK: 0, Colour.RED: 1, Colour.GREEN: 2, Colour.YELLOW: 3, Colour.BLUE: 4}


def paint_lr6(colour: Colour, buzzer: int = KEEP) -> bytes:
    """The output report: one light of the tower on, all others off."""
    red, yellow, green, blue = (
        int(colour is lit) for lit in (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE)
    )
    return bytes((0, 0, buzzer, 0xFF, red << 4 | yellow, green << 4 | blue, 0, 0))


def paint_ne(colour: Colour, buzzer: int = KEEP) -> bytes:
    """The output report: the lamp in this colour, or off."""
    return bytes((0, 0, buzzer, 0x0F, NE_COLOURS[colour] << 4 | (colour is not Colour.DARK), 0, 0, 0))


def _of_host(report: bytes) -> bool:
    """Whether it is an output report, by the buzzer, tones or volume that it leaves as they are."""
    return report[:2] == bytes(2) and report[2:4] in (bytes((KEEP, 0xFF)), bytes((KEEP, 0x0F)))


def meaning(report: bytes) -> tuple[ButtonPress | Rejected, ...]:
    """The touch sensor, from an input report of an NE-USB."""
    if len(report) < 2:
        return (rejected(Reason.TOO_SHORT, "report of the lamp", report),)
    if _of_host(report):
        return (rejected(Reason.UNEXPECTED, "a report of the host, not of the lamp", report),)
    if report[1] not in TOUCHED | {0x00, 0x10}:
        return (rejected(Reason.IMPOSSIBLE_VALUE, f"touch state {report[1]:02X}", report),)
    return (ButtonPress(TOUCH, report[1] in TOUCHED),)


class Patlite:
    """The lamp, either model."""

    def __init__(self, options: Options) -> None:
        self._paint = paint_lr6 if options["model"] == "lr6" else paint_ne
        self.poll_ns = POLL_NS if options["model"] == "ne" and options["touch"] else None

    def paint(self, colour: Colour) -> bytes:
        return reports.encode(reports.OUTPUT, self._paint(colour))

    def ask(self) -> bytes:
        return reports.encode(reports.OUTPUT, ASK)

    def heard(self, record: reports.Report) -> tuple[ButtonPress | Rejected, ...]:
        return meaning(record.data)


decode: Final = partial(decode_inputs, meaning, LENGTH)
"""What input reports of an NE-USB mean, of eight bytes each."""

DRIVER: Final = Driver(
    name="patlite",
    title="Patlite signal lights LR6-USB and NE-USB",
    trust="logged traffic",
    source="reports in programs of others: sr_hazard_light, PatliteNode (ROS)",
    tested="emulated lights below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x191A, 0x8003), (0x191A, 0x6001)), interface=(3, None, None), form="reports"),
    session=lambda options: LightSession(Patlite(options)),
    options={
        "model": Option(
            "lr6", "which light it is: the tower LR6-USB or the lamp NE-USB", choices=("lr6", "ne")
        ),
        "touch": Option(True, "the lamp NE-USB has a touch sensor: contact 1"),
    },
    antennas=(),
    stale_after_s=4.0,
    decode=decode,
    shows=True,
)
