"""FEIG OBID i-scan HF and OBID classic-pro readers: on a serial line, over USB, over TCP; the same bytes on
each.

The protocol is known from public copies of the vendor's manuals, from the vendor's own library (FEDM, whose
sources are public) and from traffic that others logged. It was never tried on a reader of ours. Not
documented in public: how a reader hands a command through to a multiplexer. The vendor's library sends it by
the reader's own functions, so the usual frame with the multiplexer's control byte DD is taken; a reader that
does not know it refuses, and then nothing is reported for that antenna.
"""

from typing import Final, Literal, cast

from tablebridge.sdk import Driver, Option, Options, Reading, Reason, Rejected, SerialPort, UsbPort, boards
from tablebridge.sdk.framing import Frames, rejected, with_lost_bytes
from tablebridge_drivers.feig import codes
from tablebridge_drivers.feig.buffered import MOST_ANTENNAS, BufferedSession
from tablebridge_drivers.feig.frames import ANY, decode_answer, intact, measure_answer
from tablebridge_drivers.feig.session import FeigSession
from tablebridge_drivers.feig.stored import STORED

_REQUEST: Final = 5
"""The length of a request without data; no answer is so short."""


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=int(options["baud"]), parity=cast(Literal["N", "E", "O"], options["parity"]))


def _measure(buffer: bytearray, at: int) -> int | Reason:
    return _REQUEST if buffer[at] == _REQUEST else measure_answer(buffer, at)


def _session(options: Options) -> FeigSession | BufferedSession:
    return BufferedSession(options) if options["reading"] == "buffered" else FeigSession(options)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What answers mean outside a conversation. An inventory is a sweep of antenna 0; other answers are a
    status.
    """
    frames = Frames(_measure, intact)
    found: list[Reading | Rejected] = []
    for frame in with_lost_bytes(frames.feed(data) + frames.silence(), data):
        if isinstance(frame, Rejected):
            found.append(frame)
            continue
        answer = decode_answer(frame) if len(frame) > _REQUEST else None
        if answer is None or answer.address == ANY:
            found.append(rejected(Reason.UNEXPECTED, "a request, not an answer", frame))
        else:
            found.extend(codes.meaning(answer.control, answer.status, answer.data))
    return tuple(found)


DRIVER: Final = Driver(
    name="feig",
    title="FEIG OBID i-scan HF and classic-pro readers (serial, USB, TCP)",
    trust="vendor document",
    source="public copies of the manuals ID CPR-Family H20800, MR/PR/PRH101 H60301 and LR1002 H20411; "
    "the vendor's library FEDM; logged traffic",
    tested="frames logged from readers of others, and emulated readers on all three ways; "
    "never on hardware of ours",
    port=_port,
    # Product numbers differ by model: the vendor's own number is enough. Endpoints from a descriptor that
    # others listed.
    usb=UsbPort(ids=((0x0AB1, None),), interface=(0xFF, None, None)),
    session=_session,
    options={
        "baud": Option(38400, "speed of the line", lowest=4800, highest=230400),
        "parity": Option(
            "E", "parity of the line: even unless the reader was set otherwise", choices=("E", "N", "O")
        ),
        "address": Option(
            255, "address of the reader on its bus; 255 is whichever answers", lowest=0, highest=255
        ),
        **boards.OPTIONS,
        "frames": Option(
            "standard",
            "form of requests; some long-range readers know advanced ones only",
            choices=("standard", "advanced"),
        ),
        "antennas": Option(
            1,
            "antennas of the reader: its only one is number 0; two are 1 and 2 and selected in turn (CPR), "
            "up to eight with a multiplexer",
            lowest=1,
            highest=MOST_ANTENNAS,
        ),
        "multiplexer": Option(
            False, "antennas are outputs of an ID ISC.ANT.MUX, from output 1 (not confirmed by anybody)"
        ),
        "reading": Option(
            "host",
            "who begins an inventory: the host, or the reader itself, which was set to its buffered read "
            "mode and visits its antennas without being asked (long-range readers)",
            choices=("host", "buffered"),
        ),
        "hold_ms": Option(
            1500,
            "buffered: how long a tag counts as there after it was read last; longer than the reader's "
            "transponder valid time",
            lowest=50,
            highest=60000,
        ),
        "ont": Option(
            "rf-reset",
            "how tags are made to answer again: the field off and on before each inventory, the PRESC "
            "mode, or nothing because ONT was cleared in the reader",
            choices=("rf-reset", "presc", "cleared"),
        ),
        "poll_interval_ms": Option(15, "pause between two inventories", lowest=0, highest=10000),
        "quiet_ms": Option(
            5, "silence between an answer and the next request (PSST of the reader)", lowest=0, highest=255
        ),
        "answer_ms": Option(
            1200,
            "how long an inventory may take; longer than TR-RESPONSE-TIME of the reader",
            lowest=50,
            highest=60000,
        ),
    },
    antennas=tuple(range(MOST_ANTENNAS + 1)),
    stale_after_s=3.0,
    decode=decode,
    emulation="published",
    stored=STORED,
    variants=({"parity": "N"},),
    distinctive=True,
    answers_only=True,
)
