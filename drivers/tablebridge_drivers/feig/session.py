"""The conversation with one FEIG OBID reader: one request at a time, one answer to each.

Theory. The reader speaks only when asked, and does not answer what it cannot check; so every request has a
deadline, as `tablebridge.sdk.conversations.request_response` has it. An answer is taken by its control byte,
never by its address: a request goes to FF, the answer comes from the reader's own.

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
    INFO      66 00          OK: sizes of buffers          NUMBER
    NUMBER    66 80          its own number, or any status SELECT  (left out without `board`)
    SELECT    6A antenna     (left out with one antenna)   RESET
              DD 00 a 00     (with a multiplexer)          RESET
                             refused: status               SELECT, of the next antenna, after a wait
    RESET     69             (left out without rf-reset)   INVENTORY
    INVENTORY B0 01 mode     94: more data                 MORE
                             00, 01: sweep                 SELECT, of the next antenna
                             83 …: incomplete sweep        SELECT, of the next antenna
                             else: status                  SELECT, of the next antenna, after a longer wait
    MORE      B0 01 80       as INVENTORY
    RESTART   63             any: the reader restarts        PROBE, after `BOOTING_NS`; it comes after
                                                             `HUNG_AFTER` refused inventories in a row

A reader's only antenna is number 0; two are 1 and 2, as the reader numbers them.

Between an answer and the next request lie at least `quiet_ms` (PSST of the reader), between two sweeps
`poll_interval_ms`.
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Sweep
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.request_response import MS, RequestResponse, following
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.feig import codes
from tablebridge_drivers.feig.frames import (
    Answer,
    Request,
    decode_answer,
    encode_request,
    intact,
    measure_answer,
    why_not_answer,
)

SHORT_ANSWER_NS: Final = 400 * MS
"""All but an inventory is answered within 15 ms and what the adapter adds."""
AFTER_REFUSAL_NS: Final = 500 * MS
BOOTING_NS: Final = 1500 * MS
HUNG_AFTER: Final = 60
"""The number of refused inventories in a row, half a minute, after which a reader is restarted by its own
command.
"""
MOST_ANSWERS: Final = 64
"""So many answers may make one sweep; a reader that still has more data then is not to be believed."""


class FeigStep(Enum):
    """A step of the conversation with a FEIG reader. The value is its name for people."""

    PROBE = "baud rate detection"
    VERSION = "software version"
    INFO = "reader info"
    NUMBER = "device number"
    SELECT = "antenna selection"
    RESET = "RF reset"
    RESTART = "CPU reset"
    INVENTORY = "inventory"
    MORE = "rest of the inventory"


CONTROL: Final = {
    FeigStep.PROBE: codes.BAUD_DETECTION,
    FeigStep.VERSION: codes.SOFTWARE_VERSION,
    FeigStep.INFO: codes.READER_INFO,
    FeigStep.NUMBER: codes.READER_INFO,
    FeigStep.RESET: codes.RF_RESET,
    FeigStep.RESTART: codes.CPU_RESET,
    FeigStep.INVENTORY: codes.HOST_COMMAND,
    FeigStep.MORE: codes.HOST_COMMAND,
}


class FeigSession(RequestResponse[FeigStep]):
    """See the module. `options`: those of `tablebridge_drivers.feig.DRIVER`."""

    def __init__(self, options: Options) -> None:
        # Of RS485 one pair of wires carries both directions.
        super().__init__(FeigStep.PROBE, Frames(measure_answer, intact), half_duplex=True)
        self.belonging = Belonging(str(options[BOARD]))
        self._antennas = (0,) if options["antennas"] == 1 else tuple(range(1, int(options["antennas"]) + 1))
        self._select = codes.SELECT_CHANNEL if options["multiplexer"] else codes.RF_ON
        self._rf_reset = options["ont"] == "rf-reset"
        self._quiet_ns = int(options["quiet_ms"]) * MS
        self._poll_ns = max(int(options["poll_interval_ms"]) * MS, self._quiet_ns)
        self._answer_ns = int(options["answer_ms"]) * MS
        self._requests, self._selections = _requests(options, self._antennas)
        self._begin = (
            FeigStep.SELECT
            if len(self._antennas) > 1
            else FeigStep.RESET
            if self._rf_reset
            else FeigStep.INVENTORY
        )
        self._address = int(options["address"])
        self._identity = ""
        self._antenna = self._antennas[0]
        self._tags: set[str] = set()
        self._complete = True
        self._answers = 0
        self._refused = 0
        """Inventories that the reader refused in a row."""
        self._control = 0
        """The control byte of the request that is out."""

    def request(self, step: FeigStep) -> tuple[bytes, int]:
        if step is FeigStep.INVENTORY:
            self._tags, self._complete, self._answers = set(), True, 0
        data = self._selections[self._antenna] if step is FeigStep.SELECT else self._requests[step]
        self._control = self._select if step is FeigStep.SELECT else CONTROL[step]
        return data, self._answer_ns if self._control == codes.HOST_COMMAND else SHORT_ANSWER_NS

    def retry(self, step: FeigStep) -> FeigStep:
        if step is FeigStep.RESTART:
            return FeigStep.PROBE
        if step is FeigStep.NUMBER and self.in_vain:
            self.report_board(self._identity, "")
            return self._begin
        # The rest of an inventory cannot be asked for twice.
        return self._begin if step in (FeigStep.RESET, FeigStep.INVENTORY, FeigStep.MORE) else step

    def heard(self, frame: bytes, now_ns: int) -> None:
        answer = decode_answer(frame)
        # Asked by its own address, a reader answers baud detection with the same bytes.
        probed = self.waiting and self.step is FeigStep.PROBE
        why = why_not_answer(
            answer,
            frame,
            () if probed else self._requests.values(),
            self._address,
            self._control if self.waiting else None,
        )
        if why:
            self.reject(Reason.UNEXPECTED, why, frame)
        else:
            self._answered(answer, now_ns)

    def _answered(self, answer: Answer, now_ns: int) -> None:
        then = now_ns + self._quiet_ns
        match self.step:
            case FeigStep.PROBE:
                self.go_to(FeigStep.VERSION, then)
            case FeigStep.VERSION:
                self._identity = self._identify(answer)
                self.go_to(FeigStep.INFO, then)
            case FeigStep.INFO:
                if answer.status == codes.OK and len(answer.data) >= 11:
                    self._identity += f", answers of up to {int.from_bytes(answer.data[9:11], 'big')} bytes"
                if self.belonging.asked:
                    self.go_to(FeigStep.NUMBER, then)
                else:
                    self.report(DeviceStatus("identified", self._identity), alive=True)
                    self.go_to(self._begin, then)
            case FeigStep.NUMBER:
                said = codes.device_number(answer.data) if answer.status == codes.OK else ""
                self.report_board(self._identity, said)
                self.go_to(self._begin, then)
            case FeigStep.RESTART:
                self.go_to(FeigStep.PROBE, now_ns + BOOTING_NS)
            case FeigStep.SELECT if answer.status != codes.OK:
                # What is read now lies on another antenna.
                refused = f"{self.step.value} refused, {codes.status_text(answer.status)}"
                self.report_refusal(refused, self._antenna)
                self._antenna = following(self._antenna, self._antennas)
                self.go_to(self._begin, now_ns + AFTER_REFUSAL_NS)
            case FeigStep.SELECT:
                self.go_to(FeigStep.RESET if self._rf_reset else FeigStep.INVENTORY, then)
            case FeigStep.RESET:
                self._accepted(answer)
                self.go_to(FeigStep.INVENTORY, then)
            case FeigStep.INVENTORY | FeigStep.MORE:
                self._inventory(answer, now_ns)

    def _identify(self, answer: Answer) -> str:
        model = codes.model_text(answer.data) if answer.status == codes.OK else None
        return model or f"FEIG reader that does not name itself ({codes.status_text(answer.status)})"

    def _accepted(self, answer: Answer) -> None:
        """After an RF reset that is refused an inventory may name fewer tags than there are."""
        if answer.status == codes.OK:
            self.report_status("ok")
        else:
            self.report_status("degraded", f"{self.step.value} refused, {codes.status_text(answer.status)}")

    def _inventory(self, answer: Answer, now_ns: int) -> None:
        status = answer.status
        if status in codes.WITH_RECORDS:
            records = codes.read_records(answer.data)
            # A reader whose anticollision broke down may have nothing to say and says it with no data at all.
            if records.fault is not None and (answer.data or status != codes.RF_ERROR):
                self.report(records.fault)
                self._complete = False
            self._tags.update(records.tags)
        self._answers += 1
        if status == codes.MORE_DATA and self._answers < MOST_ANSWERS:
            self.go_to(FeigStep.MORE, now_ns + self._quiet_ns)
            return
        antenna = self._antenna
        wait_ns = self._poll_ns
        if status in codes.SWEPT or status in codes.CUT_SHORT:
            complete = self._complete and status in (codes.OK, codes.NO_TAG)
            self._refused = 0
            self.report_success(antenna)
            self.report(Sweep(antenna, tuple(sorted(self._tags)), complete=complete), alive=True)
        else:
            self._refused += 1
            self.report_refusal(codes.status_text(status), antenna)
            wait_ns = max(wait_ns, AFTER_REFUSAL_NS)
            if self._refused % HUNG_AFTER == 0:
                self._antenna = following(antenna, self._antennas)
                self.go_to(FeigStep.RESTART, now_ns + wait_ns)
                return
        self._antenna = following(antenna, self._antennas)
        self.go_to(self._begin, now_ns + wait_ns)


def _requests(options: Options, antennas: tuple[int, ...]) -> tuple[dict[FeigStep, bytes], dict[int, bytes]]:
    """The request of each step, and the one that selects each antenna."""
    address, advanced = int(options["address"]), options["frames"] == "advanced"
    mode = codes.MODE_PRESC if options["ont"] == "presc" else codes.MODE_NEW

    def request(control: int, *data: int) -> bytes:
        return encode_request(Request(control, bytes(data), address, advanced))

    requests = {
        FeigStep.PROBE: request(codes.BAUD_DETECTION, 0),
        FeigStep.VERSION: request(codes.SOFTWARE_VERSION),
        FeigStep.INFO: request(codes.READER_INFO, 0),
        FeigStep.NUMBER: request(codes.READER_INFO, codes.DEVICE),
        FeigStep.RESET: request(codes.RF_RESET),
        FeigStep.RESTART: request(codes.CPU_RESET),
        FeigStep.INVENTORY: request(codes.HOST_COMMAND, codes.INVENTORY, mode),
        FeigStep.MORE: request(codes.HOST_COMMAND, codes.INVENTORY, codes.MODE_MORE),
    }
    if options["multiplexer"]:
        return requests, {antenna: request(codes.SELECT_CHANNEL, 0, antenna, 0) for antenna in antennas}
    return requests, {antenna: request(codes.RF_ON, antenna) for antenna in antennas}
