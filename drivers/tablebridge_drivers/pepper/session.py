"""The conversation with an Eccel Pepper C1, or with its MUX model that has eight antennas.

Theory. The reader's own polling is switched off, since it keeps to one antenna and to five tags. An inventory
asks for the first tag and then for the next while there are more; an error of the number that stands for a
timeout means that no tag is there. With several antennas each is selected before its inventory and given
`settle_ms` for its field. Tags of ISO 14443 have no inventory of their own: they are counted (five at most),
then asked for one by one.

    step      command       answer                       next step
    PING      01            acknowledged                 VERSION
    VERSION   0B            text                         NAME
    NAME      13 00         its own name, or refused     POLLING  (left out without `board`)
    POLLING   06 00         acknowledged, or refused     ANTENNA (with one antenna: the inventory)
    ANTENNA   0F n          acknowledged                 the inventory, after `settle_ms`
                            refused: status              ANTENNA of the next, after a longer wait
    FIRST     90 AFI        a tag, more                  NEXT
                            a tag, no more: sweep        ANTENNA of the next
                            error 1: empty sweep         ANTENNA of the next
    NEXT      91 AFI        as FIRST; but an error makes the sweep incomplete
    COUNT     02            0: empty sweep, else         UID, or ANTENNA of the next
    UID       03 i          a tag                        UID, and after the last: sweep, ANTENNA of the next
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected, Sweep
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.request_response import MS, RequestResponse, following
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.pepper import frames
from tablebridge_drivers.pepper.frames import Answer, encode, read_answer, read_icode, read_uid

SHORT_ANSWER_NS: Final = 500 * MS
AFTER_REFUSAL_NS: Final = 500 * MS
MOST_TAGS: Final = 64
"""More tags on one antenna than any field powers: a reader that has still more then is not to be believed."""
MOST_COUNTED: Final = 5


class PepperStep(Enum):
    """A step of the conversation with a Pepper C1. The value is its name for people."""

    PING = "ping"
    VERSION = "version"
    NAME = "name"
    POLLING = "polling off"
    ANTENNA = "antenna selection"
    FIRST = "inventory start"
    NEXT = "inventory next"
    COUNT = "tag count"
    UID = "tag UID"


COMMAND: Final = {
    PepperStep.PING: frames.DUMMY,
    PepperStep.VERSION: frames.VERSION,
    PepperStep.NAME: frames.SETTINGS,
    PepperStep.POLLING: frames.POLLING,
    PepperStep.ANTENNA: frames.ANTENNA,
    PepperStep.FIRST: frames.INVENTORY_START,
    PepperStep.NEXT: frames.INVENTORY_NEXT,
    PepperStep.COUNT: frames.TAG_COUNT,
    PepperStep.UID: frames.TAG_UID,
}


class PepperSession(RequestResponse[PepperStep]):
    """See the module. `options`: those of `tablebridge_drivers.pepper.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(PepperStep.PING, Frames(frames.measure, frames.intact))
        self.belonging = Belonging(str(options[BOARD]))
        self._identity = ""
        self._antennas = (0,) if options["antennas"] == 1 else tuple(range(1, int(options["antennas"]) + 1))
        self._sweep_by = PepperStep.FIRST if options["cards"] == "iso15693" else PepperStep.COUNT
        self._begin = PepperStep.ANTENNA if len(self._antennas) > 1 else self._sweep_by
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._settle_ns = int(options["settle_ms"]) * MS
        self._answer_ns = int(options["answer_ms"]) * MS
        self._afi = int(options["afi"])
        address = int(options["address"])
        self._address = address or None
        self._head = bytes((address,)) if address else b""
        self._antenna = self._antennas[0]
        self._tags: list[str] = []
        self._count = 0

    def restart(self) -> None:
        super().restart()
        self._tags = []

    def request(self, step: PepperStep) -> tuple[bytes, int]:
        data = b""
        match step:
            case PepperStep.POLLING | PepperStep.NAME:
                data = b"\0"
            case PepperStep.ANTENNA:
                data = bytes((self._antenna,))
            case PepperStep.FIRST | PepperStep.NEXT:
                data = bytes((self._afi,))
            case PepperStep.UID:
                data = bytes((len(self._tags),))
        if step in (PepperStep.FIRST, PepperStep.COUNT):
            self._tags = []
        return encode(self._head + bytes((COMMAND[step],)) + data), SHORT_ANSWER_NS if step in (
            PepperStep.PING,
            PepperStep.VERSION,
            PepperStep.NAME,
            PepperStep.POLLING,
            PepperStep.ANTENNA,
        ) else self._answer_ns

    def retry(self, step: PepperStep) -> PepperStep:
        if step is PepperStep.NAME and self.in_vain:
            self.report_board(self._identity, "")
            return PepperStep.POLLING
        # A tag whose answer was lost would be missing: the inventory begins again, and on the right antenna.
        return (
            self._begin
            if step in (PepperStep.FIRST, PepperStep.NEXT, PepperStep.COUNT, PepperStep.UID)
            else step
        )

    def heard(self, frame: bytes, now_ns: int) -> None:
        answer = read_answer(frame)
        if isinstance(answer, Rejected):
            self.reject(answer.reason, answer.detail, frame)
            return
        if answer.address != self._address:
            self.reject(Reason.UNEXPECTED, f"an answer of the reader with address {answer.address}", frame)
            return
        if answer.kind == frames.UNASKED:
            # Polling was on, or another program left it so: these tags are of no known antenna.
            self.reject(Reason.UNEXPECTED, "an event that was switched off", frame)
            return
        step = self.step
        if not self.waiting or answer.command != COMMAND[step]:
            self.reject(Reason.UNEXPECTED, f"an answer to {answer.command:02X} nobody waits for", frame)
        elif answer.kind == frames.ERROR:
            self._refused(step, answer, now_ns)
        else:
            self._answered(step, answer, frame, now_ns)

    def _answered(self, step: PepperStep, answer: Answer, frame: bytes, now_ns: int) -> None:
        match step:
            case PepperStep.PING:
                self.go_to(PepperStep.VERSION, now_ns)
            case PepperStep.VERSION:
                self._identified(answer.data, now_ns)
            case PepperStep.NAME:
                self.report_board(self._identity, frames.device_name(answer.data))
                self.go_to(PepperStep.POLLING, now_ns)
            case PepperStep.POLLING:
                self.go_to(self._begin, now_ns)
            case PepperStep.ANTENNA:
                self.go_to(self._sweep_by, now_ns + self._settle_ns)
            case PepperStep.FIRST | PepperStep.NEXT:
                icode = read_icode(answer.data)
                if isinstance(icode, Rejected):
                    self.reject(icode.reason, icode.detail, frame)
                    self._swept(False, now_ns)
                    return
                self._tags.append(icode.uid)
                if icode.more and len(self._tags) < MOST_TAGS:
                    self.go_to(PepperStep.NEXT, now_ns)
                else:
                    self._swept(not icode.more, now_ns)
            case PepperStep.COUNT:
                self._counted(answer, frame, now_ns)
            case PepperStep.UID:
                uid = read_uid(answer.data)
                if isinstance(uid, Rejected):
                    self.reject(uid.reason, uid.detail, frame)
                    self._swept(False, now_ns)
                    return
                self._tags.append(uid)
                if len(self._tags) < self._count:
                    self.go_to(PepperStep.UID, now_ns)
                else:
                    self._swept(self._count < MOST_COUNTED, now_ns)

    def _identified(self, version: bytes, now_ns: int) -> None:
        self._identity = frames.version_text(version)
        if self.belonging.asked:
            self.go_to(PepperStep.NAME, now_ns)
        else:
            self.report(DeviceStatus("identified", self._identity), alive=True)
            self.go_to(PepperStep.POLLING, now_ns)

    def _counted(self, answer: Answer, frame: bytes, now_ns: int) -> None:
        self._count = answer.data[0] if len(answer.data) == 1 else 0
        if len(answer.data) != 1 or self._count > MOST_COUNTED:
            self.reject(Reason.IMPOSSIBLE_VALUE, "a tag count", frame)
            self._go_on(now_ns + self._poll_ns)
        elif self._count:
            self.go_to(PepperStep.UID, now_ns)
        else:
            self._swept(True, now_ns)

    def _refused(self, step: PepperStep, answer: Answer, now_ns: int) -> None:
        match step:
            case PepperStep.FIRST if answer.data[1:2] == bytes((frames.TIMED_OUT,)):
                self._swept(True, now_ns)
            case PepperStep.NEXT | PepperStep.UID:
                self._swept(False, now_ns)
            case PepperStep.FIRST | PepperStep.COUNT | PepperStep.ANTENNA:
                self.report_refusal(frames.error_text(answer), self._antenna)
                self._go_on(now_ns + AFTER_REFUSAL_NS)
            case PepperStep.VERSION:
                self._identified(b"", now_ns)
            case PepperStep.NAME:
                self.report_board(self._identity, "")
                self.go_to(PepperStep.POLLING, now_ns)
            case _:
                # A firmware that cannot ping or has no polling of its own sweeps all the same.
                self.go_to(PepperStep.VERSION if step is PepperStep.PING else self._begin, now_ns)

    def _swept(self, complete: bool, now_ns: int) -> None:
        self.report_success(self._antenna)
        self.report(Sweep(self._antenna, tuple(sorted(set(self._tags))), complete=complete), alive=True)
        self._go_on(now_ns + self._poll_ns)

    def _go_on(self, at_ns: int) -> None:
        self._antenna = following(self._antenna, self._antennas)
        self.go_to(self._begin, at_ns)
