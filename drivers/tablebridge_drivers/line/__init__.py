"""Boards that are built by hand and speak the tablebridge line protocol: many antennas, contacts, a shuffler,
a tray.

The protocol is our own: docs/line-protocol.md. It was tried with an emulated board and with our firmware
under MicroPython on emulated chips (docs/firmware.md), not yet on a real board.
"""

from typing import Final

from tablebridge.sdk import Driver, Instant, Option, Options, Reading, Rejected, SerialPort, boards
from tablebridge_drivers.line.session import LineSession


def _port(options: Options) -> SerialPort:
    return SerialPort(
        baud=int(options["baud"]), dtr=bool(options["dtr"]), settle_s=float(options["settle_s"])
    )


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines mean to a session that knows nothing of what was before."""
    session = LineSession({"antennas": 0, "board": ""})
    now = Instant(0, 0)
    found: list[Reading | Rejected] = []
    for line in data.splitlines():
        turn = session.received(line + b"\n", now)
        found.extend((*turn.rejected, *turn.readings))
    return tuple(found)


DRIVER: Final = Driver(
    name="line",
    title="Hand-built boards that speak the tablebridge line protocol (ESP32, Arduino)",
    trust="own protocol",
    source="docs/line-protocol.md",
    tested="an emulated board, our firmware under MicroPython on emulated chips; never on hardware of ours",
    port=_port,
    session=LineSession,
    options={
        "dtr": Option(
            False,
            "raise DTR: a Pico or another board with USB of its own may drop lines without it, and a board "
            "behind an adapter resets by it",
        ),
        "baud": Option(115200, "speed of the line", lowest=9600, highest=2000000),
        "settle_s": Option(
            2.0, "silence after opening, for boards that reset then", lowest=0.0, highest=30.0
        ),
        **boards.OPTIONS,
        "antennas": Option(
            0, "visit the antennas 1 to this one only; 0 leaves it to the board", lowest=0, highest=64
        ),
    },
    antennas=tuple(range(1, 65)),
    stale_after_s=3.0,
    decode=decode,
    distinctive=True,
)
