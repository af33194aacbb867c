"""The conversation with a metraTec reader of the AT dialect (DeskID NFC, QR NFC, Dwarf NFC).

Theory. Every answer ends with OK or ERROR; what comes before it depends on the command: before ERROR it is
why. Events of inputs and heartbeats (+HBT) come in between. Antennas are counted from 1 (`check_antennas` of
the vendor's Python SDK).

    step       command      before OK                next step                       after ERROR
    ECHO       ATE0                                  NAME                            NAME
    NAME       ATI          +SW, +HW, +SERIAL        STOP                            STOP
    STOP       AT+BINV                               STANDARD                        STANDARD: nothing ran
    STANDARD   AT+MOD=ISO15                          FIELD                           status, FIELD
    FIELD      AT+CW=1                               INPUTS                          status, asked again
    INPUTS     AT+IEV=1                              ANTENNA (with one: INVENTORY)   left out
    ANTENNA    AT+ANT=n                              INVENTORY                       status, the next antenna
    INVENTORY  AT+INV       +INV: … each: sweep      INVENTORY, or ANTENNA           status, FIELD
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import ButtonPress, DeviceStatus, Options, Reason, Rejected, Visiting
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.request_response import MS, RequestResponse
from tablebridge_drivers.metratec.blocks import Block
from tablebridge_drivers.metratec.lines import (
    SERIAL,
    Command,
    Identity,
    Input,
    NoTags,
    Said,
    Tag,
    Why,
    Word,
    antennas,
    read_line,
    receiver,
)

SHORT_ANSWER_NS: Final = 500 * MS
AFTER_REFUSAL_NS: Final = 500 * MS


class AtStep(Enum):
    """A step of the conversation with a reader of the AT dialect. The value is its name for people."""

    ECHO = "ATE0"
    NAME = "ATI"
    STOP = "AT+BINV"
    STANDARD = "AT+MOD=ISO15"
    FIELD = "AT+CW=1"
    INPUTS = "AT+IEV=1"
    ANTENNA = "AT+ANT"
    INVENTORY = "AT+INV"


THEN: Final = {
    AtStep.ECHO: AtStep.NAME,
    AtStep.NAME: AtStep.STOP,
    AtStep.STOP: AtStep.STANDARD,
    AtStep.STANDARD: AtStep.FIELD,
    AtStep.FIELD: AtStep.INPUTS,
}
MAY_REFUSE: Final = frozenset({AtStep.ECHO, AtStep.NAME, AtStep.STOP, AtStep.STANDARD, AtStep.INPUTS})


class AtSession(RequestResponse[AtStep]):
    """See the module. `options`: those of `tablebridge_drivers.metratec.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(AtStep.ECHO, receiver())
        self.belonging = Belonging(str(options[BOARD]))
        self._antennas = antennas(options, first=1)
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._answer_ns = int(options["answer_ms"]) * MS
        self._block = Block()
        self._answered = False
        """A line of the inventory came: without one OK is no inventory."""
        self._identity: list[str] = []
        self._why = ""
        self._visiting = Visiting(self._antennas)
        self._new_first = options["order"] == "new-first"
        self._antenna = self._visiting.choose(0.0)
        self._refused_ports = 0
        """How many antennas were refused since one was selected."""

    def restart(self) -> None:
        super().restart()
        self._block.clear()

    def request(self, step: AtStep) -> tuple[bytes, int]:
        self._block.clear()
        self._answered = False
        self._identity.clear()
        self._why = ""
        text = f"AT+ANT={self._antenna}" if step is AtStep.ANTENNA else str(step.value)
        return f"{text}\r\n".encode(), self._answer_ns if step is AtStep.INVENTORY else SHORT_ANSWER_NS

    def heard(self, frame: bytes, now_ns: int) -> None:
        if not frame:
            return
        said = read_line(frame)
        match said:
            case Rejected():
                self.reject(said.reason, said.detail, frame)
                self._block.damage()
            case Input(pin, high):
                self.report(ButtonPress(pin, high))
            case Command() | Word("HBT"):
                pass
            case _ if not self.waiting:
                self.reject(Reason.UNEXPECTED, "an answer nobody waits for", frame)
            case _:
                self._take_answer(said, frame, now_ns)

    def _take_answer(self, said: Said, frame: bytes, now_ns: int) -> None:
        match said:
            case Word("OK"):
                self._done(now_ns)
            case Word("ERROR"):
                self._refused(now_ns)
            case Word("ARH") if self.step is AtStep.INVENTORY:
                self.report_refusal("antenna error: look at the antenna and its cable", self._antenna)
            case Why(text):
                self._why = text
            case Identity(text) if self.step is AtStep.NAME and len(self._identity) < 8:
                self._identity.append(text)
            case Tag(uid) if self.step is AtStep.INVENTORY and said.at and not said.events:
                self._answered = True
                self._block.tag(uid)
            case NoTags() if self.step is AtStep.INVENTORY and not said.events:
                self._answered = True
            case _:
                self.reject(Reason.UNEXPECTED, f"no answer to {self.step.value}", frame)

    def _done(self, now_ns: int) -> None:
        match self.step:
            case AtStep.NAME:
                identity = "metraTec, " + ", ".join(self._identity or ["no name"])
                if self.belonging.asked:
                    numbers = (text for text in self._identity if text.startswith(SERIAL))
                    self.report_board(identity, next(numbers, "").removeprefix(SERIAL))
                else:
                    self.report(DeviceStatus("identified", identity), alive=True)
                self.go_to(AtStep.STOP, now_ns)
            case AtStep.INVENTORY:
                self._swept(now_ns)
            case AtStep.INPUTS | AtStep.ANTENNA:
                self._refused_ports = 0
                self.go_to(self._visit(), now_ns)
            case step:
                self.go_to(THEN[step], now_ns)

    def _visit(self) -> AtStep:
        return AtStep.INVENTORY if len(self._antennas) == 1 or self.step is AtStep.ANTENNA else AtStep.ANTENNA

    def _swept(self, now_ns: int) -> None:
        inventory = self._block.end()
        if inventory is None or isinstance(inventory, Rejected):
            pass
        elif not self._answered:
            self.reject(Reason.TOO_SHORT, "an inventory that says nothing")
        else:
            self.report_success(self._antenna)
            self.report_success()
            self.report(inventory.sweep(self._antenna), alive=True)
            if self._new_first:
                self._visiting.visited(self._antenna, inventory.tags)
        self._go_on(now_ns + self._poll_ns, now_ns)

    def _go_on(self, at_ns: int, now_ns: int) -> None:
        self._antenna = self._visiting.choose(now_ns / 1e9)
        self.go_to(AtStep.INVENTORY if len(self._antennas) == 1 else AtStep.ANTENNA, at_ns)

    def _refused(self, now_ns: int) -> None:
        refusal = f"{self.step.value} refused" + (f": {self._why}" if self._why else "")
        if self.step is AtStep.STANDARD:
            self.report_status("degraded", refusal)
        elif self.step is AtStep.ANTENNA:
            self._refused_ports += 1
            none = self._refused_ports >= len(self._antennas)
            self.report_refusal(refusal, None if none else self._antenna)
            self._go_on(now_ns + (AFTER_REFUSAL_NS if none else 0), now_ns)
            return
        elif self.step not in MAY_REFUSE:
            self.report_refusal(refusal)
            self.go_to(
                AtStep.FIELD if self.step is AtStep.INVENTORY else self.step, now_ns + AFTER_REFUSAL_NS
            )
            return
        self._done(now_ns)
