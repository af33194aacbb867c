"""The conversation with one ACS reader: one question at a time, one answer to each, told apart by their
numbers.

Theory. Two kinds of reader stand behind the same messages. An ACR122U hands commands through to its PN532,
which lists up to two ISO 14443A cards; its field goes off before each list, because a card that was listed
stays silent. The others (ACR1252U, ACR1552U) look for a card by themselves and name one: they are asked
whether one is there, and for its UID. Which kind it is shows in who answers the question for the firmware.

A place where one card was named may hold more: such a sweep is not complete. "No card" is.

    step      question                        answer                          next step
    NAME_122  6F FF 00 48 00 00               text: identity                  POWER_122
                                              anything else                   NAME
    NAME      6B E0 00 00 18 00               text: identity                  SLOT
                                              anything else                   SLOT (a reader that does not name itself)
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

An answer that says "wait" moves the deadline. After `TRIES` questions without an answer it begins anew.
"""

from enum import Enum
from typing import Final, Literal

from tablebridge.sdk import DeviceStatus, Instant, Options, Reading, Reason, Rejected, Sweep, Turn
from tablebridge.sdk.framing import rejected
from tablebridge_drivers.acs import ccid

MS: Final = 1_000_000
ANSWER_NS: Final = 1_000 * MS
AFTER_REFUSAL_NS: Final = 500 * MS
TRIES: Final = 3
FAULTS_TO_FAIL: Final = 5


class Step(Enum):
    NAME_122 = "firmware of an ACR122U"
    NAME = "firmware"
    POWER_122 = "power"
    SET = "operating parameter"
    RETRIES = "retries"
    RF_OFF = "field off"
    LIST = "list of cards"
    SLOT = "slot status"
    POWER = "card power"
    UID = "UID"


QUESTIONS: Final = {
    Step.NAME_122: (ccid.BLOCK, ccid.FIRMWARE_122),
    Step.NAME: (ccid.ESCAPE, ccid.FIRMWARE),
    Step.POWER_122: (ccid.POWER_ON, b""),
    Step.SET: (ccid.BLOCK, ccid.PICC_PARAMETER),
    Step.RETRIES: (ccid.BLOCK, ccid.direct(ccid.RETRIES)),
    Step.RF_OFF: (ccid.BLOCK, ccid.direct(ccid.RF_OFF)),
    Step.LIST: (ccid.BLOCK, ccid.direct(ccid.LIST)),
    Step.SLOT: (ccid.SLOT_STATUS, b""),
    Step.POWER: (ccid.POWER_ON, b""),
    Step.UID: (ccid.BLOCK, ccid.UID),
}


