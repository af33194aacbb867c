"""The conversation with a ThingMagic / JADAK Mercury module.

Theory. Newer modules read by themselves once they are started, name each tag as they hear it, and say "no
tag" now and then as a sign of life; the M5e knows only single reads. A module may have been left streaming by
whoever used it before, so it is stopped first. One that has just been powered runs its boot loader, and
a newer one says its firmware by itself, which is noise.

A module that was powered has no region and refuses to read (010B); which one the law allows it does not know,
so it takes the site's, or, if the site names none, the only one that it has. Its read filter names a tag once
and then keeps quiet about it, so the filter is switched off. A module that falls silent while it reads may
have restarted and forgotten all that, so the set-up begins again.

    step      request          answer                                next step
    STOP      2F 0000 02       any (single: left out)                VERSION
    VERSION   03               0000: identity                        NUMBER
                               0101: the boot loader runs            BOOT
    NUMBER    10 00 40         its own number, or any status         REGION, or KNOWN if the site names none
              (left out without `board`)
    BOOT      04               any                                   VERSION, after `BOOTING_NS`
    KNOWN     67               00: it has none                       OFFERED
                               any other                             PROTOCOL
    OFFERED   71               one region                            REGION with that
                               several: failed, "set region"         KNOWN, after `NO_REGION_NS`
    REGION    97 region        0000                                  PROTOCOL
    PROTOCOL  93 0005          0000                                  POWER
    POWER     92 power         0000 (left out if it is kept)         PORT
    PORT      91 n n           0000: antenna n transmits and hears   LIST, or READ
    LIST      91 02 n n …      0000: the antennas that take turns;   FILTER
                               refused, if it has only one
    FILTER    9A 01 0C 00      any: an older module has no filter    START
    START     2F …             0000                                  LISTEN
    LISTEN    nothing          22, 0000: a tag; 0400: alive          LISTEN; after `SILENCE_NS` STOP
    READ      21 timeout       0000: a tag; 0400: none               READ, or PORT with the next antenna
    reading   -                it has forgotten what it was set to   VERSION
    any                        another status: status                the same, after a longer wait

Sources: SparkFun's library for the Nano (`setAntennaPort`, `setAntennaSearchList`, `disableReadFilter`,
`startReading`); the vendor's Mercury API in C (`TMR_SR_cmdSetAntennaSearchList`, `TMR_SR_cmdGetRegion`,
`TMR_SR_CONFIGURATION_ENABLE_READ_FILTER`); the M5e-Compact manual on the least that starts a module.
"""

from enum import Enum
from itertools import pairwise
from typing import Final

from tablebridge.sdk import DeviceStatus, Options, Reason, Rejected
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.gathering import MS, GatheringSession
from tablebridge.sdk.conversations.request_response import following
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.mercury import frames
from tablebridge_drivers.mercury.frames import Answer, encode, read_answer, read_record, read_single

SHORT_ANSWER_NS: Final = 500 * MS
SILENCE_NS: Final = 1500 * MS
BOOTING_NS: Final = 700 * MS
AFTER_REFUSAL_NS: Final = 500 * MS
NO_REGION_NS: Final = 5000 * MS
READ_MS: Final = 50
"""How long one single read looks for a tag."""
STREAM_ON: Final = bytes.fromhex("0000 01 22 0000 05 07 22 10 001B 03E8 01FF")
"""Read protocol 05 (Gen2) without end, in rounds of 1000 ms, with all fields of a record."""
STREAM_OFF: Final = bytes.fromhex("0000 02")
GEN2: Final = bytes.fromhex("0005")
SERIAL_NUMBER: Final = bytes.fromhex("00 40")
NO_FILTER: Final = bytes.fromhex("01 0C 00")
KEEP: Final = "keep"
"""The site names no region."""


class MercuryStep(Enum):
    """A step of the conversation with a Mercury module. The value is its name for people."""

    STOP = "stop"
    VERSION = "version"
    NUMBER = "serial number"
    BOOT = "boot"
    KNOWN = "region that it has"
    OFFERED = "regions that it offers"
    REGION = "region"
    PROTOCOL = "protocol"
    POWER = "power"
    PORT = "antenna"
    LIST = "list of antennas"
    FILTER = "read filter"
    START = "start of reading"
    LISTEN = "reading"
    READ = "single read"


