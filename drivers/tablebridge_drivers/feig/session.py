"""The conversation with one FEIG OBID reader: one request at a time, one answer to each.

Theory. The reader speaks only when asked, and does not answer what it cannot check; so every request has a
deadline. An answer is taken by its control byte, never by its address: a request goes to FF, the answer comes
from the reader's own. A request that got no answer, or a damaged one, is asked again; after `TRIES` of them
in a row the conversation starts from the beginning, for the reader may have been switched off, or exchanged
for another one.

As it leaves the factory a reader names a tag once and keeps it quiet from then on (configuration block 5,
ONT). With `ont = "rf-reset"` the field is switched off and on before each inventory, which wakes all tags;
with "presc" the inventory itself is asked to name quiet tags too; with "cleared" somebody has switched ONT
off in the reader.

An answer can hold fewer tags than there are: status 94 says so, and the rest is fetched until status 00 or
01. All that came is one sweep. A sweep is complete only where every answer to it was whole: a damaged record,
status 83 (anticollision not finished) and the like make it incomplete, and status 84, F1, 82 and other
refusals are no sweep at all but a status.

    step      request        answer                        next step
    PROBE     52 00          any status                    VERSION
    VERSION   65             OK: identity                  INFO
    INFO      66 00          OK: sizes of buffers          SELECT
    SELECT    6A antenna     (left out with one antenna)   RESET
    RESET     69             (left out without rf-reset)   INVENTORY
    INVENTORY B0 01 mode     94: more data                 MORE
                             00, 01: sweep                 SELECT, of the next antenna
                             83 …: incomplete sweep        SELECT, of the next antenna
                             else: status                  SELECT, of the next antenna, after a longer wait
    MORE      B0 01 80       as INVENTORY

A reader's only antenna is number 0; two are 1 and 2, as the reader numbers them.

Between an answer and the next request lie at least `quiet_ms` (PSST of the reader), between two sweeps
`poll_interval_ms`.
"""

from enum import Enum
from typing import Final, Literal

from tablebridge.sdk import DeviceStatus, Instant, Options, Reading, Reason, Rejected, Sweep, Turn
from tablebridge.sdk.framing import Frames, rejected
from tablebridge_drivers.feig import codes
from tablebridge_drivers.feig.frames import (
    ANY,
    Answer,
    Request,
    decode_answer,
    encode_request,
    intact,
    measure_answer,
)

MS: Final = 1_000_000
BREAK_NS: Final = 40 * MS
"""Silence after which a frame that has begun is given up. The reader pauses 12 ms at most; USB adapters add
their own.
"""
SHORT_ANSWER_NS: Final = 400 * MS
"""All but an inventory is answered within 15 ms and what the adapter adds."""
AFTER_REFUSAL_NS: Final = 500 * MS
TRIES: Final = 3
FAULTS_TO_FAIL: Final = 5
MOST_ANSWERS: Final = 64
"""So many answers may make one sweep; a reader that still has more data then is not to be believed."""

Health = Literal["ok", "degraded", "failed"]


class Step(Enum):
    PROBE = "baud rate detection"
    VERSION = "software version"
    INFO = "reader info"
    SELECT = "antenna selection"
    RESET = "RF reset"
    INVENTORY = "inventory"
    MORE = "rest of the inventory"


CONTROL: Final = {
    Step.PROBE: codes.BAUD_DETECTION,
    Step.VERSION: codes.SOFTWARE_VERSION,
    Step.INFO: codes.READER_INFO,
    Step.SELECT: codes.RF_ON,
    Step.RESET: codes.RF_RESET,
    Step.INVENTORY: codes.HOST_COMMAND,
    Step.MORE: codes.HOST_COMMAND,
}


