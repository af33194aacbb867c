"""The conversation with one ACS reader: one question at a time, and one answer to each, which bears the
number of its question.

Theory. Two kinds of reader stand behind the same messages. An ACR122U hands commands through to its PN532,
which lists up to two ISO 14443A cards; its field goes off before each list, because a card that was listed
stays silent. The others (ACR1252U, ACR1552U) look for a card by themselves and name one: they are asked
whether one is there, and for its UID. Which kind it is shows in who answers the question for the firmware.

A place where one card was named may hold more: such a sweep is not complete. "No card" is.

    step      question                        answer                          next step
    NAME_122  6F FF 00 48 00 00               text: identity                  POWER_122
                                              anything else                   NAME
    NAME      6B E0 00 00 18 00               text: identity                  NUMBER
                                              anything else: identity unknown NUMBER
    NUMBER    6B E0 00 00 33 00               its own number, or refused      SLOT (left out without `board`)
    POWER_122 62                              any                             SET
    SET       6F FF 00 51 7F 00               any                             RETRIES
    RETRIES   6F … D4 32 05 00 01 02          any                             RF_OFF
    RF_OFF    6F … D4 32 01 00                D5 33: done                     LIST
                                              else: status                    NAME_122, after a wait
    LIST      6F … D4 4A 02 00                D5 4B: sweep                    RF_OFF
                                              else: status                    NAME_122, after a wait
    SLOT      65                              no card: empty sweep            SLOT
                                              a card                          POWER
    POWER     62                              done                            UID
                                              no card: empty sweep            SLOT
                                              else: a card that cannot be     SLOT
                                              read: sweep that is not complete
    UID       6F FF CA 00 00 00               UID 90 00: sweep                SLOT
                                              else: as POWER                  SLOT

An answer that says "wait" moves the deadline. All else is as in
`tablebridge.sdk.conversations.request_response`.
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected, Sweep
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.request_response import MS, RequestResponse
from tablebridge_drivers.acs import ccid

ANSWER_NS: Final = 1_000 * MS
AFTER_REFUSAL_NS: Final = 500 * MS


class AcsStep(Enum):
    """A step of the conversation with an ACS reader. The value is its name for people."""

    NAME_122 = "firmware of an ACR122U"
    NAME = "firmware"
    NUMBER = "serial number"
    POWER_122 = "power"
    SET = "operating parameter"
    RETRIES = "retries"
    RF_OFF = "field off"
    LIST = "list of cards"
    SLOT = "slot status"
    POWER = "card power"
    UID = "UID"


QUESTIONS: Final = {
    AcsStep.NAME_122: (ccid.BLOCK, ccid.FIRMWARE_122),
    AcsStep.NAME: (ccid.ESCAPE, ccid.FIRMWARE),
    AcsStep.NUMBER: (ccid.ESCAPE, ccid.SERIAL_NUMBER),
    AcsStep.POWER_122: (ccid.POWER_ON, b""),
    AcsStep.SET: (ccid.BLOCK, ccid.PICC_PARAMETER),
    AcsStep.RETRIES: (ccid.BLOCK, ccid.direct(ccid.RETRIES)),
    AcsStep.RF_OFF: (ccid.BLOCK, ccid.direct(ccid.RF_OFF)),
    AcsStep.LIST: (ccid.BLOCK, ccid.direct(ccid.LIST)),
    AcsStep.SLOT: (ccid.SLOT_STATUS, b""),
    AcsStep.POWER: (ccid.POWER_ON, b""),
    AcsStep.UID: (ccid.BLOCK, ccid.UID),
}


class AcsSession(RequestResponse[AcsStep]):
    """See the module. `options`: those of `tablebridge_drivers.acs.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(AcsStep.NAME_122, ccid.messages())
        self.belonging = Belonging(str(options[BOARD]))
        self._identity = ""
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._number = 0

    def request(self, step: AcsStep) -> tuple[bytes, int]:
        self._number = self._number + 1 & 0xFF
        kind, data = QUESTIONS[step]
        return ccid.encode(kind, self._number, data), ANSWER_NS

    def retry(self, step: AcsStep) -> AcsStep:
        if step is AcsStep.NUMBER and self.in_vain:
            self.report_board(self._identity, "")
            return AcsStep.SLOT
        return step

    def heard(self, frame: bytes, now_ns: int) -> None:
        message = ccid.decode_message(frame)
        if (
            not self.waiting
            or message.number != self._number
            or message.kind != ccid.ANSWERS[QUESTIONS[self.step][0]]
        ):
            self.reject(Reason.UNEXPECTED, "an answer nobody waits for", frame)
        elif message.outcome == ccid.WAIT:
            self.wait_until(now_ns + ANSWER_NS)
        else:
            self._answered(message, frame, now_ns)

    def _answered(self, message: ccid.Message, frame: bytes, now_ns: int) -> None:
        match self.step:
            case AcsStep.NAME_122 | AcsStep.NAME:
                self._named(ccid.firmware(message), now_ns)
            case AcsStep.NUMBER:
                self.report_board(self._identity, ccid.serial_number(message))
                self.go_to(AcsStep.SLOT, now_ns)
            case AcsStep.POWER_122:
                self.go_to(AcsStep.SET, now_ns)
            case AcsStep.SET:
                self.go_to(AcsStep.RETRIES, now_ns)
            case AcsStep.RETRIES:
                self.go_to(AcsStep.RF_OFF, now_ns)
            case AcsStep.RF_OFF if message.data[:2] == b"\xd5\x33":
                self.go_to(AcsStep.LIST, now_ns)
            case AcsStep.RF_OFF:
                self._faulty(message, now_ns)
            case AcsStep.LIST:
                said = ccid.meaning(message, frame)
                if isinstance(said, Sweep):
                    self._swept(said, AcsStep.RF_OFF, now_ns)
                elif isinstance(said, Rejected):
                    self.report(said)
                    self.go_to(AcsStep.RF_OFF, now_ns + self._poll_ns)
                else:
                    self._faulty(message, now_ns)
            case AcsStep.SLOT if message.outcome == ccid.FAILED and message.card != ccid.NO_CARD:
                self._faulty(message, now_ns)
            case AcsStep.SLOT | AcsStep.POWER | AcsStep.UID if message.card == ccid.NO_CARD:
                self._swept(Sweep(0, ()), AcsStep.SLOT, now_ns)
            case AcsStep.SLOT:
                self.go_to(AcsStep.POWER, now_ns)
            case AcsStep.POWER if message.outcome != ccid.FAILED:
                self.go_to(AcsStep.UID, now_ns)
            case _:
                uid = ccid.uid(message) if self.step is AcsStep.UID else None
                self._swept(Sweep(0, (uid,) if uid else (), complete=False), AcsStep.SLOT, now_ns)

    def _named(self, name: str, now_ns: int) -> None:
        if self.step is AcsStep.NAME_122 and not name.startswith("ACR122"):
            self.go_to(AcsStep.NAME, now_ns)
            return
        self._identity = f"ACS {name}" if name else "CCID reader that does not name itself"
        then = AcsStep.POWER_122 if self.step is AcsStep.NAME_122 else AcsStep.SLOT
        if not self.belonging.asked:
            self.report(DeviceStatus("identified", self._identity), alive=True)
        elif then is AcsStep.SLOT:
            then = AcsStep.NUMBER
        else:
            # An ACR122U has no command for a number.
            self.report_board(self._identity, "")
        self.go_to(then, now_ns)

    def _swept(self, sweep: Sweep, step: AcsStep, now_ns: int) -> None:
        self.report_success()
        self.report(sweep, alive=True)
        self.go_to(step, now_ns + self._poll_ns)

    def _faulty(self, message: ccid.Message, now_ns: int) -> None:
        """The radio does not do what was asked of it: report that, and restart."""
        said = ccid.meaning(message)
        detail = said.detail if isinstance(said, DeviceStatus) else "no answer that makes sense"
        self.report_refusal(f"{self.step.value}: {detail}")
        self.go_to(AcsStep.NAME_122, now_ns + AFTER_REFUSAL_NS)
