"""The buffered read mode of FEIG's long-range readers: the reader visits its antennas by itself and keeps
what it read, and the host fetches that.

    21     request NN             answer TT NN records                  LR200
    22     request NN nn          answer TT [XX] NN nn records          LR1002, LR2500, MR200, UHF readers
    32     request nothing        answer nothing                        what was fetched is deleted

    TT     bits: 0 identifier, 1 data blocks, 4 antenna, 5 time, 6 date, 7 XX follows
    XX     bits: 0 inputs, 1 MAC address, 2 AFI and DSFID before the identifier, 4 antennas with strength
    NN nn  how many records, of 22 with the high byte first
    record of 21   KK UU×8                            kind of tag, UID; an I-Code EPC has 12 bytes or 8
                   [AA NN blocks of 4]                first block, number
    record of 22   RR rr  KK II LL UU…                length of the record, kind, kind of identifier, length
                   [NN nn SS blocks of SS]            number, size
    both           [hh mm ss ss] [date ×5] [AA]       AA: a bit for each antenna that read the tag, from bit 0
    22             [inputs ×2] [MAC ×6] [NN, NN times: antenna, strength, 4 reserved]

Each tag is reported again after the reader's own "transponder valid time"; `hold_ms` is longer than that.

Theory. What is fetched stays in the reader until it is deleted, and nothing is deleted that was not reported.

    step      request           answer                              next step
    PROBE     52 00             any status                          VERSION
    VERSION   65                OK: identity, and which of 21, 22   NUMBER
    NUMBER    66 80             its own number, or any status       FETCH  (left out without `board`)
    FETCH     21 or 22          OK, 94: tags                        CLEAR
                                93: tags, and others were lost      CLEAR
                                01, 92: no more tags                FETCH, after `poll_interval_ms`
                                else: status                        FETCH, after a longer wait
    CLEAR     32                any                                 FETCH

Source: the vendor's library FEDM 04.06.10 (`FEDM_BRMTabItem.cpp`: records; `BRMDemoDlg.cpp`: the antenna
byte); manual ID ISC.LR1002 H20411-0e-ID-B. No answer of this mode was found logged.
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Instant, Options, Reason, Rejected, Turn
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.holding import Held
from tablebridge.sdk.conversations.request_response import MS, RequestResponse
from tablebridge.sdk.framing import Frames, rejected
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

FETCH_OLD, FETCH, CLEAR = 0x21, 0x22, 0x32
LR200: Final = 41
MOST_RECORDS: Final = 50
"""Asked for at once: what a standard frame of most readers holds."""
NO_DATA: Final = frozenset({codes.NO_TAG, 0x92})
ANSWER_NS: Final = 1_000 * MS
AFTER_REFUSAL_NS: Final = 500 * MS
MOST_ANTENNAS: Final = 8
_IDENTIFIER, _BLOCKS, _ANTENNA, _TIME, _DATE, _MORE = 0x01, 0x02, 0x10, 0x20, 0x40, 0x80
_INPUTS, _MAC, _AFI, _STRENGTHS = 0x01, 0x02, 0x04, 0x10
_EPC, _ISO_15693 = 0x06, 0x03

Found = tuple[tuple[int, ...], str]
"""The antennas that read a tag (0: not known), and its identifier."""


class _Bytes:
    """Bytes that are taken from the front. What is missing raises IndexError."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if self.at + count > len(self.data):
            raise IndexError
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, count: int = 1) -> int:
        """The next bytes as a number, the highest first."""
        return int.from_bytes(self.take(count), "big")


def read_buffer(control: int, data: bytes) -> list[Found | Rejected]:
    """The tags in an answer to FETCH or FETCH_OLD, and a reject for a record that is damaged."""
    taken = _Bytes(data)
    found: list[Found | Rejected] = []
    try:
        flags = taken.number()
        more = taken.number() if control == FETCH and flags & _MORE else 0
        for _ in range(taken.number(2 if control == FETCH else 1)):
            record = _record(taken, flags, more) if control == FETCH else _old_record(taken, flags)
            if flags & _IDENTIFIER:
                found.append(record)
    except IndexError:
        found.append(rejected(Reason.TOO_SHORT, "a buffer that is cut", data))
    return found


def _record(taken: _Bytes, flags: int, more: int) -> Found | Rejected:
    begin, length = taken.at, taken.number(2)
    uid = b""
    if flags & _IDENTIFIER:
        kind, _, size = taken.number(), taken.number(), taken.number()
        uid = taken.take(size)[2 if kind == _ISO_15693 and more & _AFI else 0 :]
    if flags & _BLOCKS:
        count = taken.number(2)
        taken.take(count * taken.number())
    antennas = _antennas(taken, flags)
    taken.take(2 * bool(more & _INPUTS) + 6 * bool(more & _MAC))
    if more & _STRENGTHS:
        antennas = tuple(taken.take(6)[0] for _ in range(taken.number()))
    taken.take(max(0, begin + length - taken.at))
    return _found(antennas, uid)


def _old_record(taken: _Bytes, flags: int) -> Found | Rejected:
    uid = b""
    if flags & _IDENTIFIER:
        kind, uid = taken.number(), taken.take(8)
        if kind == _EPC and not uid[0] & 0xC0:
            uid += taken.take(4)
    if flags & _BLOCKS:
        taken.take(1)
        taken.take(4 * taken.number())
    return _found(_antennas(taken, flags), uid)


