"""A driver of somebody else: the ACME shoe, which does not exist. It names each card that is drawn, and beats
each second.

    C UUUUUUUUUUUUUUUU XX \n      a card was drawn: its UID
    B XX \n                       it is well

    XX  exclusive-or of all bytes before it, as two hex digits

Source: invented.
"""

from tablebridge.sdk import Driver, Options, Reading, Reason, Rejected, SerialPort, Sweep
from tablebridge.sdk.conversations.push import Push
from tablebridge.sdk.framing import Lines, each, rejected, xor_sum

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


class Session(Push[bytes]):
    """Listens. An intact line of any kind proves that the shoe works."""

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
