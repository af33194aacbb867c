"""Readers that name a tag when it comes, take no orders, and say nothing when it goes. No driver by itself.

Theory. Each antenna holds one tag: the last that was named. A reader that names it again and again while it
is there says by its silence that it went; of one that names it once nothing is known after that, so the site
says how long it counts as there, or that it stays until another is named. Silence is usual, so such a reader
cannot be told from a dead one.

    antenna    a tag is named                                  nothing for `hold`
    empty      sweep with it: holding                          -
    holding    sweep with it: holding                          sweep without tags: empty (never, where `hold` is 0)
               the same again, by a reader that names it once: it was away, so a sweep without tags goes before

Sensing decides on the first visits of a run. What is told only once has to carry as much: it counts as
`VISITS` of them.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import msgspec

from tablebridge.sdk import DeviceStatus, Instant, Option, Options, Reading, Rejected, Sweep, Turn
from tablebridge.sdk.framing import Lines

MS: Final = 1_000_000
VISITS: Final = 4
BREAK_NS: Final = 50 * MS
"""Silence after which a frame that has begun is given up."""
STALE_AFTER_S: Final = 86_400.0
LONGEST_LINE: Final = 160


def hold_option(default_ms: int) -> Option:
    return Option(
        default_ms,
        "how long a tag counts as there after it was named last; 0 is until another one is named",
        lowest=0,
        highest=3_600_000,
    )


class Seen(msgspec.Struct, frozen=True):
    """A tag was named."""

    antenna: int
    uid: str


Told = Seen | DeviceStatus | Rejected


class Cutter(Protocol):
    @property
    def pending(self) -> bool: ...

    def feed(self, data: bytes) -> list[bytes | Rejected]: ...

    def silence(self) -> list[bytes | Rejected]: ...


class TextLines:
    """Lines ended by CR, LF or both; empty ones are left out. `silence` ends nothing: a person's fingers may
    pause.
    """

    pending = False

    def __init__(self) -> None:
        self._lines = Lines(LONGEST_LINE)

    def feed(self, data: bytes) -> list[bytes | Rejected]:
        return [line for line in self._lines.feed(data.replace(b"\r", b"\n")) if line]

    def silence(self) -> list[bytes | Rejected]:
        return []


class TellingSession:
    """`meaning`: what an intact frame says. `repeats`: the reader names a tag again and again while it is
    there.
    """

    def __init__(
        self, cutter: Cutter, meaning: Callable[[bytes], Told], hold_ms: int, repeats: bool = False
    ) -> None:
        self._cutter = cutter
        self._meaning = meaning
        self._hold_ns = hold_ms * MS
        self._repeats = repeats
        self._held: dict[int, str] = {}
        self._gone_ns: dict[int, int] = {}
        self._break_ns = 0

    def start(self, now: Instant) -> Turn:
        return Turn()

    def received(self, data: bytes, now: Instant) -> Turn:
        self._break_ns = now.monotonic_ns + BREAK_NS
        return self._turn(self._cutter.feed(data), now.monotonic_ns)

    def due(self, now: Instant) -> Turn:
        broken = self._cutter.pending and now.monotonic_ns >= self._break_ns
        return self._turn(self._cutter.silence() if broken else [], now.monotonic_ns)

    def _turn(self, found: Sequence[bytes | Rejected], now_ns: int) -> Turn:
        readings: list[Reading] = []
        rejected: list[Rejected] = []
        alive = False
        for antenna in [antenna for antenna, gone_ns in self._gone_ns.items() if now_ns >= gone_ns]:
            del self._gone_ns[antenna], self._held[antenna]
            readings.append(Sweep(antenna, (), VISITS))
        for item in found:
            told = item if isinstance(item, Rejected) else self._meaning(item)
            match told:
                case Seen(antenna, uid):
                    if not self._repeats and self._held.get(antenna) == uid:
                        readings.append(Sweep(antenna, ()))
                    self._held[antenna] = uid
                    readings.append(Sweep(antenna, (uid,), 1 if self._repeats else VISITS))
                    if self._hold_ns:
                        self._gone_ns[antenna] = now_ns + self._hold_ns
                    alive = True
                case DeviceStatus():
                    readings.append(told)
                    alive |= told.state != "failed"
                case Rejected():
                    rejected.append(told)
        wakes = [*self._gone_ns.values(), *([self._break_ns] if self._cutter.pending else [])]
        return Turn(tuple(readings), tuple(rejected), b"", min(wakes, default=None), alive)


def decode_told(
    cutter: Cutter, meaning: Callable[[bytes], Told], data: bytes, end: bytes = b""
) -> tuple[Reading | Rejected, ...]:
    """What bytes mean outside a conversation. `end`: what ends a last frame that is whole but for its end."""
    found: list[Reading | Rejected] = []
    for item in (*cutter.feed(data), *(cutter.feed(end) if end else ()), *cutter.silence()):
        told = item if isinstance(item, Rejected) else meaning(item)
        found.append(Sweep(told.antenna, (told.uid,)) if isinstance(told, Seen) else told)
    return tuple(found)


def line_session(meaning: Callable[[bytes], Told], options: Options) -> TellingSession:
    """A session of a reader that names each tag once, by a line. `options`: with `hold_ms` among them."""
    return TellingSession(TextLines(), meaning, int(options["hold_ms"]))


def decode_lines(meaning: Callable[[bytes], Told], data: bytes) -> tuple[Reading | Rejected, ...]:
    """What its lines mean outside a conversation."""
    return decode_told(TextLines(), meaning, data, b"\n")
