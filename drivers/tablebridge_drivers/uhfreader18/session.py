"""The conversation with a reader of the UHFReader18 family.

Theory. The reader answers an inventory when its longest time is over or no further tag comes; many tags come
in several answers, and only the last has another status than 03. On RS-485 each reader answers to its own
address only, and one pair of wires carries both directions, so nothing is sent before the line is silent.

    step        command        answer                          next step
    INFO        21             00: identity, longest time      NUMBER
    NUMBER      4C             its own number, or any status   POWER  (left out without `board`)
    POWER       2F power       00, or another: status          INVENTORY  (left out if it is kept)
    INVENTORY   01             03: tags, more are coming       INVENTORY, the same
                               01, 02, 04: tags                INVENTORY, after `poll_interval_ms`
                               FB: no tag                      the same
                               another: status                 the same, after a longer wait
    any         -              EE: it is in scan mode, status  the same
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.gathering import MS, Gathered, GatheringSession
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.uhfreader18 import frames
from tablebridge_drivers.uhfreader18.frames import Answer, encode

SHORT_ANSWER_NS: Final = 500 * MS
AFTER_REFUSAL_NS: Final = 500 * MS
LONGEST_NS: Final = 2500 * MS
"""How long an inventory may take while the reader has not said so (its own setting is 1 s from the maker)."""


class Uhf18Step(Enum):
    """A step of the conversation with a UHFReader18. The value is its name for people."""

    INFO = "reader information"
    NUMBER = "serial number"
    POWER = "power"
    INVENTORY = "inventory"


COMMAND: Final = {
    Uhf18Step.INFO: frames.INFO,
    Uhf18Step.NUMBER: frames.SERIAL_NUMBER,
    Uhf18Step.POWER: frames.SET_POWER,
    Uhf18Step.INVENTORY: frames.INVENTORY,
}


class Uhf18Session(GatheringSession[Uhf18Step]):
    """See the module. `options`: those of `tablebridge_drivers.uhfreader18.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(Uhf18Step.INFO, Frames(frames.measure, frames.intact), options, half_duplex=True)
        self.belonging = Belonging(str(options[BOARD]))
        self._identity = ""
        self._newer = options["records"] == "antenna"
        ports = range(1, 5) if self._newer else range(1, 2)
        self.gathered = Gathered(options, tuple(ports))
        self._power = int(options["power_dbm"])
        self._first_set = Uhf18Step.INVENTORY if self._power < 0 else Uhf18Step.POWER
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._longest_ns = LONGEST_NS
        address = int(options["address"])
        self._address = address
        # Newer readers need to know how to look: Q 0, session 0, all antennas for 1 s, as others do it.
        inventory = bytes.fromhex("010000800A") if self._newer else b""
        self._requests = {
            Uhf18Step.INFO: encode(frames.INFO, b"", address),
            Uhf18Step.NUMBER: encode(frames.SERIAL_NUMBER, b"", address),
            Uhf18Step.POWER: encode(frames.SET_POWER, bytes((max(self._power, 0),)), address),
            Uhf18Step.INVENTORY: encode(frames.INVENTORY, inventory, address),
        }

    def request(self, step: Uhf18Step) -> tuple[bytes, int]:
        answer_ns = self._longest_ns if step is Uhf18Step.INVENTORY else SHORT_ANSWER_NS
        return self._requests[step], answer_ns

    def retry(self, step: Uhf18Step) -> Uhf18Step:
        if step is Uhf18Step.NUMBER and self.in_vain:
            self.report_board(self._identity, "")
            return self._first_set
        return step

    def heard(self, frame: bytes, now_ns: int) -> None:
        answer = frames.read_answer(frame)
        if isinstance(answer, Rejected):
            self.report(answer)
        elif self._address not in (frames.ANY, answer.address):
            self.reject(Reason.UNEXPECTED, f"an answer of the reader with address {answer.address}", frame)
        elif answer.command == frames.PUSHED:
            self.report_status("failed", frames.SCANS)
        elif not self.waiting or answer.command != COMMAND[self.step]:
            self.reject(Reason.UNEXPECTED, f"an answer to {answer.command:02X} nobody waits for", frame)
        elif self.step is Uhf18Step.INFO:
            self._identified(answer, frame, now_ns)
        elif self.step is Uhf18Step.NUMBER:
            said = frames.serial_number(answer.data) if answer.status == frames.OK else ""
            self.report_board(self._identity, said)
            self.go_to(self._first_set, now_ns)
        elif self.step is Uhf18Step.POWER:
            if answer.status != frames.OK:
                self.report_status("degraded", f"power, {frames.status_text(answer.status)}")
            self.go_to(Uhf18Step.INVENTORY, now_ns)
        else:
            self._inventory(answer, frame, now_ns)

    def _identified(self, answer: Answer, frame: bytes, now_ns: int) -> None:
        info = frames.read_info(answer.data)
        if isinstance(info, Rejected):
            self.reject(info.reason, info.detail, frame)
        else:
            self._longest_ns = info.longest_ms * MS + SHORT_ANSWER_NS
            self._identity = info.text
            if self.belonging.asked:
                self.go_to(Uhf18Step.NUMBER, now_ns)
            else:
                self.report(DeviceStatus("identified", self._identity), alive=True)
                self.go_to(self._first_set, now_ns)

    def _inventory(self, answer: Answer, frame: bytes, now_ns: int) -> None:
        status = answer.status
        if status in frames.WITH_RECORDS:
            records = frames.read_records(answer.data, self._newer)
            if isinstance(records, Rejected):
                self.reject(records.reason, records.detail, frame)
                records = ()
            for antenna, epc in records:
                self.gathered.add(antenna, epc, now_ns)
        if status == frames.MORE:
            self.wait_until(now_ns + self._longest_ns)
        elif status in frames.WITH_RECORDS or status == frames.NO_TAG or status in frames.CUT_SHORT:
            self.works(now_ns)
            self.go_to(Uhf18Step.INVENTORY, now_ns + self._poll_ns)
        else:
            self.report_refusal(f"inventory, {frames.status_text(status)}")
            self.go_to(Uhf18Step.INVENTORY, now_ns + AFTER_REFUSAL_NS)
