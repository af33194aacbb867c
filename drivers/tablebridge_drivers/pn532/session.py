"""The conversation with a PN532 on its serial line.

Theory. The chip acknowledges a command at once and answers later; both come in one stream. It sleeps after
power-on, so the first command follows a long preamble. Of itself it would look for a card for ever and say
nothing meanwhile: the number of its tries is set first, and then an empty field answers too. A command that
got no answer may still be at work in the chip; the ACK frame ends it, and goes before what is asked again.

A listed card stays selected and must be released before it can be listed again: by switching the field off
and on, which wakes every card, or by InRelease, which may leave a card halted: such a card answers to a WUPA
alone. ESPHome's pn532.cpp switches the field off after every look, nfcpy mutes it, libnfc releases and
selects. The chip lists two cards at most, so a sweep of as many as were asked for is incomplete.

    step      command                     answer                        next step
    WAKE      preamble, SAMConfiguration  done                          FIRMWARE
    FIRMWARE  GetFirmwareVersion          version: identity             TRIES
    TRIES     RFConfiguration item 5      done                          RELEASE, or FIELD_OFF
    LIST      InListPassiveTarget         none: empty sweep             LIST
                                          one or two: sweep             RELEASE, or FIELD_OFF
                                          none that is whole            RELEASE, or FIELD_OFF
    RELEASE   InRelease                   done                          LIST
    FIELD_OFF RFConfiguration item 1, 0   done                          FIELD_ON
    FIELD_ON  RFConfiguration item 1, 1   done                          LIST
    any                                   NACK, or an error frame       the same, at once
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected, Sweep
from tablebridge.sdk.conversations.request_response import BREAK_NS, MS, RequestResponse
from tablebridge_drivers.pn532 import frames
from tablebridge_drivers.pn532.frames import ACK, WAKE_UP, Ack, Answer, encode, read_frame, read_targets

SHORT_ANSWER_NS: Final = 500 * MS


class Pn532Step(Enum):
    """A step of the conversation with a PN532. The value is its name for people."""

    WAKE = "SAMConfiguration"
    FIRMWARE = "GetFirmwareVersion"
    TRIES = "RFConfiguration"
    LIST = "InListPassiveTarget"
    RELEASE = "InRelease"
    FIELD_OFF = "field off"
    FIELD_ON = "field on"


COMMAND: Final = {
    Pn532Step.WAKE: frames.SAM,
    Pn532Step.FIRMWARE: frames.FIRMWARE,
    Pn532Step.TRIES: frames.RF_CONFIGURATION,
    Pn532Step.LIST: frames.LIST,
    Pn532Step.RELEASE: frames.RELEASE,
    Pn532Step.FIELD_OFF: frames.RF_CONFIGURATION,
    Pn532Step.FIELD_ON: frames.RF_CONFIGURATION,
}


class Pn532Session(RequestResponse[Pn532Step]):
    """See the module. `options`: those of `tablebridge_drivers.pn532.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(Pn532Step.WAKE, frames.frames())
        self._most = int(options["targets"])
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._answer_ns = int(options["answer_ms"]) * MS
        self._let_go = Pn532Step.RELEASE if options["let_go"] == "release" else Pn532Step.FIELD_OFF
        data = {
            Pn532Step.WAKE: b"\x01",
            Pn532Step.FIRMWARE: b"",
            Pn532Step.TRIES: bytes((5, 0xFF, 1, int(options["tries"]))),
            Pn532Step.LIST: bytes((self._most, 0)),
            Pn532Step.RELEASE: b"\0",
            Pn532Step.FIELD_OFF: b"\1\0",
            Pn532Step.FIELD_ON: b"\1\1",
        }
        self._requests = {step: encode(command, data[step]) for step, command in COMMAND.items()}
        # Behind the wake-up's own zeros comes no further preamble.
        self._requests[Pn532Step.WAKE] = WAKE_UP + self._requests[Pn532Step.WAKE][2:]
        self._unanswered = False

    def restart(self) -> None:
        super().restart()
        self._unanswered = False

    def request(self, step: Pn532Step) -> tuple[bytes, int]:
        abort = ACK if self._unanswered else b""
        self._unanswered = False
        return abort + self._requests[step], self._answer_ns if step is Pn532Step.LIST else SHORT_ANSWER_NS

    def retry(self, step: Pn532Step) -> Pn532Step:
        self._unanswered = True
        # It may have listed a card all the same, which now keeps silent.
        return self._let_go if step is Pn532Step.LIST else step

    def heard(self, frame: bytes, now_ns: int) -> None:
        said = read_frame(frame)
        step = self.step
        match said:
            case Rejected():
                self.reject(said.reason, said.detail, frame)
                if self.waiting:
                    self.wait_until(now_ns + BREAK_NS)
            case Ack(good):
                if not good and self.waiting:
                    self.wait_until(now_ns + BREAK_NS)
            case Answer(command) if self.waiting and command == COMMAND[step]:
                self._answered(step, said, frame, now_ns)
            case Answer(command):
                self.reject(Reason.UNEXPECTED, f"an answer to {command:02X} nobody waits for", frame)

    def _answered(self, step: Pn532Step, answer: Answer, frame: bytes, now_ns: int) -> None:
        match step:
            case Pn532Step.WAKE:
                self.go_to(Pn532Step.FIRMWARE, now_ns)
            case Pn532Step.FIRMWARE:
                self.report(DeviceStatus("identified", frames.firmware_text(answer.data)), alive=True)
                self.go_to(Pn532Step.TRIES, now_ns)
            case Pn532Step.TRIES:
                # Whoever used the chip before may have left a card selected.
                self.go_to(self._let_go, now_ns)
            case Pn532Step.RELEASE | Pn532Step.FIELD_ON:
                self.go_to(Pn532Step.LIST, now_ns)
            case Pn532Step.FIELD_OFF:
                self.go_to(Pn532Step.FIELD_ON, now_ns)
            case Pn532Step.LIST:
                targets = read_targets(answer)
                if isinstance(targets, Rejected):
                    self.reject(targets.reason, targets.detail, frame)
                else:
                    self.report(Sweep(0, targets, complete=len(targets) < self._most), alive=True)
                # Whatever was listed, and could not be read, is selected now.
                self.go_to(Pn532Step.LIST if targets == () else self._let_go, now_ns + self._poll_ns)
