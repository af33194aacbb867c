"""Dream Cheeky Big Red Button (USB HID 1D34:000D): a large button under a lid, as an all-in button or to call
the floor.

    asked by an output report     00 00 00 00 00 00 00 02
    answered by an input report   SS 00 00 00 00 00 00 03

    SS  14 the lid is closed and the button is pressed
        15 the lid is closed
        16 the lid is open and the button is pressed
        17 the lid is open

So bit 0 is 0 while the button is pressed, and bit 1 is 1 while the lid is open. Any other value is rejected
and changes nothing.

Contact 1 is the button, contact 2 the lid (pressed: it is open).

Source: what programs that drive this button send and receive: fidian/bonkers (bonkers.c lists all four
answers and their last byte), PyDreamCheeky, BigRedButton.js. There is no vendor's document, and it was never
tried on a button of ours.
"""

from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Option, Options, Reading, Reason, Rejected, UsbPort, reports
from tablebridge.sdk.conversations.polling import MS, Polling
from tablebridge.sdk.framing import rejected

ASK: Final = bytes.fromhex("0000000000000002")
LENGTH: Final = 8
STATES: Final = {0x14: (True, False), 0x15: (False, False), 0x16: (True, True), 0x17: (False, True)}
"""Status byte: whether the button is pressed, whether the lid is open."""
BUTTON: Final = 1
LID: Final = 2
ANSWER_NS: Final = 300 * MS


def meaning(report: bytes) -> tuple[ButtonPress, ButtonPress] | Rejected:
    """Button and lid, from one input report."""
    if len(report) != LENGTH:
        return rejected(
            Reason.TOO_SHORT if len(report) < LENGTH else Reason.TOO_LONG, "report of the button", report
        )
    if report[0] not in STATES:
        return rejected(Reason.IMPOSSIBLE_VALUE, f"status {report[0]:02X}", report)
    pressed, open_ = STATES[report[0]]
    return ButtonPress(BUTTON, pressed), ButtonPress(LID, open_)


class ButtonSession(Polling[reports.Report]):
    """Asks again and again; reports each contact at first and when it changes. Any input report is an
    answer.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(
            reports.Reports(), reports.encode(reports.OUTPUT, ASK), ANSWER_NS, "no answer of the button"
        )
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._contacts: dict[int, ButtonPress] = {}

    def heard(self, record: reports.Report, now_ns: int) -> None:
        if record.kind == reports.REFUSED:
            self.reject(Reason.UNEXPECTED, "a transfer was refused or damaged")
        if record.kind != reports.INPUT:
            return
        said = meaning(record.data)
        if isinstance(said, Rejected):
            self.report(said)
            return
        self.answered(now_ns + self._poll_ns)
        self.prove_alive()
        for press in said:
            if self._contacts.get(press.contact) != press:
                self._contacts[press.contact] = press
                self.report(press)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What input reports mean, of eight bytes each."""
    found: list[Reading | Rejected] = []
    for report in reports.inputs(data, LENGTH):
        said = meaning(report)
        found.extend((said,) if isinstance(said, Rejected) else said)
    return tuple(found)


DRIVER: Final = Driver(
    name="big-red-button",
    title="Dream Cheeky Big Red Button (USB)",
    trust="logged traffic",
    source="reports in programs of others: fidian/bonkers, PyDreamCheeky 1.0.0b2, BigRedButton.js",
    tested="an emulated button below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x1D34, 0x000D),), interface=(3, None, None), form="reports"),
    session=ButtonSession,
    options={"poll_interval_ms": Option(30, "pause between two questions", lowest=5, highest=1000)},
    antennas=(),
    stale_after_s=1.0,
    decode=decode,
    emulation="published",
)
