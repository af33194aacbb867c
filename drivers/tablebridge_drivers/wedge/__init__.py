"""Readers that type a card's number and Enter, on a serial line: keyboard wedges with a serial output.

    digits CR, LF or both          forms of digits: see `card_numbers`

A wedge that is a real keyboard is another driver's: this one reads lines. Source: the usual forms, as many
readers print them.
"""

from functools import partial
from typing import Final, cast

from tablebridge.sdk import Driver, Option, Options, Rejected, SerialPort
from tablebridge.sdk.card_numbers import FORMS, Form, read_number
from tablebridge.sdk.conversations.push import (
    STALE_AFTER_S,
    Named,
    NamingSession,
    Said,
    decode_lines,
    hold_option,
    line_session,
)


def meaning(line: bytes, form: Form = "auto", turned: bool = False) -> Said:
    """What a line says."""
    uid = read_number(line, form, turned)
    return uid if isinstance(uid, Rejected) else Named(0, uid)


decode: Final = partial(decode_lines, meaning)
"""What lines mean outside a conversation."""


def _session(options: Options) -> NamingSession:
    said = partial(meaning, form=cast(Form, options["form"]), turned=bool(options["reverse"]))
    return line_session(said, options)


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
        "form": Option("auto", "what is typed: hex digits or decimal digits", choices=FORMS),
        "reverse": Option(False, "the reader types the least significant byte first"),
        "hold_ms": hold_option(1500),
    },
    stale_after_s=STALE_AFTER_S,
    decode=decode,
)
