"""The conversation with a UHF module that speaks in A0 frames.

Theory. Before each inventory the antenna is selected; the inventory names each tag that it reads and ends
with a summary, or with an error. A module that lacks an antenna refuses it, and the others go on.

    step        command       answer                       next step
    VERSION     72            firmware: identity           NUMBER
    NUMBER      68            its identifier, or error     POWER  (left out without `board`)
    POWER       76 power      done, or error: status       ANTENNA  (left out if it is kept)
    ANTENNA     74 n          done                         INVENTORY
                              error: status of antenna n   ANTENNA of the next, after a longer wait
    INVENTORY   89 01         a tag                        INVENTORY, the same
                              the end                      ANTENNA of the next, after `poll_interval_ms`
                              error: status of antenna n   ANTENNA of the next, after a longer wait
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.gathering import MS, Gathered, GatheringSession
from tablebridge.sdk.conversations.request_response import following
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.r2000 import frames
from tablebridge_drivers.r2000.frames import Answer, Ended, encode

SHORT_ANSWER_NS: Final = 500 * MS
INVENTORY_NS: Final = 1500 * MS
AFTER_REFUSAL_NS: Final = 500 * MS


class R2000Step(Enum):
    """A step of the conversation with an R2000 module. The value is its name for people."""

    VERSION = "version"
    NUMBER = "identifier"
    POWER = "power"
    ANTENNA = "antenna selection"
    INVENTORY = "inventory"


COMMAND: Final = {
    R2000Step.VERSION: frames.VERSION,
    R2000Step.NUMBER: frames.IDENTIFIER,
    R2000Step.POWER: frames.SET_POWER,
    R2000Step.ANTENNA: frames.SET_ANTENNA,
    R2000Step.INVENTORY: frames.INVENTORY,
}


class R2000Session(GatheringSession[R2000Step]):
    """See the module. `options`: those of `tablebridge_drivers.r2000.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(R2000Step.VERSION, Frames(frames.measure, frames.intact), options)
        self.belonging = Belonging(str(options[BOARD]))
        self._identity = ""
        self._antennas = tuple(range(1, int(options["antennas"]) + 1))
        self._antenna = 1
        self.gathered = Gathered(options, self._antennas)
        self._power = int(options["power_dbm"])
        self._first_set = R2000Step.POWER if self._power else R2000Step.ANTENNA
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._address = int(options["address"])

    def request(self, step: R2000Step) -> tuple[bytes, int]:
        data = {
            R2000Step.VERSION: b"",
            R2000Step.NUMBER: b"",
            R2000Step.POWER: bytes((self._power,)),
            R2000Step.ANTENNA: bytes((self._antenna - 1,)),
            R2000Step.INVENTORY: b"\x01",
        }[step]
        answer_ns = INVENTORY_NS if step is R2000Step.INVENTORY else SHORT_ANSWER_NS
        return encode(COMMAND[step], data, self._address), answer_ns

    def retry(self, step: R2000Step) -> R2000Step:
        if step is R2000Step.NUMBER and self.in_vain:
            self.report_board(self._identity, "")
            return self._first_set
        # An inventory whose end was lost is asked for again, and on the right antenna.
        return R2000Step.ANTENNA if step is R2000Step.INVENTORY else step

    def heard(self, frame: bytes, now_ns: int) -> None:
        answer = frames.read_answer(frame)
        if isinstance(answer, Rejected):
            self.report(answer)
        elif self._address not in (frames.ANY, answer.address):
            self.reject(Reason.UNEXPECTED, f"an answer of the module with address {answer.address}", frame)
        elif not self.waiting or answer.command != COMMAND[self.step]:
            self.reject(Reason.UNEXPECTED, f"an answer to {answer.command:02X} nobody waits for", frame)
        elif len(answer.data) == 1 and answer.data[0] != frames.DONE:
            self._refused(answer.data[0], now_ns)
        elif self.step is R2000Step.INVENTORY:
            self._inventory(answer, frame, now_ns)
        elif self.step is R2000Step.VERSION:
            self._identity = frames.version_text(answer.data)
            if self.belonging.asked:
                self.go_to(R2000Step.NUMBER, now_ns)
            else:
                self.report(DeviceStatus("identified", self._identity), alive=True)
                self.go_to(self._first_set, now_ns)
        elif self.step is R2000Step.NUMBER:
            self.report_board(self._identity, frames.identifier(answer.data))
            self.go_to(self._first_set, now_ns)
        else:
            self.go_to(R2000Step.INVENTORY if self.step is R2000Step.ANTENNA else R2000Step.ANTENNA, now_ns)

    def _inventory(self, answer: Answer, frame: bytes, now_ns: int) -> None:
        said = frames.read_named(answer.data)
        if isinstance(said, Rejected):
            self.reject(said.reason, said.detail, frame)
        elif isinstance(said, Ended):
            self.report_success(self._antenna)
            self.works(now_ns)
            self._next_antenna(now_ns + self._poll_ns)
        else:
            self.gathered.add(said.antenna, said.epc, now_ns)
            self.wait_until(now_ns + INVENTORY_NS)

    def _refused(self, code: int, now_ns: int) -> None:
        text = f"{self.step.value}: {frames.fault_text(code)}"
        if self.step in (R2000Step.ANTENNA, R2000Step.INVENTORY):
            self.report_refusal(text, self._antenna)
            self._next_antenna(now_ns + AFTER_REFUSAL_NS)
        elif self.step is R2000Step.NUMBER:
            self.report_board(self._identity, "")
            self.go_to(self._first_set, now_ns)
        else:
            self.report_status("degraded", text)
            self.go_to(R2000Step.ANTENNA, now_ns + AFTER_REFUSAL_NS)

    def _next_antenna(self, at_ns: int) -> None:
        self._antenna = following(self._antenna, self._antennas)
        self.go_to(R2000Step.ANTENNA, at_ns)
