"""Buttons wired to the modem lines of a serial port: the most robust button there is.

    from DTR or RTS, which are raised, over the button to
    CTS contact 1    DSR contact 2    RI contact 3    CD contact 4

    the session sends     a byte: bit 0 DTR, bit 1 RTS
    and is answered by    a byte: bit 0 CTS, bit 1 DSR, bit 2 RI, bit 3 CD

CTS and DSR are best: many USB adapters report RI badly. A broken wire looks like an open contact. With
`normally_closed` the button opens the contact, and one that stays open for longer than `open_s` is reported
as a fault: that is a broken wire, not a long press. Opening the port may raise the lines for a moment.

Source: RS-232 and pyserial's lines. Tried on emulated modem lines below pyserial; never on a port of ours.
"""

from typing import Final

from tablebridge.sdk import (
    ButtonPress,
    DeviceStatus,
    Driver,
    Option,
    Options,
    Reading,
    Reason,
    Rejected,
    SerialPort,
)
from tablebridge.sdk.conversations.polling import MS, Polling
from tablebridge.sdk.framing import Frames, rejected

CONTACTS: Final = (1, 2, 3, 4)
LINES: Final = ("CTS", "DSR", "RI", "CD")
OUTPUTS: Final = {"dtr": 1, "rts": 2, "both": 3}
ANSWER_NS: Final = 500 * MS


def closed(inputs: int) -> frozenset[int] | Rejected:
    """Contacts whose lines are up, from a byte of the inputs."""
    if inputs > 0x0F:
        return rejected(Reason.IMPOSSIBLE_VALUE, "lines that do not exist", bytes((inputs,)))
    return frozenset(contact for contact in CONTACTS if inputs >> contact - 1 & 1)


class ContactSession(Polling[bytes]):
    """Looks at the lines again and again, and believes one that has been the same for `debounce_ms`.

    Theory. A contact bounces for some milliseconds when it moves. Each change begins its time again; what
    lasts is reported. At first every contact that the option `lines` names is reported as it is. A press is
    reported again only after a release, by construction. Each question is answered by one byte; a byte that
    comes in the idle state is rejected.
    """

    def __init__(self, options: Options) -> None:
        # Each byte is a whole answer.
        each_byte = Frames(lambda buffer, at: 1, lambda frame: True)
        question = bytes((OUTPUTS[str(options["outputs"])],))
        super().__init__(each_byte, question, ANSWER_NS, "the lines cannot be read")
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._debounce_ns = int(options["debounce_ms"]) * MS
        self._inverted = bool(options["normally_closed"])
        self._open_ns = int(float(options["open_s"]) * 1000) * MS
        self._contacts = CONTACTS[: int(options["lines"])]
        self._seen: dict[int, bool] = {}
        self._since_ns: dict[int, int] = {}
        self._reported: dict[int, bool] = {}
        self._broken: set[int] = set()

    def heard(self, inputs: bytes, now_ns: int) -> None:
        up = closed(inputs[0])
        if not self.waiting:
            self.reject(Reason.UNEXPECTED, "lines that nobody asked for", inputs)
        elif isinstance(up, Rejected):
            self.report(up)
        else:
            self.answered(now_ns + self._poll_ns)
            self.prove_alive()
            for contact in self._contacts:
                self._contact(contact, (contact in up) is not self._inverted, now_ns)

    def _contact(self, contact: int, pressed: bool, now_ns: int) -> None:
        if self._seen.get(contact) is not pressed:
            self._seen[contact], self._since_ns[contact] = pressed, now_ns
        lasts_ns = now_ns - self._since_ns[contact]
        if lasts_ns < self._debounce_ns:
            return
        if self._reported.get(contact) is not pressed:
            self._reported[contact] = pressed
            self.report(ButtonPress(contact, pressed))
        name = f"contact {contact} ({LINES[contact - 1]})"
        if self._inverted and pressed and lasts_ns >= self._open_ns and contact not in self._broken:
            self._broken.add(contact)
            self.report(DeviceStatus("degraded", f"{name} stays open: look at its wire"))
        elif not pressed and contact in self._broken:
            self._broken.discard(contact)
            self.report(DeviceStatus("ok", f"{name} closes again"))


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What bytes of the inputs mean, one behind the other, debounced and inverted in no way."""
    found: list[Reading | Rejected] = []
    before: frozenset[int] = frozenset()
    for inputs in data:
        up = closed(inputs)
        if isinstance(up, Rejected):
            found.append(up)
            continue
        found += [ButtonPress(contact, contact in up) for contact in sorted(up ^ before)]
        before = up
    return tuple(found)


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=9600, contacts=True)


DRIVER: Final = Driver(
    name="serial-contact",
    title="Buttons on the modem lines of a serial port",
    trust="vendor document",
    source="RS-232: DTR and RTS as outputs, CTS, DSR, RI and CD as inputs",
    tested="emulated modem lines below pyserial; never on hardware of ours",
    port=_port,
    session=ContactSession,
    options={
        "outputs": Option("both", "the lines that feed the contacts", choices=("dtr", "rts", "both")),
        "lines": Option(
            4, "number of the contacts CTS, DSR, RI, CD that are wired, in this order", lowest=1, highest=4
        ),
        "poll_interval_ms": Option(15, "pause between two looks at the lines", lowest=5, highest=1000),
        "debounce_ms": Option(
            25, "a contact is believed when it has been the same for so long", lowest=0, highest=1000
        ),
        "normally_closed": Option(False, "the button opens the contact, so that a broken wire is noticed"),
        "open_s": Option(
            30.0,
            "with normally_closed: open for longer than this is a broken wire",
            lowest=1.0,
            highest=3600.0,
        ),
    },
    antennas=(),
    stale_after_s=2.0,
    decode=decode,
)
