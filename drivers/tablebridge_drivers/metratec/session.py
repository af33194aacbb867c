"""The conversation with a metraTec reader of the ASCII dialect (QuasarLR, QuasarMX, DeskID ISO, Dwarf15,
QR15).

Theory. A reader may have been left in continuous mode, in CRC mode or asleep by whoever used it before, so
the beginning is made to work from any of these. CRC mode is then switched on, unless the site says otherwise:
without it a flipped bit can turn one UID into another. An answer ends with the line that the command has to
end with, or with a refusal; in end-of-frame mode the reader also marks the end by LF, so that an answer
whose last line was lost is asked for again at once.

Ports are counted from 0. Several antennas are visited in one of two ways. "manual": the host selects a port
before each inventory; a port that is refused is a fault of that antenna, and the next one's turn comes.
"automatic": the reader itself goes on to the next port after each inventory, and its antenna report, not a
count of ours, says which it was; an inventory without a report is nobody's and rejected.

Input pins say nothing until the reader has a command for their edges: it then prints the pin and what it
reads there. In CRC mode the stored command carries a CRC of its own. A reader without pins refuses.

    step      command        answer                             next step
    BREAK     BRK            BRA, NCM                           END
                             CCE: CRC mode was left on          BREAK, with CRC; another refusal: without
                             none                               WAKE
    WAKE      WAK            GMO, DNS                           BREAK
    END       EOF            OK!                                CRC
    CRC       CON or COF     OK!                                NAME
    NAME      RFW            name and version                   NUMBER
                             UCO: older firmware                OLD_NAME
    OLD_NAME  REV            name and versions                  NUMBER
    NUMBER    RSN            its own number, or a refusal       PIN_0 (left out without `board`)
    PIN_0     EGC 0 #SPIN0#RIP 0           OK!                  EDGE_0
              or SEC COMM 0 #SPIN0#RIP 0   refused: the other form, then STANDARD
    EDGE_0    EGC 0 BOTH or SEC EDGE 0 BOTH   any               PIN_1
    PIN_1, EDGE_1            the same of pin 1                  STANDARD
    STANDARD  MOD 156        OK!, or a refusal: status          FIELD
    FIELD     SRI SS 100     OK!                                REPORT (with one antenna: INVENTORY)
    REPORT    SAP ARP ON     OK!                                MULTIPLEX (manual: PORT)
    MULTIPLEX SAP AUT n      OK!                                INVENTORY
    PORT      SAP MAN n      OK!                                INVENTORY
              or SAP n       refused: the other form, then PORT of the next antenna
    INVENTORY INV            tags … IVF: sweep                  INVENTORY, or PORT of the next antenna
                             NRF                                FIELD
                             NSS                                STANDARD
                             another refusal: status            the same, after a longer wait
    any                      SRT: status restarted              BREAK
    any                      RNW                                STANDARD

Sources: the vendor's open SDKs: Java (`MetratecReader.setAntennaPort`: "antenna port [0..15]";
`ISOReaderAscii.setMultiplexAntennas`: "switching always starts with the lowest antenna port (0)"; `SAP n`),
Python (`ReaderAscii.set_antenna`: `SAP MAN n`, from 0), .NET (`MetratecReaderAsciiHf.EnableInputEvents`;
`MetratecReaderAscii.ReadSerialNumber`: `RSN`).
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import ButtonPress, DeviceStatus, Options, Reason, Rejected, Visiting
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.request_response import BREAK_NS, MS, RequestResponse
from tablebridge_drivers.metratec import lines
from tablebridge_drivers.metratec.blocks import Block, Inventory
from tablebridge_drivers.metratec.lines import (
    Antenna,
    Command,
    Count,
    Data,
    Identity,
    Input,
    Said,
    Tag,
    Word,
    read_line,
    with_crc,
)

SHORT_ANSWER_NS: Final = 500 * MS
AFTER_REFUSAL_NS: Final = 500 * MS
PIN_FORMS: Final = ("EGC {0} {1}", "SEC COMM {0} {1}")
EDGE_FORMS: Final = ("EGC {0} BOTH", "SEC EDGE {0} BOTH")
PORT_FORMS: Final = ("SAP MAN {0}", "SAP {0}")
OTHER_FORM: Final = frozenset({"UCO", "UPA", "EDX", "WDL"})
"""Refusals of a command as such, and not of its number."""


class AsciiStep(Enum):
    """A step of the conversation with a reader of the ASCII dialect. The value is its name for people."""

    BREAK = "BRK"
    WAKE = "WAK"
    END = "EOF"
    CRC = "CON or COF"
    NAME = "RFW"
    OLD_NAME = "REV"
    NUMBER = "RSN"
    PIN_0 = "pin 0"
    EDGE_0 = "edges of pin 0"
    PIN_1 = "pin 1"
    EDGE_1 = "edges of pin 1"
    STANDARD = "MOD"
    FIELD = "SRI"
    REPORT = "SAP ARP"
    MULTIPLEX = "SAP AUT"
    PORT = "SAP MAN"
    INVENTORY = "INV"


NAMES: Final = frozenset({AsciiStep.NAME, AsciiStep.OLD_NAME})
PIN: Final = {AsciiStep.PIN_0: 0, AsciiStep.EDGE_0: 0, AsciiStep.PIN_1: 1, AsciiStep.EDGE_1: 1}
"""Steps that set an input pin up."""
AFTER: Final = {
    AsciiStep.WAKE: AsciiStep.BREAK,
    AsciiStep.STANDARD: AsciiStep.FIELD,
    AsciiStep.PIN_0: AsciiStep.EDGE_0,
    AsciiStep.EDGE_0: AsciiStep.PIN_1,
    AsciiStep.PIN_1: AsciiStep.EDGE_1,
    AsciiStep.EDGE_1: AsciiStep.STANDARD,
}


class AsciiSession(RequestResponse[AsciiStep]):
    """See the module. `options`: those of `tablebridge_drivers.metratec.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(AsciiStep.BREAK, lines.receiver())
        self.belonging = Belonging(str(options[BOARD]))
        self._identity = ""
        self._antennas = lines.antennas(options, first=0)
        self._automatic = len(self._antennas) > 1 and options["multiplex"] == "automatic"
        self._crc_wanted = bool(options["crc"])
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._answer_ns = int(options["answer_ms"]) * MS
        self._field = str(options["field"])
        self._block = Block()
        self._crc = False
        """Commands go out with a CRC."""
        self._crc_sure = False
        """The reader has agreed to CRC mode: a line without one is damaged."""
        self._visiting = Visiting(self._antennas)
        self._new_first = options["order"] == "new-first"
        self._antenna = self._visiting.choose(0.0)
        self._lines = 0
        # Which form of these commands is tried; how many ports were refused since one was selected.
        self._pin_form = self._port_form = self._refused_ports = 0

    def restart(self) -> None:
        super().restart()
        self._crc_sure = False
        self._pin_form = self._port_form = 0
        self._block.clear()

    def request(self, step: AsciiStep) -> tuple[bytes, int]:
        match step:
            case AsciiStep.CRC:
                text = "CON" if self._crc_wanted else "COF"
            case AsciiStep.PIN_0 | AsciiStep.PIN_1:
                stored = f"#SPIN{PIN[step]}#RIP {PIN[step]}"
                text = PIN_FORMS[self._pin_form].format(PIN[step], with_crc(stored) if self._crc else stored)
            case AsciiStep.EDGE_0 | AsciiStep.EDGE_1:
                text = EDGE_FORMS[self._pin_form].format(PIN[step])
            case AsciiStep.STANDARD:
                text = "MOD 156"
            case AsciiStep.FIELD:
                text = f"SRI {self._field}"
            case AsciiStep.REPORT:
                text = "SAP ARP ON"
            case AsciiStep.MULTIPLEX:
                text = f"SAP AUT {len(self._antennas)}"
            case AsciiStep.PORT:
                text = PORT_FORMS[self._port_form].format(self._antenna)
            case _:
                text = str(step.value)
        self._block.clear()
        self._lines = 0
        line = with_crc(text) if self._crc else text
        return f"{line}\r".encode(), self._answer_ns if step is AsciiStep.INVENTORY else SHORT_ANSWER_NS

    def retry(self, step: AsciiStep) -> AsciiStep:
        if step is AsciiStep.BREAK:
            return AsciiStep.WAKE
        if step is AsciiStep.WAKE:
            # It is perhaps in CRC mode and says nothing to what has no CRC, or the other way round.
            self._crc = not self._crc
            return AsciiStep.BREAK
        if step is AsciiStep.NUMBER and self.in_vain:
            self.report_board(self._identity, "")
            return AsciiStep.PIN_0
        return AsciiStep.STANDARD if step in PIN else step

    def heard(self, frame: bytes, now_ns: int) -> None:
        if not frame:
            if self.waiting and self._lines:
                # The answer is complete and did not end as it has to: a line of it was lost.
                self.wait_until(now_ns + BREAK_NS)
            return
        said = read_line(frame, self._crc_sure)
        # What comes unasked is no line of an answer, and its LF ends none.
        self._lines += not isinstance(said, Input) and said != Word("HBT")
        match said:
            case Rejected(Reason.UNKNOWN_TYPE) if self.waiting and self.step in NAMES:
                # A name in another form than those that are known is a name all the same.
                self._named(frame.decode("ascii", "replace").strip(), now_ns)
            case Tag() | Data() | Identity() | Rejected(Reason.UNKNOWN_TYPE | Reason.TOO_SHORT) if (
                self.waiting and self.step is AsciiStep.NUMBER
            ):
                # A number looks like whatever its digits look like.
                self._numbered(lines.bare(frame), now_ns)
            case Rejected():
                self.reject(said.reason, said.detail, frame)
                self._block.damage()
            case Input(pin, high):
                self.report(ButtonPress(pin, high))
            case Word("HBT"):
                pass
            case Word("SRT" | "RNW" as word):
                self._started(word, now_ns)
            case Command(text):
                self.reject(Reason.UNEXPECTED, f"the line sends commands back (echo): {text}")
            case _ if not self.waiting:
                self.reject(Reason.UNEXPECTED, "an answer nobody waits for", frame)
            case _:
                self._answered(said, frame, now_ns)

    def _started(self, word: str, now_ns: int) -> None:
        if self.step in (AsciiStep.BREAK, AsciiStep.WAKE):
            return
        self.report(DeviceStatus("restarted", lines.UNASKED[word]))
        if word == "SRT":
            self._crc = False
            self.restart()
            self.go_to(AsciiStep.BREAK, now_ns)
        else:
            self.go_to(AsciiStep.STANDARD, now_ns)

    def _answered(self, said: Said, frame: bytes, now_ns: int) -> None:
        match said:
            case _ if self.step is AsciiStep.INVENTORY:
                self._inventory(said, frame, now_ns)
            case Identity(text) if self.step in NAMES:
                self._named(text, now_ns)
            case Word(word) if word in lines.READY and self.step not in (*NAMES, AsciiStep.NUMBER):
                self._obeyed(frame, now_ns)
            case Word(word) if word in lines.REFUSAL:
                self._refused(word, now_ns)
            case _:
                self.reject(Reason.UNEXPECTED, f"no answer to {self.step.value}", frame)

    def _named(self, text: str, now_ns: int) -> None:
        self._identity = f"metraTec {text}"
        if self.belonging.asked:
            self.go_to(AsciiStep.NUMBER, now_ns)
        else:
            self.report(DeviceStatus("identified", self._identity), alive=True)
            self.go_to(AsciiStep.PIN_0, now_ns)

    def _numbered(self, number: str, now_ns: int) -> None:
        self.report_board(self._identity, number)
        self.go_to(AsciiStep.PIN_0, now_ns)

    def _obeyed(self, frame: bytes, now_ns: int) -> None:
        match self.step:
            case AsciiStep.BREAK:
                # The answer shows in which mode the reader is, whatever was sent.
                self._crc = lines.without_crc(frame.decode("ascii", "replace")) is not None
                then = AsciiStep.END
            case AsciiStep.END:
                then = AsciiStep.CRC if self._crc_wanted or self._crc else AsciiStep.NAME
            case AsciiStep.CRC:
                self._crc = self._crc_sure = self._crc_wanted
                then = AsciiStep.NAME
            case step if step in AFTER:
                then = AFTER[step]
            case AsciiStep.FIELD:
                then = AsciiStep.REPORT if len(self._antennas) > 1 else AsciiStep.INVENTORY
            case AsciiStep.REPORT:
                then = AsciiStep.MULTIPLEX if self._automatic else AsciiStep.PORT
            case _:
                self._refused_ports = 0
                then = AsciiStep.INVENTORY
        self.go_to(then, now_ns)

    def _refused(self, word: str, now_ns: int) -> None:
        """What is not possible is left out if sweeping works without it, and is a status if it does not."""
        refusal = f"{self.step.value} refused, {word}: {lines.REFUSAL[word]}"
        match self.step:
            case AsciiStep.BREAK | AsciiStep.WAKE if self._crc != (word == "CCE"):
                self._crc = not self._crc
                self.go_to(AsciiStep.BREAK, now_ns)
            case AsciiStep.END:
                self._obeyed(b"", now_ns)
            case AsciiStep.CRC if not self._crc:
                self.report_status("degraded", refusal)
                self.go_to(AsciiStep.NAME, now_ns)
            case AsciiStep.NAME:
                self.go_to(AsciiStep.OLD_NAME, now_ns)
            case AsciiStep.OLD_NAME:
                self._named("reader that does not name itself", now_ns)
            case AsciiStep.NUMBER:
                self._numbered("", now_ns)
            case AsciiStep.PIN_0 if self._pin_form + 1 < len(PIN_FORMS):
                self._pin_form += 1
                self.go_to(AsciiStep.PIN_0, now_ns)
            case step if step in PIN:
                self.go_to(AsciiStep.PIN_1 if step is AsciiStep.EDGE_0 else AsciiStep.STANDARD, now_ns)
            case AsciiStep.PORT:
                self._port_refused(word, refusal, now_ns)
            case AsciiStep.STANDARD:
                self.report_status("degraded", refusal)
                self.go_to(AsciiStep.FIELD, now_ns)
            case AsciiStep.REPORT if not self._automatic:
                # The host selects the port itself, so it knows it without a report.
                self.go_to(AsciiStep.PORT, now_ns)
            case _:
                self.report_refusal(refusal)
                self.go_to(self.step, now_ns + AFTER_REFUSAL_NS)

    def _port_refused(self, word: str, refusal: str, now_ns: int) -> None:
        """A port that is not there is a fault of its antenna; if all are refused, of the reader."""
        if word in OTHER_FORM and self._port_form + 1 < len(PORT_FORMS):
            self._port_form += 1
            self.go_to(AsciiStep.PORT, now_ns)
            return
        self._refused_ports += 1
        none = self._refused_ports >= len(self._antennas)
        self.report_refusal(refusal, None if none else self._antenna)
        self._go_on(now_ns, AFTER_REFUSAL_NS if none else 0)

    def _inventory(self, said: Said, frame: bytes, now_ns: int) -> None:
        match said:
            case Tag(uid):
                self._block.tag(uid)
            case Antenna(number):
                self._block.antenna(number)
            case Word(word) if word in lines.SLOT:
                self._block.slot_failed()
            case Count(count):
                self._ended(self._block.end(count), now_ns)
            case Word("NRF"):
                self.go_to(AsciiStep.FIELD, now_ns)
            case Word("NSS"):
                self.go_to(AsciiStep.STANDARD, now_ns)
            case Word(word) if word in lines.REFUSAL:
                self.report_refusal(
                    f"INV refused, {word}: {lines.REFUSAL[word]}", self._antenna if word == "ARH" else None
                )
                self._go_on(now_ns, AFTER_REFUSAL_NS)
            case _:
                self.reject(Reason.UNEXPECTED, "not a line of an inventory", frame)
                self._block.damage()

    def _ended(self, inventory: Inventory | Rejected | None, now_ns: int) -> None:
        if isinstance(inventory, Rejected):
            self.reject(inventory.reason, inventory.detail)
        elif inventory is not None and (why := self._nobodys(inventory.antenna)):
            self.reject(*why)
        elif inventory is not None:
            sweep = inventory.sweep(self._antenna)
            self.report_success(sweep.antenna)
            self.report_success()
            self.report(sweep, alive=True)
            if self._new_first and not self._automatic:
                self._visiting.visited(self._antenna, sweep.tags)
        self._go_on(now_ns, self._poll_ns)

    def _nobodys(self, reported: int | None) -> tuple[Reason, str] | None:
        """Why it is not sure which antenna read this; None if it is. `reported`: which it was, it says."""
        if self._automatic and reported not in self._antennas:
            named = f"a report of antenna {reported}, which is not used"
            return Reason.IMPOSSIBLE_VALUE, "no antenna report" if reported is None else named
        if not self._automatic and len(self._antennas) > 1 and reported not in (None, self._antenna):
            return Reason.UNEXPECTED, f"antenna {reported} read where {self._antenna} was selected"
        return None

    def _go_on(self, now_ns: int, wait_ns: int) -> None:
        if len(self._antennas) == 1 or self._automatic:
            self.go_to(AsciiStep.INVENTORY, now_ns + wait_ns)
            return
        self._antenna = self._visiting.choose(now_ns / 1e9)
        self.go_to(AsciiStep.PORT, now_ns + wait_ns)
