"""What readers of the UHFReader18 family store: whether they answer, or name tags by themselves.

    36     answer  WW ii pp ss MM FF EE AA NN TT …    Wiegand (4), mode, flags, memory, first word, words,
                                                   time
    35     request MM FF EE AA NN TT                  answer 00

In mode 0 a reader answers; in 1 it scans, in 2 and 3 it scans while an input is low or high. Source: PyPI
uhfreader18 0.6.0 after the manual V2.0, 8.4.9 and 8.4.10.
"""

from typing import Final

from tablebridge.sdk import Options, Rejected
from tablebridge.sdk.framing import Frames
from tablebridge.sdk.stored import Stored
from tablebridge_drivers.uhfreader18 import frames
from tablebridge_drivers.uhfreader18.frames import Answer, encode

GET_MODE: Final = 0x36
MODES: Final = ("answer", "scan", "scan while its input is low", "scan while its input is high")
ANSWERS: Final = MODES[0]


def _answer(heard: bytes, command: int) -> Answer | None:
    """The last whole answer to the command among what came."""
    found = None
    for frame in Frames(frames.measure, frames.intact).feed(heard):
        answer = frame if isinstance(frame, Rejected) else frames.read_answer(frame)
        if isinstance(answer, Answer) and answer.command == command:
            found = answer
    return found


def _mode(heard: bytes) -> str | None:
    answer = _answer(heard, GET_MODE)
    return MODES[answer.data[4] & 3] if answer is not None and len(answer.data) >= 10 else None


def _write(heard: bytes, options: Options) -> bytes:
    answer = _answer(heard, GET_MODE)
    kept = answer.data[5:10] if answer is not None else b""
    return encode(frames.SET_MODE, b"\0" + kept, int(options["address"]))


def _written(heard: bytes) -> bool | None:
    answer = _answer(heard, frames.SET_MODE)
    return None if answer is None else answer.status == frames.OK


STORED: Final = (
    Stored(
        name="work mode",
        meaning="a reader that scans names tags by itself and answers no inventory",
        ask=lambda options: encode(GET_MODE, b"", int(options["address"])),
        read=_mode,
        wanted=lambda value, _options: value == ANSWERS,
        wish=lambda _options: ANSWERS,
        write=_write,
        written=_written,
    ),
)
