"""The conversation with a metraTec reader of the ASCII dialect (QuasarLR, QuasarMX, DeskID ISO, Dwarf15,
QR15).

Theory. A reader may have been left in continuous mode, in CRC mode or asleep by whoever used it before, so
the beginning is made to work from any of these. CRC mode is then switched on, unless the site says otherwise:
without it a flipped bit can turn one UID into another. An answer ends with the line that the command has to
end with, or with a refusal; in end-of-frame mode the reader also marks the end by LF, so that an answer
whose last line was lost is asked for again at once.

Several antennas are visited in one of two ways. "manual": the host selects a port before each inventory.
"automatic": the reader itself goes on to the next port after each inventory, and its antenna report, not a
count of ours, says which it was; an inventory without a report is nobody's and rejected.

    step      command        answer                             next step
    BREAK     BRK            BRA, NCM                           END
                             CCE: CRC mode was left on          BREAK, with CRC; another refusal: without
                             none                               WAKE
    WAKE      WAK            GMO, DNS                           BREAK
    END       EOF            OK!                                CRC
    CRC       CON or COF     OK!                                NAME
    NAME      RFW            name and version                   STANDARD
                             UCO: older firmware                OLD_NAME
    OLD_NAME  REV            name and versions                  STANDARD
    STANDARD  MOD 156        OK!, or a refusal: status          FIELD
    FIELD     SRI SS 100     OK!                                REPORT (with one antenna: INVENTORY)
    REPORT    SAP ARP ON     OK!                                MULTIPLEX (manual: PORT)
    MULTIPLEX SAP AUT n      OK!                                INVENTORY
    PORT      SAP MAN n      OK!                                INVENTORY
    INVENTORY INV            tags … IVF: sweep                  INVENTORY, or PORT of the next antenna
                             NRF                                FIELD
                             NSS                                STANDARD
                             another refusal: status            the same, after a longer wait
    any                      SRT: status restarted              BREAK
    any                      RNW                                STANDARD
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import ButtonPress, DeviceStatus, Options, Reason, Rejected, Visiting
from tablebridge.sdk.conversations.request_response import BREAK_NS, MS, RequestResponse
from tablebridge_drivers.metratec import lines
from tablebridge_drivers.metratec.blocks import Block, Inventory
from tablebridge_drivers.metratec.lines import (
    Antenna,
    Command,
    Count,
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


class AsciiStep(Enum):
    """A step of the conversation with a reader of the ASCII dialect. The value is its name for people."""

    BREAK = "BRK"
    WAKE = "WAK"
    END = "EOF"
    CRC = "CON or COF"
    NAME = "RFW"
    OLD_NAME = "REV"
    STANDARD = "MOD"
    FIELD = "SRI"
    REPORT = "SAP ARP"
    MULTIPLEX = "SAP AUT"
    PORT = "SAP MAN"
    INVENTORY = "INV"


class AsciiSession(RequestResponse[AsciiStep]):
    """See the module. `options`: those of `tablebridge_drivers.metratec.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(AsciiStep.BREAK, lines.receiver())
        count, first = int(options["antennas"]), int(options["first_antenna"])
        self._antennas = (0,) if count == 1 else tuple(range(first, first + count))
        self._automatic = count > 1 and options["multiplex"] == "automatic"
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

    def restart(self) -> None:
        super().restart()
        self._crc_sure = False
        self._block.clear()

    def request(self, step: AsciiStep) -> tuple[bytes, int]:
        match step:
            case AsciiStep.CRC:
                text = "CON" if self._crc_wanted else "COF"
            case AsciiStep.STANDARD:
                text = "MOD 156"
            case AsciiStep.FIELD:
                text = f"SRI {self._field}"
            case AsciiStep.REPORT:
                text = "SAP ARP ON"
            case AsciiStep.MULTIPLEX:
                text = f"SAP AUT {len(self._antennas)}"
            case AsciiStep.PORT:
                text = f"SAP MAN {self._antenna}"
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
        return step

    def heard(self, frame: bytes, now_ns: int) -> None:
        if not frame:
            if self.waiting and self._lines:
                # The answer is complete and did not end as it has to: a line of it was lost.
                self.wait_until(now_ns + BREAK_NS)
            return
        self._lines += 1
        said = read_line(frame, self._crc_sure)
        match said:
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
            case Identity(text) if self.step in (AsciiStep.NAME, AsciiStep.OLD_NAME):
                self.report(DeviceStatus("identified", f"metraTec {text}"), alive=True)
                self.go_to(AsciiStep.STANDARD, now_ns)
            case Word(word) if word in lines.READY and self.step not in (AsciiStep.NAME, AsciiStep.OLD_NAME):
                self._obeyed(frame, now_ns)
            case Word(word) if word in lines.REFUSAL:
                self._refused(word, now_ns)
            case _:
                self.reject(Reason.UNEXPECTED, f"no answer to {self.step.value}", frame)

    def _obeyed(self, frame: bytes, now_ns: int) -> None:
        match self.step:
            case AsciiStep.BREAK:
                # The answer shows in which mode the reader is, whatever was sent.
                self._crc = lines.without_crc(frame.decode("ascii", "replace")) is not None
                then = AsciiStep.END
            case AsciiStep.WAKE:
                then = AsciiStep.BREAK
            case AsciiStep.END:
                then = AsciiStep.CRC if self._crc_wanted or self._crc else AsciiStep.NAME
            case AsciiStep.CRC:
                self._crc = self._crc_sure = self._crc_wanted
                then = AsciiStep.NAME
            case AsciiStep.STANDARD:
                then = AsciiStep.FIELD
            case AsciiStep.FIELD:
                then = AsciiStep.REPORT if len(self._antennas) > 1 else AsciiStep.INVENTORY
            case AsciiStep.REPORT:
                then = AsciiStep.MULTIPLEX if self._automatic else AsciiStep.PORT
            case _:
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
                self.go_to(AsciiStep.CRC if self._crc_wanted or self._crc else AsciiStep.NAME, now_ns)
            case AsciiStep.CRC if not self._crc:
                self.report_status("degraded", refusal)
                self.go_to(AsciiStep.NAME, now_ns)
            case AsciiStep.NAME:
                self.go_to(AsciiStep.OLD_NAME, now_ns)
            case AsciiStep.OLD_NAME:
                self.report(
                    DeviceStatus("identified", "metraTec reader that does not name itself"), alive=True
                )
                self.go_to(AsciiStep.STANDARD, now_ns)
            case AsciiStep.STANDARD:
                self.report_status("degraded", refusal)
                self.go_to(AsciiStep.FIELD, now_ns)
            case AsciiStep.REPORT if not self._automatic:
                # The host selects the port itself, so it knows it without a report.
                self.go_to(AsciiStep.PORT, now_ns)
            case _:
                self.report_refusal(refusal)
                self.go_to(self.step, now_ns + AFTER_REFUSAL_NS)

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
        elif inventory is not None and self._whose(inventory):
            sweep = inventory.sweep(self._antenna)
            self.report_success(sweep.antenna)
            self.report_success()
            self.report(sweep, alive=True)
            if self._new_first and not self._automatic:
                self._visiting.visited(self._antenna, sweep.tags)
        self._go_on(now_ns, self._poll_ns)

    def _whose(self, inventory: Inventory) -> bool:
        """Whether it is sure which antenna read this."""
        reported = inventory.antenna
        if self._automatic and reported not in self._antennas:
            detail = (
                "no antenna report"
                if reported is None
                else f"a report of antenna {reported}, which is not used"
            )
            self.reject(Reason.IMPOSSIBLE_VALUE, detail)
            return False
        if not self._automatic and len(self._antennas) > 1 and reported not in (None, self._antenna):
            self.reject(Reason.UNEXPECTED, f"antenna {reported} read where {self._antenna} was selected")
            return False
        return True

    def _go_on(self, now_ns: int, wait_ns: int) -> None:
        if len(self._antennas) == 1 or self._automatic:
            self.go_to(AsciiStep.INVENTORY, now_ns + wait_ns)
            return
        self._antenna = self._visiting.choose(now_ns / 1e9)
        self.go_to(AsciiStep.PORT, now_ns + wait_ns)
