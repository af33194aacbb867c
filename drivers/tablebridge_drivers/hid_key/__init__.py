"""USB keyboards, number pads and foot switches: each key is a contact, by its HID usage number.

    input report     MM 00 K1 K2 K3 K4 K5 K6

    MM  modifiers, a bit each: contacts 224 (left control) to 231
    K   usage numbers of the keys that are down, 00 for none: contacts 4 to 221

    4 to 29 a-z         30 to 39 1-9, 0               40 Enter             44 space
    58 to 69 F1-F12     89 to 98 number pad 1-9, 0    104 to 115 F13-F24

Six times 01 (more keys than it can name), 02 and 03 are the keyboard's own faults: they change nothing. While
the driver has it, no key reaches the desktop. A keyboard speaks only when a key moves, so its lamps are set
every second: that it answers, even by refusing, proves that it is there.

Source: USB HID 1.11, appendix B (boot keyboard) and the HID usage tables; numbers of PCsensor and Scythe foot
switches from rgerganov/footswitch. It was never tried on a keyboard of ours.
"""

from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Options, Reading, Reason, Rejected, UsbPort, reports
from tablebridge.sdk.conversations.polling import MS, Polling
from tablebridge.sdk.framing import rejected

FOOT_SWITCHES: Final = frozenset({(0x0C45, 0x7403), (0x0C45, 0x7404), (0x1A86, 0xE026), (0x0426, 0x3011)})
"""Those to which the rules for udev give the right. Not 413d:2107, which thermometers of PCsensor have, too.
"""
LENGTH: Final = 8
MODIFIERS: Final = 224
LAST: Final = 221
FAULTS: Final = {1: "more keys than the keyboard can tell", 2: "self-test failed", 3: "undefined error"}
LAMPS: Final = b"\x00"
ASK_NS: Final = 1000 * MS
SILENCE_NS: Final = 1500 * MS


def keys(report: bytes) -> frozenset[int] | Rejected:
    """Contacts that are down, from one input report."""
    if len(report) != LENGTH:
        return rejected(
            Reason.TOO_SHORT if len(report) < LENGTH else Reason.TOO_LONG, "report of the keyboard", report
        )
    down = set(report[2:]) - {0}
    for fault in sorted(down & FAULTS.keys()):
        return rejected(Reason.UNEXPECTED, FAULTS[fault], report)
    if report[1] or any(key > LAST for key in down):
        return rejected(Reason.IMPOSSIBLE_VALUE, "no keyboard has such a key", report)
    return frozenset(down) | {MODIFIERS + bit for bit in range(8) if report[0] >> bit & 1}


def changes(before: frozenset[int], after: frozenset[int]) -> tuple[ButtonPress, ...]:
    """What moved: releases first, each in the order of its numbers."""
    return (
        *(ButtonPress(key, False) for key in sorted(before - after)),
        *(ButtonPress(key, True) for key in sorted(after - before)),
    )


class KeySession(Polling[reports.Report]):
    """Listens, and sets the lamps once per second. What a key does is reported in either state and changes
    none.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(
            reports.Reports(), reports.encode(reports.OUTPUT, LAMPS), SILENCE_NS, "no answer of the keyboard"
        )
        self._down: frozenset[int] = frozenset()

    def heard(self, record: reports.Report, now_ns: int) -> None:
        if record.kind in (reports.TAKEN, reports.REFUSED):
            self.answered(now_ns + ASK_NS)
            self.prove_alive()
        if record.kind != reports.INPUT:
            return
        down = keys(record.data)
        if isinstance(down, Rejected):
            self.report(down)
            return
        before, self._down = self._down, down
        self.prove_alive()
        for press in changes(before, down):
            self.report(press)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What input reports mean, of eight bytes each, beginning with no key down."""
    found: list[Reading | Rejected] = []
    before: frozenset[int] = frozenset()
    for report in reports.inputs(data, LENGTH):
        down = keys(report)
        if isinstance(down, Rejected):
            found.append(down)
        else:
            found += changes(before, down)
            before = down
    return tuple(found)


DRIVER: Final = Driver(
    name="hid-key",
    title="Keyboards, number pads and foot switches (USB)",
    trust="vendor document",
    source="USB HID 1.11, appendix B; HID usage tables",
    tested="an emulated keyboard below libusb; never on hardware of ours",
    usb=UsbPort(ids=(), interface=(3, 1, 1), form="reports"),
    session=KeySession,
    antennas=(),
    stale_after_s=4.0,
    decode=decode,
)