OPCODE: Final = {
    MercuryStep.STOP: frames.STREAM,
    MercuryStep.VERSION: frames.VERSION,
    MercuryStep.NUMBER: frames.HARDWARE,
    MercuryStep.BOOT: frames.BOOT,
    MercuryStep.KNOWN: frames.GET_REGION,
    MercuryStep.OFFERED: frames.GET_REGIONS,
    MercuryStep.REGION: frames.SET_REGION,
    MercuryStep.PROTOCOL: frames.SET_PROTOCOL,
    MercuryStep.POWER: frames.SET_POWER,
    MercuryStep.PORT: frames.SET_ANTENNA,
    MercuryStep.LIST: frames.SET_ANTENNA,
    MercuryStep.FILTER: frames.SET_CONFIGURATION,
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
        self.belonging = Belonging(str(options[BOARD]))
        self._identity = ""
        region, power = str(options["region"]), int(options["power_cdbm"])
        self._antennas = tuple(range(1, int(options["antennas"]) + 1))
        self._antenna = self._antennas[0]
        self._region = 0 if region == KEEP else frames.REGIONS[region]
        self._data = {
            MercuryStep.STOP: STREAM_OFF,
            MercuryStep.NUMBER: SERIAL_NUMBER,
            MercuryStep.PROTOCOL: GEN2,
            MercuryStep.POWER: power.to_bytes(2, "big"),
            MercuryStep.LIST: b"\x02" + bytes(n for antenna in self._antennas for n in (antenna, antenna)),
            MercuryStep.FILTER: NO_FILTER,
            MercuryStep.START: STREAM_ON,
            MercuryStep.READ: READ_MS.to_bytes(2, "big"),
        }
        reading = (
            (MercuryStep.LIST, MercuryStep.FILTER, MercuryStep.START, MercuryStep.LISTEN, MercuryStep.LISTEN)
            if stream
            else (MercuryStep.READ, MercuryStep.READ)
        )
        self._then: dict[MercuryStep, MercuryStep] = dict(
            pairwise(
                [
                    MercuryStep.STOP,
                    MercuryStep.VERSION,
                    *([MercuryStep.NUMBER] if self.belonging.asked else []),
                    MercuryStep.KNOWN if region == KEEP else MercuryStep.REGION,
                    MercuryStep.PROTOCOL,
                    *([MercuryStep.POWER] if power else []),
                    MercuryStep.PORT,
                    *reading,
                ]
            )
        ) | {MercuryStep.REGION: MercuryStep.PROTOCOL}

    def request(self, step: MercuryStep) -> tuple[bytes, int]:
        match step:
            case MercuryStep.LISTEN:
                return b"", SILENCE_NS
            case MercuryStep.REGION:
                data = bytes((self._region,))
            case MercuryStep.PORT:
                data = bytes((self._antenna, self._antenna))
            case _:
                data = self._data.get(step, b"")
        return encode(OPCODE[step], data), SHORT_ANSWER_NS

    def retry(self, step: MercuryStep) -> MercuryStep:
        if step is MercuryStep.NUMBER and self.in_vain:
            self.report_board(self._identity, "")
            return self._then[step]
        return MercuryStep.STOP if step is MercuryStep.LISTEN else step

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
        match step:
            case MercuryStep.VERSION if status == frames.NOT_BOOTED:
                self.go_to(MercuryStep.BOOT, now_ns)
            case MercuryStep.BOOT:
                self.go_to(MercuryStep.VERSION, now_ns + BOOTING_NS)
            case MercuryStep.NUMBER:
                said = frames.serial_number(answer.data) if status == frames.DONE else ""
                self.report_board(self._identity, said)
                self.go_to(self._then[step], now_ns)
            case MercuryStep.STOP | MercuryStep.FILTER:
                self.go_to(self._then[step], now_ns)
            case MercuryStep.LIST if status != frames.DONE and len(self._antennas) == 1:
                self.go_to(MercuryStep.FILTER, now_ns)
            case MercuryStep.KNOWN:
                none = status == frames.DONE and answer.data == b"\0"
                self.go_to(MercuryStep.OFFERED if none else self._then[step], now_ns)
            case MercuryStep.OFFERED:
                self._offered(answer.data if status == frames.DONE else b"", now_ns)
            case MercuryStep.READ if status in (frames.DONE, frames.NO_TAG):
                self._read(answer, frame, now_ns)
            case _ if status != frames.DONE:
                self._refused(step, status, now_ns)
            case _:
                if step is MercuryStep.VERSION:
                    self._identity = frames.version_text(answer.data)
                    if not self.belonging.asked:
                        self.report(DeviceStatus("identified", self._identity), alive=True)
                self.go_to(self._then[step], now_ns)

    def _offered(self, regions: bytes, now_ns: int) -> None:
        """The module has no region, and these are those it can have."""
        if len(regions) == 1:
            self._region = regions[0]
            self.go_to(MercuryStep.REGION, now_ns)
            return
        self.report_refusal(
            "the module has no region, so it does not read: set region to what the law here allows, of "
            + frames.regions_text(regions)
        )
        self.go_to(MercuryStep.KNOWN, now_ns + NO_REGION_NS)

    def _refused(self, step: MercuryStep, status: int, now_ns: int) -> None:
        self.report_refusal(f"{step.value}, {frames.status_text(status)}")
        forgot = status == frames.NOT_BOOTED or (
            step in (MercuryStep.START, MercuryStep.LISTEN, MercuryStep.READ)
            and status in frames.SET_UP_AGAIN
        )
        self.go_to(MercuryStep.VERSION if forgot else step, now_ns + AFTER_REFUSAL_NS)

    def _read(self, answer: Answer, frame: bytes, now_ns: int) -> None:
        """The answer to a single read: a tag or none."""
        epc = read_single(answer.data) if answer.status == frames.DONE else None
        if isinstance(epc, Rejected):
            self.reject(epc.reason, epc.detail, frame)
        else:
            if epc is not None:
                self.gathered.add(0 if len(self._antennas) == 1 else self._antenna, epc, now_ns)
            self.works(now_ns)
        if len(self._antennas) > 1:
            self._antenna = following(self._antenna, self._antennas)
            self.go_to(MercuryStep.PORT, now_ns)
        else:
            self.go_to(MercuryStep.READ, now_ns)

    def _streamed(self, answer: Answer, frame: bytes, now_ns: int) -> None:
        self.wait_until(now_ns + SILENCE_NS)
        if answer.status in frames.SET_UP_AGAIN:
            self._refused(MercuryStep.LISTEN, answer.status, now_ns)
            return
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