class FeigSession:
    """See the module. `options`: those of `tablebridge_drivers.feig.DRIVER`."""

    def __init__(self, options: Options) -> None:
        self._antennas = (0,) if options["antennas"] == 1 else (1, 2)
        self._rf_reset = options["ont"] == "rf-reset"
        self._quiet_ns = int(options["quiet_ms"]) * MS
        self._poll_ns = max(int(options["poll_interval_ms"]) * MS, self._quiet_ns)
        self._answer_ns = int(options["answer_ms"]) * MS
        address, advanced = int(options["address"]), options["frames"] == "advanced"
        mode = codes.MODE_PRESC if options["ont"] == "presc" else codes.MODE_NEW

        def request(control: int, *data: int) -> bytes:
            return encode_request(Request(control, bytes(data), address, advanced))

        self._requests = {
            Step.PROBE: request(codes.BAUD_DETECTION, 0),
            Step.VERSION: request(codes.SOFTWARE_VERSION),
            Step.INFO: request(codes.READER_INFO, 0),
            Step.RESET: request(codes.RF_RESET),
            Step.INVENTORY: request(codes.HOST_COMMAND, codes.INVENTORY, mode),
            Step.MORE: request(codes.HOST_COMMAND, codes.INVENTORY, codes.MODE_MORE),
        }
        self._selections = {antenna: request(codes.RF_ON, antenna) for antenna in self._antennas}
        self._first = (
            Step.SELECT if len(self._antennas) > 1 else Step.RESET if self._rf_reset else Step.INVENTORY
        )

        self._frames = Frames(measure_answer, intact)
        self._step = Step.PROBE
        self._waiting = False
        """True: a request is out and `_at_ns` is its deadline. False: `_at_ns` is when the next request goes
        out.
        """
        self._at_ns = 0
        self._break_ns: int | None = None
        self._tries = 0
        self._identity = ""
        self._antenna = self._antennas[0]
        self._tags: set[str] = set()
        self._complete = True
        self._answers = 0
        self._faults = dict.fromkeys(self._antennas, 0)
        self._told: dict[int | None, str] = {}

        self._readings: list[Reading] = []
        self._rejected: list[Rejected] = []
        self._alive = False

    def start(self, now: Instant) -> Turn:
        self._next(Step.PROBE, now.monotonic_ns)
        return self._turn(self._ask(now.monotonic_ns))

    def received(self, data: bytes, now: Instant) -> Turn:
        self._break_ns = now.monotonic_ns + BREAK_NS
        self._take(self._frames.feed(data), now.monotonic_ns)
        return self._turn(b"")

    def due(self, now: Instant) -> Turn:
        now_ns = now.monotonic_ns
        if self._frames.pending and self._break_ns is not None and now_ns >= self._break_ns:
            self._take(self._frames.silence(), now_ns)
        if self._waiting and self._break_ns is not None:
            # The reader is not spoken over while bytes of it still come.
            self._at_ns = max(self._at_ns, self._break_ns)
        if now_ns < self._at_ns:
            return self._turn(b"")
        if self._waiting:
            self._rejected.append(Rejected(Reason.TIMEOUT, f"no whole answer to {self._step.value}"))
            self._tries += 1
            # What is asked again is asked from where it is safe to: the rest of an inventory cannot be asked
            # for twice.
            if self._tries >= TRIES:
                self._step, self._tries = Step.PROBE, 0
            elif self._step in (Step.RESET, Step.INVENTORY, Step.MORE):
                self._step = self._first
        return self._turn(self._ask(now_ns))

    def _turn(self, send: bytes) -> Turn:
        wake_ns = self._at_ns
        if self._frames.pending and self._break_ns is not None:
            wake_ns = min(wake_ns, self._break_ns)
        turn = Turn(tuple(self._readings), tuple(self._rejected), send, wake_ns, self._alive)
        self._readings.clear()
        self._rejected.clear()
        self._alive = False
        return turn

    def _ask(self, now_ns: int) -> bytes:
        step = self._step
        self._waiting = True
        self._at_ns = now_ns + (self._answer_ns if CONTROL[step] == codes.HOST_COMMAND else SHORT_ANSWER_NS)
        if step is Step.INVENTORY:
            self._tags, self._complete, self._answers = set(), True, 0
        return self._selections[self._antenna] if step is Step.SELECT else self._requests[step]

    def _next(self, step: Step, at_ns: int) -> None:
        self._step, self._waiting, self._at_ns = step, False, at_ns

    def _take(self, found: list[bytes | Rejected], now_ns: int) -> None:
        for item in found:
            if isinstance(item, Rejected):
                self._rejected.append(item)
                if self._waiting:
                    # A damaged answer does not come again: ask anew as soon as the line is silent.
                    self._at_ns = min(self._at_ns, now_ns + BREAK_NS)
                continue
            answer = decode_answer(item)
            if answer.address == ANY or item in self._requests.values():
                self._rejected.append(
                    rejected(Reason.UNEXPECTED, "the line sends requests back (echo)", item)
                )
            elif not self._waiting or answer.control != CONTROL[self._step]:
                self._rejected.append(
                    rejected(Reason.UNEXPECTED, f"an answer to {answer.control:02X} nobody waits for", item)
                )
            else:
                self._tries = 0
                self._answered(answer, now_ns)

    def _answered(self, answer: Answer, now_ns: int) -> None:
        then = now_ns + self._quiet_ns
        match self._step:
            case Step.PROBE:
                self._next(Step.VERSION, then)
            case Step.VERSION:
                self._identity = self._identify(answer)
                self._next(Step.INFO, then)
            case Step.INFO:
                if answer.status == codes.OK and len(answer.data) >= 11:
                    self._identity += f", answers of up to {int.from_bytes(answer.data[9:11], 'big')} bytes"
                self._readings.append(DeviceStatus("identified", self._identity))
                self._alive = True
                self._next(self._first, then)
            case Step.SELECT:
                self._accepted(answer)
                self._next(Step.RESET if self._rf_reset else Step.INVENTORY, then)
            case Step.RESET:
                self._accepted(answer)
                self._next(Step.INVENTORY, then)
            case Step.INVENTORY | Step.MORE:
                self._inventory(answer, now_ns)

    def _identify(self, answer: Answer) -> str:
        model = codes.model_text(answer.data) if answer.status == codes.OK else None
        return model or f"FEIG reader that does not name itself ({codes.status_text(answer.status)})"

    def _accepted(self, answer: Answer) -> None:
        """An antenna selection or RF reset that is refused leaves inventories that cannot be trusted: tell
        it.
        """
        if answer.status == codes.OK:
            self._tell("ok", "", None)
        else:
            self._tell("degraded", f"{self._step.value} refused, {codes.status_text(answer.status)}", None)

    def _inventory(self, answer: Answer, now_ns: int) -> None:
        status = answer.status
        if status in codes.WITH_RECORDS:
            records = codes.read_records(answer.data)
            # A reader whose anticollision broke down may have nothing to say and says it with no data at all.
            if records.fault is not None and (answer.data or status != codes.RF_ERROR):
                self._rejected.append(records.fault)
                self._complete = False
            self._tags.update(records.tags)
        self._answers += 1
        if status == codes.MORE_DATA and self._answers < MOST_ANSWERS:
            self._next(Step.MORE, now_ns + self._quiet_ns)
            return
        antenna = self._antenna
        wait_ns = self._poll_ns
        if status in codes.SWEPT or status in codes.CUT_SHORT:
            complete = self._complete and status in (codes.OK, codes.NO_TAG)
            self._faults[antenna] = 0
            self._tell("ok", "", antenna)
            self._readings.append(Sweep(antenna, tuple(sorted(self._tags)), complete=complete))
            self._alive = True
        else:
            self._faults[antenna] += 1
            failed = self._faults[antenna] >= FAULTS_TO_FAIL
            self._tell("failed" if failed else "degraded", codes.status_text(status), antenna)
            wait_ns = max(wait_ns, AFTER_REFUSAL_NS)
        self._antenna = self._antennas[(self._antennas.index(antenna) + 1) % len(self._antennas)]
        self._next(self._first, now_ns + wait_ns)

    def _tell(self, state: Health, detail: str, antenna: int | None) -> None:
        """A status is told when it changes; "ok" only after something else."""
        told = f"{state} {detail}"
        if self._told.get(antenna, "ok ") != told:
            self._told[antenna] = told
            self._readings.append(DeviceStatus(state, detail, antenna))
