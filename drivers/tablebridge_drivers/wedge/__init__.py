"""Readers that type a card's number and Enter, on a serial line: keyboard wedges with a serial output.

    digits CR, LF or both          forms of digits: see `card_numbers`
    02 digits CR LF 03             the same between a begin and an end, as some readers print it

Twelve digits between 02 and 03 are those of an RDM6300 or ID-12LA, whose last two are a sum: they are
another driver's, and so is a wedge that is a real keyboard. Source: the usual forms, as many readers print
them; bytes that somebody logged from a reader with a begin and an end (Stack Overflow, question 30038986).
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, Reading, Reason, Rejected, SerialPort
from tablebridge.sdk.card_numbers import Numbers, number_options, numbers_of
from tablebridge.sdk.conversations.numbers import NumberSession, decode_numbers
from tablebridge.sdk.conversations.push import STALE_AFTER_S, hold_option
from tablebridge.sdk.framing import TextLines, rejected

BEGIN: Final = b"\x02"
END: Final = b"\x03"
_WITH_SUM: Final = 12


class Lines(TextLines):
    """A receiver of lines; an end behind the last of them is no line."""

    def feed(self, data: bytes) -> list[bytes | Rejected]:
        return [line for line in super().feed(data) if line != END]

    def silence(self) -> list[bytes | Rejected]:
        return [line for line in super().silence() if line != END]


def read(line: bytes, numbers: Numbers) -> str | Rejected:
    """The UID that a line names."""
    bare = line.removeprefix(END)
    digits = bare.removeprefix(BEGIN).removesuffix(END)
    if digits != bare and len(digits) == _WITH_SUM:
        return rejected(Reason.UNKNOWN_TYPE, "digits with a sum, as of an RDM6300: use driver rdm6300", line)
    return numbers.read(digits)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines of one reader mean outside a conversation."""
    return decode_numbers(read, Numbers(), data, Lines())


def _session(options: Options) -> NumberSession:
    return NumberSession(numbers_of(options), read, options, Lines())


DRIVER: Final = Driver(
    name="wedge",
    title="Readers that type a card's number and Enter, on a serial line",
    trust="computed",
    source="the usual forms of numbers, as many readers print them; bytes that somebody logged",
    tested="a line that somebody logged, and composed ones; never on hardware of ours",
    port=lambda options: SerialPort(baud=int(options["baud"])),
    session=_session,
    options={
        "baud": Option(9600, "speed of the line", lowest=1200, highest=921600),
        **number_options(),
        "hold_ms": hold_option(1500),
    },
    stale_after_s=STALE_AFTER_S,
    decode=decode,
    emulation="published",
)
