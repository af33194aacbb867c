"""Dream Cheeky Big Red Button (USB HID 1D34:000D): a large button under a lid, as an all-in button or to call the floor.

    asked by an output report     00 00 00 00 00 00 00 02
    answered by an input report   SS xx xx xx xx xx xx xx      SS  15 the lid is closed
                                                                   17 the lid is open
                                                                   16 the lid is open and the button is pressed

The meaning of bit 1 (lid) and bit 0 (0: pressed) is read off these three values. Any other value is rejected and changes
nothing; 14 would be a button pressed under a closed lid, which cannot be.

Contact 1 is the button, contact 2 the lid (pressed: it is open).

Source: what programs that drive this button send and receive (PyDreamCheeky; BigRedButton.js). There is no vendor's document,
and it was never tried on a button of ours.
"""

from typing import Final

from tablebridge.sdk import ButtonPress, Driver, Instant, Option, Options, Reading, Reason, Rejected, Turn, UsbPort, reports
from tablebridge.sdk.framing import rejected

ASK: Final = bytes.fromhex("0000000000000002")
LENGTH: Final = 8
STATES: Final = {0x15: (False, False), 0x17: (False, True), 0x16: (True, True)}
"""Status byte: whether the button is pressed, whether the lid is open."""
BUTTON: Final = 1
LID: Final = 2
ANSWER_NS: Final = 300_000_000


def meaning(report: bytes) -> tuple[ButtonPress, ButtonPress] | Rejected:
    """Button and lid, from one input report."""
    if len(report) != LENGTH:
        return rejected(Reason.TOO_SHORT if len(report) < LENGTH else Reason.TOO_LONG, "report of the button", report)
    if report[0] not in STATES:
        return rejected(Reason.IMPOSSIBLE_VALUE, f"status {report[0]:02X}", report)
    pressed, open_ = STATES[report[0]]
    return ButtonPress(BUTTON, pressed), ButtonPress(LID, open_)


class ButtonSession:
    """Asks again and again; tells each contact at first and when it changes.

    state      due                                an input report comes
    waiting    count a timeout, ask: waiting      idle
    idle       ask: waiting                       read all the same
    """

    def __init__(self, options: Options) -> None:
        self._poll_ns = int(options["poll_interval_ms"]) * 1_000_000
        self._reports = reports.Reports()
        self._waiting = False
        self._at_ns = 0
        self._told: dict[int, ButtonPress] = {}

    def start(self, now: Instant) -> Turn:
        return self._ask(now)

    def received(self, data: bytes, now: Instant) -> Turn:
        readings: list[Reading] = []
        faults: list[Rejected] = []
        alive = False
        for record in self._reports.feed(data):
            if isinstance(record, Rejected):
                faults.append(record)
            elif record.kind == reports.REFUSED:
                faults.append(Rejected(Reason.UNEXPECTED, "a transfer was refused or damaged"))
            elif record.kind == reports.INPUT:
                told = meaning(record.data)
                if isinstance(told, Rejected):
                    faults.append(told)
                    continue
                alive = True
                self._waiting = False
                self._at_ns = now.monotonic_ns + self._poll_ns
                for press in told:
                    if self._told.get(press.contact) != press:
                        self._told[press.contact] = press
                        readings.append(press)
        return Turn(tuple(readings), tuple(faults), b"", self._at_ns, alive)

    def due(self, now: Instant) -> Turn:
        if now.monotonic_ns < self._at_ns:
            return Turn(wake_ns=self._at_ns)
        late = (Rejected(Reason.TIMEOUT, "no answer of the button"),) if self._waiting else ()
        turn = self._ask(now)
        return Turn(rejected=late, send=turn.send, wake_ns=turn.wake_ns)

    def _ask(self, now: Instant) -> Turn:
        self._waiting = True
        self._at_ns = now.monotonic_ns + ANSWER_NS
        return Turn(send=reports.encode(reports.OUTPUT, ASK), wake_ns=self._at_ns)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What input reports mean, of eight bytes each."""
    found: list[Reading | Rejected] = []
    for report in reports.inputs(data, LENGTH):
        told = meaning(report)
        found.extend((told,) if isinstance(told, Rejected) else told)
    return tuple(found)


DRIVER: Final = Driver(
    name="big-red-button",
    title="Dream Cheeky Big Red Button (USB)",
    trust="logged traffic",
    source="reports in programs of others: PyDreamCheeky 1.0.0b2, BigRedButton.js",
    tested="an emulated button below libusb; never on hardware of ours",
    usb=UsbPort(ids=((0x1D34, 0x000D),), interface=(3, None, None), form="reports"),
    session=ButtonSession,
    options={"poll_interval_ms": Option(30, "pause between two questions", lowest=5, highest=1000)},
    antennas=(),
    stale_after_s=1.0,
    decode=decode,
)
