"""The conversation with a UHF module of the M100 family.

Theory. A poll makes the module look once; it names each tag that it found in a notice of its own, or says
that there was none. Nothing marks the last notice, so the next poll waits until the line was silent for
`gap_ms`. Which of the two dialects the module speaks is found out by asking in both in turn; a module that
was left polling is stopped before it is asked again.

    step      command      answer                    next step
    INFO      03 00        hardware: identity        POWER (POLL if it is kept)
              none: the other dialect
    POWER     B6 power     done, or failure: status  POLL
    POLL      22           notice: a tag             POLL, after `gap_ms` without a further notice
                           failure 15: none          POLL, after `poll_interval_ms`
                           another failure: status   POLL, after a longer wait
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected
from tablebridge.sdk.conversations.gathering import MS, GatheringSession
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.m100 import frames
from tablebridge_drivers.m100.frames import Frame, encode, read_frame, read_notice

SHORT_ANSWER_NS: Final = 400 * MS
AFTER_REFUSAL_NS: Final = 500 * MS


class M100Step(Enum):
    """A step of the conversation with an M100 module. The value is its name for people."""

    INFO = "module information"
    POWER = "power"
    POLL = "poll"


class M100Session(GatheringSession[M100Step]):
    """See the module. `options`: those of `tablebridge_drivers.m100.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(M100Step.INFO, Frames(frames.measure, frames.intact), options)
        self._power = int(options["power_cdbm"])
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._gap_ns = int(options["gap_ms"]) * MS
        self._check_air = bool(options["tag_crc"])
        self._begin = 0xBB
        self._stop = False

    def restart(self) -> None:
        super().restart()
        self._stop = False

    def request(self, step: M100Step) -> tuple[bytes, int]:
        def command(code: int, data: bytes = b"") -> bytes:
            return encode(Frame(frames.COMMAND, code, data, self._begin))

        match step:
            case M100Step.INFO:
                stop = command(frames.STOP) if self._stop else b""
                return stop + command(frames.INFO, b"\0"), SHORT_ANSWER_NS
            case M100Step.POWER:
                return command(frames.SET_POWER, self._power.to_bytes(2, "big")), SHORT_ANSWER_NS
        return command(frames.POLL), SHORT_ANSWER_NS

    def retry(self, step: M100Step) -> M100Step:
        if step is M100Step.INFO:
            self._begin = 0xAA if self._begin == 0xBB else 0xBB
            self._stop = True
        return step

    def heard(self, frame: bytes, now_ns: int) -> None:
        said = read_frame(frame)
        match said:
            case Frame(frames.NOTICE, frames.POLL, data) if self.step is M100Step.POLL:
                self._notice(data, frame, now_ns)
            case Frame(frames.ANSWER, frames.STOP):
                pass
            case _ if not self.waiting or said.kind != frames.ANSWER:
                self.reject(
                    Reason.UNEXPECTED, f"frame {said.kind:02X} {said.command:02X} nobody waits for", frame
                )
            case Frame(command=frames.FAILED):
                self._failed(said.data, now_ns)
            case Frame(command=frames.INFO) if self.step is M100Step.INFO:
                self.report(DeviceStatus("identified", frames.info_text(said.data)), alive=True)
                self.go_to(M100Step.POWER if self._power else M100Step.POLL, now_ns)
            case Frame(command=frames.SET_POWER) if self.step is M100Step.POWER:
                self.go_to(M100Step.POLL, now_ns)
            case _:
                self.reject(Reason.UNEXPECTED, f"no answer to {self.step.value}", frame)

    def _notice(self, data: bytes, frame: bytes, now_ns: int) -> None:
        seen = read_notice(data)
        if isinstance(seen, Rejected):
            self.reject(seen.reason, seen.detail, frame)
        elif self._check_air and not seen.air_crc:
            # The sum of the frame has eight bits only; this CRC finds what it lets through.
            self.reject(Reason.CHECKSUM, "the CRC of the tag", frame)
        else:
            self.gathered.add(0, seen.epc, now_ns)
            self.works(now_ns)
        self.go_to(M100Step.POLL, now_ns + self._gap_ns)

    def _failed(self, data: bytes, now_ns: int) -> None:
        if self.step is M100Step.POLL and data[:1] == bytes((frames.NO_TAG,)):
            self.works(now_ns)
            self.go_to(M100Step.POLL, now_ns + self._poll_ns)
        elif self.step is M100Step.INFO:
            self.report(DeviceStatus("identified", frames.info_text(b"")), alive=True)
            self.go_to(M100Step.POWER if self._power else M100Step.POLL, now_ns)
        else:
            self.report_refusal(f"{self.step.value}: {frames.failure_text(data)}")
            self.go_to(M100Step.POLL, now_ns + AFTER_REFUSAL_NS)
