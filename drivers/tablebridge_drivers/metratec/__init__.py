"""metraTec HF readers for ISO 15693, ASCII and AT dialect, with one antenna or behind a multiplexer.

The protocol is known from the vendor's open SDKs (Python, Java, .NET), whose constants and sample lines are
the test vectors; of its protocol guides only the contents pages were read. It was never tried on a reader of
ours. Not known: what an old firmware answers to `CON`, and how the line of an input pin is protected in CRC
mode.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, SerialPort, Session, boards
from tablebridge_drivers.metratec.at import AtSession
from tablebridge_drivers.metratec.blocks import decode
from tablebridge_drivers.metratec.session import AsciiSession


def _port(options: Options) -> SerialPort:
    return SerialPort(baud=int(options["baud"]))


def _session(options: Options) -> Session:
    return AtSession(options) if options["dialect"] == "at" else AsciiSession(options)


DRIVER: Final = Driver(
    name="metratec",
    title="metraTec HF readers: QuasarLR, QuasarMX, DeskID ISO, Dwarf15, QR15 (ASCII); "
    "DeskID NFC, QR NFC (AT)",
    trust="logged traffic",
    source="constants and sample lines of the vendor's open Python, Java and .NET SDKs; "
    "contents of its ISO 15693 protocol guides",
    tested="sample lines of the vendor's SDKs, and emulated readers; never on hardware of ours",
    port=_port,
    session=_session,
    options={
        "baud": Option(115200, "speed of the line", lowest=9600, highest=921600),
        "dialect": Option(
            "ascii", "ascii: Quasar, DeskID ISO, Dwarf15, QR15; at: the NFC models", choices=("ascii", "at")
        ),
        **boards.OPTIONS,
        "crc": Option(True, "protect every line by a CRC (ASCII dialect)"),
        "antennas": Option(
            1,
            "antennas behind the reader: its only one is number 0; more are visited in turn",
            lowest=1,
            highest=16,
        ),
        "first_antenna": Option(
            -1,
            "number of the first of several antennas; -1: as the dialect counts, 0 (ASCII) or 1 (AT)",
            lowest=-1,
            highest=1,
        ),
        "multiplex": Option(
            "manual",
            "several antennas: manual, the host selects each; automatic, the reader goes on by "
            "itself and reports which it was (ASCII dialect)",
            choices=("manual", "automatic"),
        ),
        "order": Option(
            "rounds",
            "several antennas that the host selects: rounds, one after the other; new-first, where "
            "a tag is new more often, the others at least now and then",
            choices=("rounds", "new-first"),
        ),
        "field": Option(
            "SS 100", "subcarrier and modulation of the field", choices=("SS 100", "SS 10", "DS 100", "DS 10")
        ),
        "poll_interval_ms": Option(20, "pause between two inventories", lowest=0, highest=10000),
        "answer_ms": Option(1000, "how long an inventory may take", lowest=50, highest=60000),
    },
    antennas=tuple(range(17)),
    stale_after_s=3.0,
    decode=decode,
    emulation="clients",
    distinctive=True,
    variants=({"dialect": "at"},),
)
