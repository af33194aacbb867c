"""A camera over a table, as a driver: what a program that sees writes to a serial line or a socket, one line
per look. The program itself, which finds cards in pictures, is yours.

    seat 3,face-up,4000\\n      what it sees at a place, and how many times likelier the picture is if so
    ok\\n                       it is well

Words are face-up, face-down, boxed, chips and nothing; odds are from 1 to 10,000. A face is never sent.

Source: invented. Nothing of it was tried with a camera.
"""

from typing import Final, get_args, get_type_hints

from tablebridge.sdk import Driver, Look, Options, Reading, Reason, Rejected, SerialPort
from tablebridge.sdk.conversations.push import Push
from tablebridge.sdk.framing import Lines, each, rejected

LIMIT: Final = 40
SEEN: Final = get_args(get_type_hints(Look)["sees"])
PLACES: Final = ("board", "burn", "muck", "stub", *(f"seat {seat}" for seat in range(1, 11)))


def meaning(line: bytes) -> Reading | Rejected | None:
    """What a line says; None for the beat."""
    if line == b"ok":
        return None
    place, comma, rest = line.decode("ascii", "replace").partition(",")
    sees, again, odds = rest.partition(",")
    if not comma or not again:
        return rejected(Reason.TOO_SHORT, "", line)
    if place not in PLACES or sees not in SEEN:
        return rejected(Reason.UNKNOWN_TYPE, "", line)
    if not odds.isdecimal() or not 1 <= int(odds) <= 10_000:
        return rejected(Reason.IMPOSSIBLE_VALUE, "odds are from 1 to 10000", line)
    return Look(place, sees, float(odds))


class Session(Push[bytes]):
    """Listens. An intact line of any kind proves that the program works."""

    def __init__(self, options: Options) -> None:
        super().__init__(Lines(LIMIT))

    def heard(self, line: bytes, now_ns: int) -> None:
        said = meaning(line)
        if said is None:
            self.prove_alive()
        else:
            self.report(said, alive=True)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What bytes mean outside a conversation."""
    return tuple(said for said in each(Lines(LIMIT), meaning, data) if said is not None)


DRIVER = Driver(
    name="table-camera",
    title="A camera over the table, by a program of yours",
    trust="own protocol",
    source="invented",
    tested="with lines that were composed",
    port=lambda options: SerialPort(baud=115200),
    session=Session,
    stale_after_s=3.0,
    decode=decode,
)