def _antennas(taken: _Bytes, flags: int) -> tuple[int, ...]:
    taken.take(4 * bool(flags & _TIME) + 5 * bool(flags & _DATE))
    mask = taken.number() if flags & _ANTENNA else 0
    return tuple(bit + 1 for bit in range(MOST_ANTENNAS) if mask >> bit & 1) or (0,)


def _found(antennas: tuple[int, ...], uid: bytes) -> Found | Rejected:
    if not 2 <= len(uid) <= 62 or max(antennas, default=0) > MOST_ANTENNAS:
        return rejected(Reason.IMPOSSIBLE_VALUE, "an identifier or antenna that no reader has", uid)
    return antennas or (0,), uid.hex().upper()


class BufferedStep(Enum):
    """A step of the conversation with a reader in this mode. The value is its name for people."""

    PROBE = "baud rate detection"
    VERSION = "software version"
    NUMBER = "device number"
    FETCH = "buffer"
    CLEAR = "clearing of the buffer"


class BufferedSession(RequestResponse[BufferedStep]):
    """See the module. `options`: those of `tablebridge_drivers.feig.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(BufferedStep.PROBE, Frames(measure_answer, intact), half_duplex=True)
        self.belonging = Belonging(str(options[BOARD]))
        self._identity = ""
        self._address, self._advanced = int(options["address"]), options["frames"] == "advanced"
        self._poll_ns = max(int(options["poll_interval_ms"]), int(options["quiet_ms"])) * MS
        self._quiet_ns = int(options["quiet_ms"]) * MS
        self._held = Held(int(options["hold_ms"]))
        self._fetch = FETCH
        self._control = 0
        self._sent = b""

    def request(self, step: BufferedStep) -> tuple[bytes, int]:
        match step:
            case BufferedStep.PROBE:
                self._control, data = codes.BAUD_DETECTION, b"\0"
            case BufferedStep.VERSION:
                self._control, data = codes.SOFTWARE_VERSION, b""
            case BufferedStep.NUMBER:
                self._control, data = codes.READER_INFO, bytes((codes.DEVICE,))
            case BufferedStep.FETCH:
                size = 2 if self._fetch == FETCH else 1
                self._control, data = self._fetch, MOST_RECORDS.to_bytes(size, "big")
            case BufferedStep.CLEAR:
                self._control, data = CLEAR, b""
        self._sent = encode_request(Request(self._control, data, self._address, self._advanced))
        return self._sent, ANSWER_NS

    def retry(self, step: BufferedStep) -> BufferedStep:
        if step is BufferedStep.NUMBER and self.in_vain:
            self.report_board(self._identity, "")
            return BufferedStep.FETCH
        return step

    def received(self, data: bytes, now: Instant) -> Turn:
        self._release(now.monotonic_ns)
        return super().received(data, now)

    def due(self, now: Instant) -> Turn:
        self._release(now.monotonic_ns)
        return super().due(now)

    def heard(self, frame: bytes, now_ns: int) -> None:
        answer = decode_answer(frame)
        # Asked by its own address, a reader answers baud detection with the same bytes.
        probed = self.waiting and self.step is BufferedStep.PROBE
        why = why_not_answer(
            answer,
            frame,
            () if probed else (self._sent,),
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
            case BufferedStep.PROBE:
                self.go_to(BufferedStep.VERSION, then)
            case BufferedStep.VERSION:
                named = codes.model_text(answer.data) if answer.status == codes.OK else None
                self._fetch = FETCH_OLD if named and answer.data[4] == LR200 else FETCH
                self._identity = named or "FEIG reader that does not name itself"
                if self.belonging.asked:
                    self.go_to(BufferedStep.NUMBER, then)
                else:
                    self.report(DeviceStatus("identified", self._identity))
                    self.go_to(BufferedStep.FETCH, then)
            case BufferedStep.NUMBER:
                said = codes.device_number(answer.data) if answer.status == codes.OK else ""
                self.report_board(self._identity, said)
                self.go_to(BufferedStep.FETCH, then)
            case BufferedStep.FETCH:
                self._fetched(answer, now_ns)
            case BufferedStep.CLEAR:
                self.go_to(BufferedStep.FETCH, then)

    def _fetched(self, answer: Answer, now_ns: int) -> None:
        if answer.status == codes.OVERFLOW:
            self.report_status("degraded", "its buffer overflowed: tags were lost")
        elif answer.status in (codes.OK, codes.MORE_DATA, *NO_DATA):
            self.report_success()
        else:
            self.report_refusal(f"its buffer, {codes.status_text(answer.status)}")
            self.go_to(BufferedStep.FETCH, now_ns + AFTER_REFUSAL_NS)
            return
        self.prove_alive()
        found = read_buffer(self._fetch, answer.data) if answer.data else []
        for tag in found:
            if isinstance(tag, Rejected):
                self.report(tag)
                continue
            for antenna in tag[0]:
                self.report(self._held.name(antenna, tag[1], now_ns))
        step = BufferedStep.CLEAR if found else BufferedStep.FETCH
        self.go_to(step, now_ns + (self._quiet_ns if found else self._poll_ns))

    def _release(self, now_ns: int) -> None:
        for sweep in self._held.release(now_ns):
            self.report(sweep)

    def _next_ns(self) -> int:
        gone_ns = self._held.next_ns
        return super()._next_ns() if gone_ns is None else min(gone_ns, super()._next_ns())
