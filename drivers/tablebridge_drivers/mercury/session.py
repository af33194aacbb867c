"""The conversation with a ThingMagic / JADAK Mercury module.

Theory. Newer modules read by themselves once they are started, name each tag as they hear it, and say "no
tag" now and then as a sign of life; the M5e knows only single reads. A module may have been left streaming by
whoever used it before, so it is stopped first. One that has just been powered runs its boot loader, and
a newer one says its firmware by itself, which is noise.

    step      request          answer                                next step
    STOP      2F 0000 02       any (single: left out)                VERSION
    VERSION   03               0000: identity                        REGION
                               0101: the boot loader runs            BOOT
    BOOT      04               any                                   VERSION, after `BOOTING_NS`
    REGION    97 region        0000 (left out if it is kept)         PROTOCOL
    PROTOCOL  93 0005          0000                                  POWER
    POWER     92 power         0000 (left out if it is kept)         START, or READ
    START     2F …             0000                                  LISTEN
    LISTEN    nothing          22, 0000: a tag; 0400: alive          LISTEN; after `SILENCE_NS` START
    READ      21 timeout       0000: a tag; 0400: none               READ
    any                        another status: status                the same, after a longer wait
"""

from enum import Enum
from itertools import pairwise
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected
from tablebridge.sdk.conversations.gathering import MS, GatheringSession
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.mercury import frames
from tablebridge_drivers.mercury.frames import Answer, encode, read_answer, read_record, read_single

SHORT_ANSWER_NS: Final = 500 * MS
SILENCE_NS: Final = 1500 * MS
BOOTING_NS: Final = 700 * MS
AFTER_REFUSAL_NS: Final = 500 * MS
READ_MS: Final = 50
"""How long one single read looks for a tag."""
STREAM_ON: Final = bytes.fromhex("0000 01 22 0000 05 07 22 10 001B 03E8 01FF")
"""Read protocol 05 (Gen2) without end, in rounds of 1000 ms, with all fields of a record."""
STREAM_OFF: Final = bytes.fromhex("0000 02")
GEN2: Final = bytes.fromhex("0005")
REGIONS: Final = {"keep": 0, "NA": 1, "EU": 2}


class MercuryStep(Enum):
    """A step of the conversation with a Mercury module. The value is its name for people."""

    STOP = "stop"
    VERSION = "version"
    BOOT = "boot"
    REGION = "region"
    PROTOCOL = "protocol"
    POWER = "power"
    START = "start of reading"
    LISTEN = "reading"
    READ = "single read"


OPCODE: Final = {
    MercuryStep.STOP: frames.STREAM,
    MercuryStep.VERSION: frames.VERSION,
    MercuryStep.BOOT: frames.BOOT,
    MercuryStep.REGION: frames.SET_REGION,
    MercuryStep.PROTOCOL: frames.SET_PROTOCOL,
    MercuryStep.POWER: frames.SET_POWER,
    MercuryStep.START: frames.STREAM,
    MercuryStep.LISTEN: frames.READ_MULTIPLE,
    MercuryStep.READ: frames.READ_SINGLE,
}


class MercurySession(GatheringSession[MercuryStep]):
    """See the module. `options`: those of `tablebridge_drivers.mercury.DRIVER`."""

    def __init__(self, options: Options) -> None:
        stream = options["reading"] == "stream"
        super().__init__(
            MercuryStep.STOP if stream else MercuryStep.VERSION,
            Frames(frames.measure, frames.intact),
            options,
        )
        region, power = REGIONS[str(options["region"])], int(options["power_cdbm"])
        self._data = {
            MercuryStep.STOP: STREAM_OFF,
            MercuryStep.VERSION: b"",
            MercuryStep.BOOT: b"",
            MercuryStep.REGION: bytes((region,)),
            MercuryStep.PROTOCOL: GEN2,
            MercuryStep.POWER: power.to_bytes(2, "big"),
            MercuryStep.START: STREAM_ON,
            MercuryStep.READ: READ_MS.to_bytes(2, "big"),
        }
        then = [
            MercuryStep.STOP,
            MercuryStep.VERSION,
            *([MercuryStep.REGION] if region else []),
            MercuryStep.PROTOCOL,
            *([MercuryStep.POWER] if power else []),
            *(
                (MercuryStep.START, MercuryStep.LISTEN, MercuryStep.LISTEN)
                if stream
                else (MercuryStep.READ, MercuryStep.READ)
            ),
        ]
        self._then = dict(pairwise(then))

    def request(self, step: MercuryStep) -> tuple[bytes, int]:
        if step is MercuryStep.LISTEN:
            return b"", SILENCE_NS
        return encode(OPCODE[step], self._data[step]), SHORT_ANSWER_NS

    def retry(self, step: MercuryStep) -> MercuryStep:
        return MercuryStep.START if step is MercuryStep.LISTEN else step

    def heard(self, frame: bytes, now_ns: int) -> None:
        answer, step = read_answer(frame), self.step
        if step is MercuryStep.LISTEN and answer.opcode in (frames.READ_MULTIPLE, frames.STREAM):
            self._streamed(answer, frame, now_ns)
        elif answer.opcode == frames.READ_MULTIPLE and step is not MercuryStep.READ:
            # What was still under way when it was stopped, or the first tag before the answer to START.
            pass
        elif not self.waiting or answer.opcode != OPCODE[step]:
            self.reject(Reason.UNEXPECTED, f"an answer to {answer.opcode:02X} nobody waits for", frame)
        else:
            self._answered(step, answer, frame, now_ns)

    def _answered(self, step: MercuryStep, answer: Answer, frame: bytes, now_ns: int) -> None:
        status = answer.status
        if step is MercuryStep.VERSION and status == frames.NOT_BOOTED:
            self.go_to(MercuryStep.BOOT, now_ns)
        elif step is MercuryStep.BOOT:
            self.go_to(MercuryStep.VERSION, now_ns + BOOTING_NS)
        elif step is MercuryStep.STOP:
            self.go_to(MercuryStep.VERSION, now_ns)
        elif step is MercuryStep.READ and status == frames.NO_TAG:
            self.works(now_ns)
            self.go_to(MercuryStep.READ, now_ns)
        elif status != frames.DONE:
            self.report_refusal(f"{step.value}, {frames.status_text(status)}")
            self.go_to(
                MercuryStep.VERSION if status == frames.NOT_BOOTED else step, now_ns + AFTER_REFUSAL_NS
            )
        elif step is MercuryStep.READ:
            epc = read_single(answer.data)
            if isinstance(epc, Rejected):
                self.reject(epc.reason, epc.detail, frame)
            else:
                self.gathered.add(0, epc, now_ns)
                self.works(now_ns)
            self.go_to(MercuryStep.READ, now_ns)
        else:
            if step is MercuryStep.VERSION:
                self.report(DeviceStatus("identified", frames.version_text(answer.data)), alive=True)
            self.go_to(self._then[step], now_ns)

    def _streamed(self, answer: Answer, frame: bytes, now_ns: int) -> None:
        self.wait_until(now_ns + SILENCE_NS)
        if answer.status not in (frames.DONE, frames.NO_TAG):
            self.report_refusal(f"reading, {frames.status_text(answer.status)}")
            return
        if answer.opcode == frames.READ_MULTIPLE and answer.status == frames.DONE and len(answer.data) > 10:
            seen = read_record(answer.data)
            if isinstance(seen, Rejected):
                self.reject(seen.reason, seen.detail, frame)
                return
            self.gathered.add(seen.antenna, seen.epc, now_ns)
        self.works(now_ns)
