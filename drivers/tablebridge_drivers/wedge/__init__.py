"""Readers that type a card's number and Enter, on a serial line: keyboard wedges with a serial output.

    digits CR, LF or both          forms of digits: see `card_numbers`

A wedge that is a real keyboard is another driver's: this one reads lines. Source: the usual forms, as many
readers print them.
"""

from typing import Final

from tablebridge.sdk import Driver, Option, Options, Reading, Rejected, SerialPort
from tablebridge.sdk.card_numbers import Numbers, number_options, numbers_of
from tablebridge.sdk.conversations.numbers import NumberSession, decode_numbers
from tablebridge.sdk.conversations.push import STALE_AFTER_S, hold_option


def read(line: bytes, numbers: Numbers) -> str | Rejected:
    """The UID that a line names."""
    return numbers.read(line)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines of one reader mean outside a conversation."""
    return decode_numbers(read, Numbers(), data)


def _session(options: Options) -> NumberSession:
    return NumberSession(numbers_of(options), read, options)


DRIVER: Final = Driver(
    name="wedge",
    title="Readers that type a card's number and Enter, on a serial line",
    trust="computed",
    source="the usual forms of numbers, as many readers print them",
    tested="composed lines; never on hardware of ours",
    port=lambda options: SerialPort(baud=int(options["baud"])),
    session=_session,
    options={
        "baud": Option(9600, "speed of the line", lowest=1200, highest=921600),
        **number_options(),
        "hold_ms": hold_option(1500),
    },
    stale_after_s=STALE_AFTER_S,
    decode=decode,
)
