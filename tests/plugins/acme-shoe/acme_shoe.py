"""A driver of somebody else: the ACME shoe, which does not exist. It tells each card that is drawn, and beats
each second.

    C UUUUUUUUUUUUUUUU XX \n      a card was drawn: its UID
    B XX \n                       it is well

    XX  exclusive-or of all bytes before it, as two hex digits

Source: invented.
"""

from tablebridge.sdk import Driver, Instant, Options, Reading, Reason, Rejected, SerialPort, Sweep, Turn
from tablebridge.sdk.framing import Lines, rejected, xor_sum

LIMIT = 19


def encode(text: str) -> bytes:
    """A line as the shoe sends it."""
    return f"{text}{xor_sum(text.encode()):02X}\n".encode()


def meaning(line: bytes) -> Reading | Rejected | None:
    """What a line says; None for the beat."""
    body, check = line[:-2], line[-2:]
    if not body or check != f"{xor_sum(body):02X}".encode():
        return rejected(Reason.CHECKSUM if body else Reason.TOO_SHORT, "", line)
    if body == b"B":
        return None
    uid = body[1:].decode("ascii", "replace")
    if body[:1] != b"C":
        return rejected(Reason.UNKNOWN_TYPE, "", line)
    if len(uid) != 16 or any(char not in "0123456789ABCDEF" for char in uid):
        return rejected(Reason.IMPOSSIBLE_VALUE, "a UID is 16 hex digits", line)
    return Sweep(0, (uid,))


class Session:
    """Listens. A good line of any kind proves that the shoe works."""

    def __init__(self, options: Options) -> None:
        self._lines = Lines(LIMIT)

    def start(self, now: Instant) -> Turn:
        return Turn()

    def received(self, data: bytes, now: Instant) -> Turn:
        told = [line if isinstance(line, Rejected) else meaning(line) for line in self._lines.feed(data)]
        return Turn(
            tuple(one for one in told if one is not None and not isinstance(one, Rejected)),
            tuple(one for one in told if isinstance(one, Rejected)),
            alive=any(not isinstance(one, Rejected) for one in told),
        )

    def due(self, now: Instant) -> Turn:
        return Turn()


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What bytes mean outside a conversation."""
    told = [line if isinstance(line, Rejected) else meaning(line) for line in Lines(LIMIT).feed(data)]
    return tuple(one for one in told if one is not None)


DRIVER = Driver(
    name="acme-shoe",
    title="ACME shoe, which does not exist",
    trust="own protocol",
    source="invented",
    tested="an invented device cannot be tried",
    port=lambda options: SerialPort(baud=9600),
    session=Session,
    stale_after_s=3.0,
    decode=decode,
)
