"""Signal lights: one session for all of them, so that a driver says only how its device is painted.

Theory. The light is painted again every `REFRESH_NS`, for it may have been pulled out and put back, or
exchanged; and because each painting that the device takes proves that it is there. Blinking, once per second,
and breathing are done here, by painting on and off: not every light can blink by itself, and none says how
fast. A device that has a button, too, is asked for it every `poll_ns` in between.

    alert                         colour
    no engine says anything       blue, or dark if the light has no blue: never the colour of "all is well"
    none                          dark; if it `breathes`, green for one second of four: the box lives
    warning                       yellow, blinking until somebody has acknowledged all of them
    the dealer calls the floor    white, steady
    critical                      red, blinking until somebody has acknowledged all of them

    state      due                                   the record is answered               a signal comes
    waiting    count a timeout, paint: waiting       idle; at once, if the colour         it is painted next
                                                     has changed meanwhile: waiting
    idle       paint, or ask the button: waiting     -                                    paint: waiting
"""

from collections.abc import Callable
from enum import Enum
from typing import Final, Protocol

from tablebridge.model.instant import Instant
from tablebridge.model.readings import ButtonPress, Reading
from tablebridge.sdk import reports
from tablebridge.sdk.conversations.conversation import MS, Conversation
from tablebridge.sdk.driver import Option, Reason, Rejected, Signal, Turn
from tablebridge.sdk.framing import rejected

REFRESH_NS: Final = 1000 * MS
BLINK_NS: Final = 500 * MS
BREATH_NS: Final = 1000 * MS
BREATHES: Final = Option(
    False, "green for one second of four while no alert is open; a dark light is then a dead box"
)
"""The option `breathes` of every light."""
ANSWER_NS: Final = 1500 * MS


class Colour(Enum):
    """What a light shows at a moment: red, green, blue, each 0 or 1."""

    DARK = (0, 0, 0)
    GREEN = (0, 1, 0)
    YELLOW = (1, 1, 0)
    RED = (1, 0, 0)
    BLUE = (0, 0, 1)
    WHITE = (1, 1, 1)


COLOURS: Final = {
    "unknown": Colour.BLUE,
    "clear": Colour.DARK,
    "warning": Colour.YELLOW,
    "called": Colour.WHITE,
    "critical": Colour.RED,
}


class Lamp(Protocol):
    """One kind of light: pure functions."""

    poll_ns: int | None
    """How often its button is asked for; None: it has none, or speaks by itself."""

    def paint(self, colour: Colour) -> bytes:
        """The record of `tablebridge.sdk.reports` that paints it."""

    def ask(self) -> bytes:
        """The record that asks for its button."""

    def heard(self, record: reports.Report) -> tuple[ButtonPress | Rejected, ...]:
        """What an input report or a feature report that was asked for says."""


class LightSession(Conversation[reports.Report]):
    """One light. `breathes`: as the option of this name. See the module."""

    def __init__(self, lamp: Lamp, breathes: bool) -> None:
        super().__init__(reports.Reports())
        self._lamp = lamp
        self._breathes = breathes
        self._signal = Signal()
        self._painted: Colour | None = None
        self._paint_ns = self._ask_ns = self._at_ns = 0
        self._waiting = False
        self._contacts: dict[int, ButtonPress] = {}

    def start(self, now: Instant) -> Turn:
        self._go_on(now.monotonic_ns)
        return self._turn()

    def show(self, signal: Signal, now: Instant) -> Turn:
        self._signal = signal
        if not self._waiting:
            self._go_on(now.monotonic_ns)
        return self._turn()

    def heard(self, record: reports.Report, now_ns: int) -> None:
        if record.kind == reports.REFUSED:
            self.reject(Reason.UNEXPECTED, "the light refused a report")
        if record.kind in (reports.TAKEN, reports.GET):
            self.prove_alive()
        if record.kind in (reports.TAKEN, reports.GET, reports.REFUSED):
            self._waiting = False
            self._at_ns = (
                min(self._paint_ns, self._ask_ns) if self._lamp.poll_ns is not None else self._paint_ns
            )
        if record.kind in (reports.INPUT, reports.GET):
            for said in self._lamp.heard(record):
                if isinstance(said, Rejected):
                    self.report(said)
                elif self._contacts.get(said.contact) != said:
                    self._contacts[said.contact] = said
                    self.report(said)
        if not self._waiting and self._painted is not self._colour(now_ns):
            self._at_ns = now_ns

    def due(self, now: Instant) -> Turn:
        self._hear_silence(now.monotonic_ns)
        if now.monotonic_ns >= self._at_ns:
            if self._waiting:
                self.reject(Reason.TIMEOUT, "the light took no report")
            self._go_on(now.monotonic_ns)
        return self._turn()

    def _next_ns(self) -> int:
        return self._at_ns

    def _go_on(self, now_ns: int) -> None:
        """Paint, or ask for the button, whichever is due first."""
        colour = self._colour(now_ns)
        poll_ns = self._lamp.poll_ns
        self._waiting = True
        self._at_ns = now_ns + ANSWER_NS
        if poll_ns is not None and colour is self._painted and now_ns < self._paint_ns:
            self._ask_ns = now_ns + poll_ns
            self.send(self._lamp.ask())
            return
        self._painted = colour
        self._paint_ns = now_ns + (BLINK_NS if self._blinks else REFRESH_NS)
        self.send(self._lamp.paint(colour))

    @property
    def _blinks(self) -> bool:
        return self._signal.level in ("warning", "critical") and not self._signal.taken

    def _colour(self, now_ns: int) -> Colour:
        if self._breathes and self._signal.level == "clear":
            return Colour.DARK if now_ns // BREATH_NS % 4 else Colour.GREEN
        dark = self._blinks and now_ns // BLINK_NS % 2
        return Colour.DARK if dark else COLOURS[self._signal.level]


def decode_inputs(
    meaning: Callable[[bytes], tuple[ButtonPress | Rejected, ...]], length: int, data: bytes
) -> tuple[Reading | Rejected, ...]:
    """What the input reports of a light with a button mean, of `length` bytes each: see `reports.inputs`.

    A session takes a report of any length: a device at work sends its own, and no source names it for every
    light.
    """
    return tuple(
        said
        for report in reports.inputs(data, length)
        for said in (meaning(report) if len(report) == length else (_of_another_length(report, length),))
    )


def _of_another_length(report: bytes, length: int) -> Rejected:
    reason = Reason.TOO_SHORT if len(report) < length else Reason.TOO_LONG
    return rejected(reason, f"a report of {len(report)} bytes; the light's have {length}", report)


__all__ = ["BREATHES", "COLOURS", "Colour", "Lamp", "LightSession", "decode_inputs"]
