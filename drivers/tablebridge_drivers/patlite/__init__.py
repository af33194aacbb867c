"""Patlite signal lights over USB: the tower LR6-USB (191A:8003) and the lamp NE-USB with its touch sensor
(191A:6001).

    LR6-USB, output report   00 00 0B TT RY GB C0 00     a nibble for each light: 0 off, 1 on, F as it is;
                                                         B buzzer: 0 off, 1 to 5 patterns, 8 as it is;
                                                         TT tones, FF as they are
    NE-USB, output report    00 00 0B 0V CP 00 00 00     C colour: 1 red, 2 green, 3 yellow, 4 blue, 7 white;
                                                         P 0 off, 1 on; B as above; V volume, F as it is
    NE-USB, ask              00 80 00 00 00 00 00 00
    NE-USB, input report     xx TT                       the answer, two bytes; bit 0 of TT: touched

Source: the vendor's sample program for the NE-USB (PATLITE-Corporation/NE-USB_linux_cpp_example,
src/main.cpp: `RECV_BUFFER_SIZE`, `GetTouchSensorState`); drivers for ROS (sr_hazard_light; PatliteNode, which
saw 01 and 11). Never tried on a light of ours.
"""

from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Option, Options, Reading, Reason, Rejected, UsbPort, reports
from tablebridge.sdk.framing import rejected
from tablebridge.sdk.lights import BREATHES, Colour, LightSession, decode_inputs

LENGTH: Final = 2
LENGTH_OF_HOST: Final = 8
TOUCH: Final = 1
STATES: Final = frozenset({0x00, 0x01, 0x10, 0x11})
"""What the lamp says of its sensor. Bit 0: it is touched."""
ASK: Final = bytes.fromhex("0080000000000000")
POLL_NS: Final = 50_000_000
KEEP: Final = 0x08
NE_COLOURS: Final = {
    Colour.DARK: 0,
    Colour.RED: 1,
    Colour.GREEN: 2,
    Colour.YELLOW: 3,
    Colour.BLUE: 4,
    Colour.WHITE: 7,
}


def paint_lr6(colour: Colour, clear: bool = False, buzzer: int = KEEP) -> bytes:
    """The output report: one light of the tower on, all others off. `clear`: the tower has a clear light,
    which shows white; all lights of one that has none do.
    """
    every = colour is Colour.WHITE and not clear
    red, yellow, green, blue, white = (
        int(every or colour is lit)
        for lit in (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.WHITE)
    )
    return bytes((0, 0, buzzer, 0xFF, red << 4 | yellow, green << 4 | blue, white << 4, 0))


def paint_ne(colour: Colour, buzzer: int = KEEP) -> bytes:
    """The output report: the lamp in this colour, or off."""
    return bytes((0, 0, buzzer, 0x0F, NE_COLOURS[colour] << 4 | (colour is not Colour.DARK), 0, 0, 0))


def _of_host(report: bytes) -> bool:
    """Whether it is an output report: of eight bytes, with a buzzer that is not 00, or the question."""
    return len(report) == LENGTH_OF_HOST and (report == ASK or (report[:2] == bytes(2) and report[2] != 0x00))


def meaning(report: bytes) -> tuple[ButtonPress | Rejected, ...]:
    """The touch sensor, from an input report of an NE-USB."""
    if len(report) < LENGTH:
        return (rejected(Reason.TOO_SHORT, "report of the lamp", report),)
    if _of_host(report):
        return (rejected(Reason.UNEXPECTED, "a report of the host, not of the lamp", report),)
    if report[1] not in STATES:
        return (rejected(Reason.IMPOSSIBLE_VALUE, f"touch state {report[1]:02X}", report),)
    return (ButtonPress(TOUCH, bool(report[1] & 1)),)


class Patlite:
    """The lamp, either model."""

    def __init__(self, options: Options) -> None:
        self._tower = options["model"] == "lr6"
        self._clear = bool(options["clear"])
        self.poll_ns = POLL_NS if options["model"] == "ne" and options["touch"] else None

    def paint(self, colour: Colour) -> bytes:
        report = paint_lr6(colour, self._clear) if self._tower else paint_ne(colour)
        return reports.encode(reports.OUTPUT, report)

    def ask(self) -> bytes:
        return reports.encode(reports.OUTPUT, ASK)

    def heard(self, record: reports.Report) -> tuple[ButtonPress | Rejected, ...]:
        return meaning(record.data)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What input reports of an NE-USB mean, of two bytes each; output reports before them are the host's."""
    found: list[Reading | Rejected] = []
    while _of_host(data[:LENGTH_OF_HOST]):
        found += meaning(data[:LENGTH_OF_HOST])
        data = data[LENGTH_OF_HOST:]
    return (*found, *decode_inputs(meaning, LENGTH, data))


DRIVER: Final = Driver(
    name="patlite",
    title="Patlite signal lights LR6-USB and NE-USB",
    trust="logged traffic",
    source="the vendor's sample program for the NE-USB; reports in programs of others: sr_hazard_light, "
    "PatliteNode (ROS)",
    tested="emulated lights below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x191A, 0x8003), (0x191A, 0x6001)), interface=(3, None, None), form="reports"),
    session=lambda options: LightSession(Patlite(options), bool(options["breathes"])),
    options={
        "breathes": BREATHES,
        "model": Option(
            "lr6", "which light it is: the tower LR6-USB or the lamp NE-USB", choices=("lr6", "ne")
        ),
        "clear": Option(
            False, "the tower LR6-USB has a clear light; without it all lights together are white"
        ),
        "touch": Option(True, "the lamp NE-USB has a touch sensor: contact 1"),
    },
    antennas=(),
    stale_after_s=4.0,
    decode=decode,
    emulation="published",
    shows=True,
)
