"""The conversation with a device that speaks by itself and takes no orders; and with one that names a tag
when it comes, and says nothing when it goes.

Theory of tags that are named. Each antenna holds one tag: the last that was named. A reader that names it
again and again while it is there says by its silence that it went; of one that names it once nothing is known
after that, so the site says how long it counts as there, or that it stays until another is named. Silence is
usual, so such a reader cannot be distinguished from a dead one.

    antenna    a tag is named                     nothing for `hold`
    empty      sweep with it: holding             -
    holding    sweep with it: holding             sweep without tags: empty (never if `hold` is 0)
               the same again, by a reader that
               names it once: it was away, so a
               sweep without tags goes before
               (not if `Named.again`)

Sensing decides on the first visits of a run. What is said only once has to carry as much: it counts as
`VISITS` of them.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.model.readings import DeviceStatus, Reading, Sweep
from tablebridge.sdk.conversations.conversation import MS, Conversation, Item
from tablebridge.sdk.driver import Option, Options, Rejected, Turn
from tablebridge.sdk.framing import Receiver, TextLines, each

VISITS: Final = 4
BREAK_NS: Final = 50 * MS
"""Silence after which a frame that has begun is given up."""
STALE_AFTER_S: Final = 86_400.0
"""For `Driver.stale_after_s` of a device that is usually silent."""


class Push(Conversation[Item]):
    """A session that listens. A driver gives `heard`, and proves in it that the device works."""

    def __init__(self, receiver: Receiver[Item]) -> None:
        super().__init__(receiver, BREAK_NS)

    def start(self, now: Instant) -> Turn:
        return self._turn()

    def due(self, now: Instant) -> Turn:
        self._hear_silence(now.monotonic_ns)
        return self._turn()

    def _next_ns(self) -> int | None:
        return None


class Named(msgspec.Struct, frozen=True):
    """A tag was named. `again`: this form of naming is repeated while the tag is there, however seldom, so a
    repetition does not say that it was away.
    """

    antenna: int
    uid: str
    again: bool = False


Said = Named | DeviceStatus | Rejected
"""What a reader that names tags says by one frame."""


class NamingSession(Push[bytes]):
    """A session with a reader that names tags. `meaning`: what an intact frame says. `hold_ms`: how long a
    tag counts as there after it was named. `repeats`: the reader names a tag again and again while it is
    there.
    """

    def __init__(
        self,
        receiver: Receiver[bytes],
        meaning: Callable[[bytes], Said],
        hold_ms: int,
        repeats: bool = False,
    ) -> None:
        super().__init__(receiver)
        self._meaning = meaning
        self._hold_ns = hold_ms * MS
        self._repeats = repeats
        self._held: dict[int, str] = {}
        self._gone_ns: dict[int, int] = {}

    def received(self, data: bytes, now: Instant) -> Turn:
        self._release(now.monotonic_ns)
        return super().received(data, now)

    def due(self, now: Instant) -> Turn:
        self._release(now.monotonic_ns)
        return super().due(now)

    def heard(self, item: bytes, now_ns: int) -> None:
        said = self._meaning(item)
        if isinstance(said, Named):
            self._name(said, now_ns)
        else:
            self.report(said, alive=isinstance(said, DeviceStatus) and said.state != "failed")

    def _name(self, said: Named, now_ns: int) -> None:
        antenna, uid = said.antenna, said.uid
        if not self._repeats and not said.again and self._held.get(antenna) == uid:
            self.report(Sweep(antenna, ()))
        self._held[antenna] = uid
        self.report(Sweep(antenna, (uid,), 1 if self._repeats else VISITS), alive=True)
        if self._hold_ns:
            self._gone_ns[antenna] = now_ns + self._hold_ns

    def _release(self, now_ns: int) -> None:
        for antenna in [antenna for antenna, gone_ns in self._gone_ns.items() if now_ns >= gone_ns]:
            del self._gone_ns[antenna], self._held[antenna]
            self.report(Sweep(antenna, (), VISITS))

    def _next_ns(self) -> int | None:
        return min(self._gone_ns.values(), default=None)


def hold_option(default_ms: int) -> Option:
    """The option `hold_ms` of a driver whose reader names tags."""
    return Option(
        default_ms,
        "how long a tag counts as there after it was named last; 0 is until another one is named",
        lowest=0,
        highest=3_600_000,
    )


def line_session(meaning: Callable[[bytes], Said], options: Options) -> NamingSession:
    """A session with a reader that names each tag once, by a line. `options`: with `hold_ms` among them."""
    return NamingSession(TextLines(), meaning, int(options["hold_ms"]))


def decode_named(
    receiver: Receiver[bytes], meaning: Callable[[bytes], Said], data: bytes
) -> tuple[Reading | Rejected, ...]:
    """What bytes of a reader that names tags mean outside a conversation: each tag is a sweep."""
    return tuple(
        Sweep(said.antenna, (said.uid,)) if isinstance(said, Named) else said
        for said in each(receiver, meaning, data)
    )


def decode_lines(meaning: Callable[[bytes], Said], data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines of a reader that names tags mean outside a conversation."""
    return decode_named(TextLines(), meaning, data)


__all__ = [
    "STALE_AFTER_S",
    "VISITS",
    "Named",
    "NamingSession",
    "Push",
    "Said",
    "decode_lines",
    "decode_named",
    "hold_option",
    "line_session",
]
