"""The conversation with an LLRP reader, by TCP.

Theory. The reader speaks first and says whether it takes this client: it has one at a time. What other
clients left in it is deleted, then it gets its orders once; from then on it reports by itself. It keeps
alive every second, which is answered; three missing ones, and it is set up again. What it refuses of its
configuration is a status, and the rest goes on; without its ROSpec it reads nothing.

    step           request                 answer                          next step
    CONNECTION     nothing                 event: taken                    CAPABILITIES
                                           event: another client: status   CONNECTION, after a wait
    CAPABILITIES   GET_READER_CAPABILITIES identity, powers                NUMBER
    NUMBER         GET_READER_CONFIG       its own number, or refused      CONFIGURATION
                   (left out without `board`)
    CONFIGURATION  SET_READER_CONFIG       OK, or refused: status          ACCESS
    ACCESS         DELETE_ACCESSSPEC all   any                             CLEAR
    CLEAR          DELETE_ROSPEC all       OK                              ADD
                                           refused                         REMOVE
    REMOVE         DELETE_ROSPEC 1         any                             ADD
    ADD            ADD_ROSPEC              OK                              ENABLE
    ENABLE         ENABLE_ROSPEC           OK                              START
    START          START_ROSPEC            OK                              READING
    READING        nothing                 reports, events, keep-alives    -
    ADD to START                           refused: status                 CLEAR, after `AFTER_REFUSAL_NS`
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.gathering import MS, Gathered, GatheringSession
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.llrp import messages, requests
from tablebridge_drivers.llrp.messages import Capabilities, Message

ANSWER_NS: Final = 5_000 * MS
"""As long as sllurp waits, too: readers set up their radio between two answers."""
AFTER_REFUSAL_NS: Final = 5_000 * MS
SILENT_NS: Final = 3 * requests.KEEPALIVE_MS * MS


class LlrpStep(Enum):
    """A step of the conversation with an LLRP reader. The value is its name for people."""

    CONNECTION = "connection"
    CAPABILITIES = "capabilities"
    NUMBER = "identification"
    CONFIGURATION = "configuration"
    ACCESS = "deletion of access specs"
    CLEAR = "deletion of reader operations"
    REMOVE = "deletion of its own operation"
    ADD = "addition of its operation"
    ENABLE = "enabling of its operation"
    START = "start of its operation"
    READING = "keep-alive"


_NEXT: Final = {
    LlrpStep.CONFIGURATION: LlrpStep.ACCESS,
    LlrpStep.ACCESS: LlrpStep.CLEAR,
    LlrpStep.CLEAR: LlrpStep.ADD,
    LlrpStep.REMOVE: LlrpStep.ADD,
    LlrpStep.ADD: LlrpStep.ENABLE,
    LlrpStep.ENABLE: LlrpStep.START,
    LlrpStep.START: LlrpStep.READING,
}
_KINDS: Final = {
    LlrpStep.CAPABILITIES: (messages.CAPABILITIES, messages.CAPABILITIES_ANSWER),
    LlrpStep.NUMBER: (messages.GET_CONFIG, messages.GET_CONFIG_ANSWER),
    LlrpStep.CONFIGURATION: (messages.SET_CONFIG, messages.SET_CONFIG_ANSWER),
    LlrpStep.ACCESS: (messages.DELETE_ACCESSSPEC, messages.DELETE_ACCESSSPEC_ANSWER),
    LlrpStep.CLEAR: (messages.DELETE_ROSPEC, messages.DELETE_ROSPEC_ANSWER),
    LlrpStep.REMOVE: (messages.DELETE_ROSPEC, messages.DELETE_ROSPEC_ANSWER),
    LlrpStep.ADD: (messages.ADD_ROSPEC, messages.ADD_ROSPEC_ANSWER),
    LlrpStep.ENABLE: (messages.ENABLE_ROSPEC, messages.ENABLE_ROSPEC_ANSWER),
    LlrpStep.START: (messages.START_ROSPEC, messages.START_ROSPEC_ANSWER),
}
_NEEDED: Final = frozenset({LlrpStep.ADD, LlrpStep.ENABLE, LlrpStep.START})
_LARGEST_NUMBER: Final = 0xFFFFFFFF


class LlrpSession(GatheringSession[LlrpStep]):
    """See the module. `options`: those of `tablebridge_drivers.llrp.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(LlrpStep.CONNECTION, Frames(messages.measure, messages.intact), options)
        self.belonging = Belonging(str(options[BOARD]))
        self._ports = int(options["antennas"])
        self._dbm = int(options["power_dbm"])
        self.gathered = Gathered(options, tuple(range(1, self._ports + 1)))
        self._reader = Capabilities("")
        self._number = 0
        """Of the request that is out."""

    def request(self, step: LlrpStep) -> tuple[bytes, int]:
        if step is LlrpStep.READING:
            return b"", SILENT_NS
        if step is LlrpStep.CONNECTION:
            return b"", ANSWER_NS
        self._number = self._number % _LARGEST_NUMBER + 1
        return messages.encode(_KINDS[step][0], self._number, self._data(step)), ANSWER_NS

    def retry(self, step: LlrpStep) -> LlrpStep:
        if step is LlrpStep.NUMBER and self.in_vain:
            self.report_board(self._reader.text, "")
            return LlrpStep.CONFIGURATION
        # A reader that says nothing by itself may still be the one of before; it is set up again.
        return LlrpStep.CAPABILITIES

    def heard(self, frame: bytes, now_ns: int) -> None:
        message = messages.read_message(frame)
        if isinstance(message, Rejected):
            self.report(message)
        elif message.kind == messages.KEEPALIVE:
            self.send(messages.encode(messages.KEEPALIVE_ACK, message.number))
            self._reads(now_ns)
        elif message.kind == messages.REPORT:
            self._reported(message, now_ns)
        elif message.kind == messages.EVENT:
            self._happened(message, now_ns)
        elif not self.waiting or message.number != self._number or self.step not in _KINDS:
            self.reject(Reason.UNEXPECTED, f"an answer {message.kind} that no request waits for", frame)
        elif message.kind in (_KINDS[self.step][1], messages.ERROR):
            self._answered(message, now_ns)
        else:
            self.reject(Reason.UNEXPECTED, f"an answer {message.kind} to {self.step.value}", frame)

    def _data(self, step: LlrpStep) -> bytes:
        match step:
            case LlrpStep.CAPABILITIES:
                return b"\0"
            case LlrpStep.NUMBER:
                return requests.identification()
            case LlrpStep.CONFIGURATION:
                return requests.configuration()
            case LlrpStep.ACCESS | LlrpStep.CLEAR:
                return requests.ALL
            case LlrpStep.ADD:
                power = requests.power_index(self._reader, self._dbm) if self._dbm else None
                return requests.rospec(self._ports, power, self._reader.hop_table)
        return requests.ROSPEC

    def _answered(self, message: Message, now_ns: int) -> None:
        code, text = messages.status(message.data)
        if code and self.step in _NEEDED:
            self.report_refusal(f"{self.step.value} refused: {text or code}")
            self.go_to(LlrpStep.CLEAR, now_ns + AFTER_REFUSAL_NS)
            return
        if code and self.step is LlrpStep.CONFIGURATION:
            self.report_status("degraded", f"{self.step.value} refused: {text or code}")
        if self.step is LlrpStep.CAPABILITIES:
            self._reader = messages.read_capabilities(message.data)
            if self.belonging.asked:
                self.go_to(LlrpStep.NUMBER, now_ns)
            else:
                self.report(DeviceStatus("identified", self._reader.text), alive=True)
                self.go_to(LlrpStep.CONFIGURATION, now_ns)
        elif self.step is LlrpStep.NUMBER:
            said = "" if code else messages.read_identification(message.data)
            self.report_board(self._reader.text, said)
            self.go_to(LlrpStep.CONFIGURATION, now_ns)
        elif code and self.step is LlrpStep.CLEAR:
            # There was none, or the reader takes 0 for a number like others.
            self.go_to(LlrpStep.REMOVE, now_ns)
        else:
            self.go_to(_NEXT[self.step], now_ns)

    def _reported(self, message: Message, now_ns: int) -> None:
        for tag in messages.read_report(message.data):
            if isinstance(tag, Rejected):
                self.report(tag)
            elif self.step is LlrpStep.READING:
                self.gathered.add(*tag, now_ns)
        self._reads(now_ns)

    def _reads(self, now_ns: int) -> None:
        """The reader has shown that it works; while it is set up that says nothing of its reading."""
        if self.step is LlrpStep.READING:
            self.works(now_ns)
            if self.waiting:
                self.wait_until(now_ns + SILENT_NS)

    def _happened(self, message: Message, now_ns: int) -> None:
        for kind, value in messages.parameters(messages.parameter(message.data, messages.EVENT_DATA) or b""):
            if kind == messages.CONNECTION_ATTEMPT:
                self._connected(int.from_bytes(value, "big"), now_ns)
            elif kind == messages.CONNECTION_CLOSE:
                self.report_status("failed", "the reader closes the connection")
            elif kind == messages.READER_EXCEPTION:
                self.report_status("degraded", f"the reader reports a fault: {messages.text(value)}")
            elif kind == messages.ANTENNA_EVENT and len(value) == 3:
                self._antenna(value[0] == 1, int.from_bytes(value[1:], "big"))

    def _connected(self, code: int, now_ns: int) -> None:
        if code:
            self.report_refusal("the reader has another client: end that one, a reader has one at a time")
            self.go_to(LlrpStep.CONNECTION, now_ns + AFTER_REFUSAL_NS)
        elif self.step is LlrpStep.CONNECTION:
            self.go_to(LlrpStep.CAPABILITIES, now_ns)

    def _antenna(self, connected: bool, antenna: int) -> None:
        if not 1 <= antenna <= self._ports:
            return
        if connected:
            self.report_success(antenna)
        else:
            self.report_status("failed", "no antenna at this port", antenna)