class AcsSession:
    """See the module. `options`: those of `tablebridge_drivers.acs.DRIVER`."""

    def __init__(self, options: Options) -> None:
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._messages = ccid.messages()
        self._step = Step.NAME_122
        self._number = 0
        self._waiting = False
        self._at_ns = 0
        self._tries = 0
        self._faults = 0
        self._told = "ok"
        self._readings: list[Reading] = []
        self._rejected: list[Rejected] = []
        self._alive = False

    def start(self, now: Instant) -> Turn:
        return self._turn(self._ask(now.monotonic_ns))

    def received(self, data: bytes, now: Instant) -> Turn:
        self._take(self._messages.feed(data), now.monotonic_ns)
        return self._turn(b"")

    def due(self, now: Instant) -> Turn:
        now_ns = now.monotonic_ns
        if now_ns < self._at_ns:
            return self._turn(b"")
        if self._waiting:
            self._take(self._messages.silence(), now_ns)
        if self._waiting:
            self._rejected.append(Rejected(Reason.TIMEOUT, f"no answer to {self._step.value}"))
            self._tries += 1
            if self._tries >= TRIES:
                self._step, self._tries = Step.NAME_122, 0
        return self._turn(self._ask(now_ns))

    def _turn(self, send: bytes) -> Turn:
        turn = Turn(tuple(self._readings), tuple(self._rejected), send, self._at_ns, self._alive)
        self._readings.clear()
        self._rejected.clear()
        self._alive = False
        return turn

    def _ask(self, now_ns: int) -> bytes:
        self._waiting = True
        self._at_ns = now_ns + ANSWER_NS
        self._number = self._number + 1 & 0xFF
        kind, data = QUESTIONS[self._step]
        return ccid.encode(kind, self._number, data)

    def _next(self, step: Step, at_ns: int) -> None:
        self._step, self._waiting, self._at_ns = step, False, at_ns

    def _take(self, found: list[bytes | Rejected], now_ns: int) -> None:
        for item in found:
            if isinstance(item, Rejected):
                self._rejected.append(item)
                continue
            message = ccid.decode_message(item)
            if (
                not self._waiting
                or message.number != self._number
                or message.kind != ccid.ANSWERS[QUESTIONS[self._step][0]]
            ):
                self._rejected.append(rejected(Reason.UNEXPECTED, "an answer nobody waits for", item))
            elif message.outcome == ccid.WAIT:
                self._at_ns = now_ns + ANSWER_NS
            else:
                self._tries = 0
                self._answered(message, item, now_ns)

    def _answered(self, message: ccid.Message, frame: bytes, now_ns: int) -> None:
        match self._step:
            case Step.NAME_122 | Step.NAME:
                self._named(ccid.firmware(message), now_ns)
            case Step.POWER_122:
                self._next(Step.SET, now_ns)
            case Step.SET:
                self._next(Step.RETRIES, now_ns)
            case Step.RETRIES:
                self._next(Step.RF_OFF, now_ns)
            case Step.RF_OFF if message.data[:2] == b"\xd5\x33":
                self._next(Step.LIST, now_ns)
            case Step.RF_OFF:
                self._faulty(message, now_ns)
            case Step.LIST:
                told = ccid.meaning(message, frame)
                if isinstance(told, Sweep):
                    self._swept(told, Step.RF_OFF, now_ns)
                elif isinstance(told, Rejected):
                    self._rejected.append(told)
                    self._next(Step.RF_OFF, now_ns + self._poll_ns)
                else:
                    self._faulty(message, now_ns)
            case Step.SLOT if message.outcome == ccid.FAILED and message.card != ccid.NO_CARD:
                self._faulty(message, now_ns)
            case Step.SLOT | Step.POWER | Step.UID if message.card == ccid.NO_CARD:
                self._swept(Sweep(0, ()), Step.SLOT, now_ns)
            case Step.SLOT:
                self._next(Step.POWER, now_ns)
            case Step.POWER if message.outcome != ccid.FAILED:
                self._next(Step.UID, now_ns)
            case _:
                uid = ccid.uid(message) if self._step is Step.UID else None
                self._swept(Sweep(0, (uid,) if uid else (), complete=False), Step.SLOT, now_ns)

    def _named(self, name: str, now_ns: int) -> None:
        if self._step is Step.NAME_122 and not name.startswith("ACR122"):
            self._next(Step.NAME, now_ns)
            return
        self._readings.append(
            DeviceStatus("identified", f"ACS {name}" if name else "CCID reader that does not name itself")
        )
        self._alive = True
        self._next(Step.POWER_122 if self._step is Step.NAME_122 else Step.SLOT, now_ns)

    def _swept(self, sweep: Sweep, step: Step, now_ns: int) -> None:
        self._faults = 0
        self._tell("ok", "")
        self._readings.append(sweep)
        self._alive = True
        self._next(step, now_ns + self._poll_ns)

    def _faulty(self, message: ccid.Message, now_ns: int) -> None:
        """The radio does not do what it was told: say so, and begin anew."""
        self._faults += 1
        told = ccid.meaning(message)
        detail = told.detail if isinstance(told, DeviceStatus) else "no answer that makes sense"
        self._tell(
            "failed" if self._faults >= FAULTS_TO_FAIL else "degraded", f"{self._step.value}: {detail}"
        )
        self._next(Step.NAME_122, now_ns + AFTER_REFUSAL_NS)

    def _tell(self, state: Literal["ok", "degraded", "failed"], detail: str) -> None:
        if self._told != state:
            self._told = state
            self._readings.append(DeviceStatus(state, detail))
