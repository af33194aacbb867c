"""The conversation with a reader that names tags one at a time, each again and again while it lies there, and
several on one antenna.

Theory. A tag counts as there for `hold` after it was named last; the reader names it more often than that.
Each naming is a visit of its antenna with all tags that are held there. What is no longer held is
reported by a sweep without it. An empty field cannot be distinguished from a dead reader, so silence is no
fault.

    tag        is named                           nothing for `hold`
    away       sweep with it: held                -
    held       sweep with all held there: held    sweep without it: away
"""

from collections.abc import Callable
from typing import Final

from tablebridge.model.instant import Instant
from tablebridge.model.readings import DeviceStatus, Sweep
from tablebridge.sdk.conversations.conversation import MS
from tablebridge.sdk.conversations.push import Named, Push, Said
from tablebridge.sdk.driver import Turn
from tablebridge.sdk.framing import Receiver

MOST_HELD: Final = 256
"""More tags than all fields of one reader power at once; of more, sweeps are incomplete."""


class Held:
    """The tags that lie on the antennas of a reader. `hold_ms`: how long one counts as there."""

    def __init__(self, hold_ms: int) -> None:
        self._hold_ns = hold_ms * MS
        self._gone_ns: dict[tuple[int, str], int] = {}

    def name(self, antenna: int, uid: str, now_ns: int) -> Sweep:
        """A tag was named: what lies on its antenna now."""
        known = (antenna, uid) in self._gone_ns or len(self._gone_ns) < MOST_HELD
        if known:
            self._gone_ns[antenna, uid] = now_ns + self._hold_ns
        return self._sweep(antenna, complete=known)

    def release(self, now_ns: int) -> list[Sweep]:
        """What lies on each antenna from which a tag went, now that it is `now_ns`."""
        gone = [key for key, gone_ns in self._gone_ns.items() if now_ns >= gone_ns]
        for key in gone:
            del self._gone_ns[key]
        return [self._sweep(antenna) for antenna in sorted({antenna for antenna, _ in gone})]

    @property
    def next_ns(self) -> int | None:
        """When the next tag goes if it is not named again; None: none is there."""
        return min(self._gone_ns.values(), default=None)

    def _sweep(self, antenna: int, complete: bool = True) -> Sweep:
        tags = sorted(uid for there, uid in self._gone_ns if there == antenna)
        return Sweep(antenna, tuple(tags), complete=complete)


class HoldingSession(Push[bytes]):
    """A session with such a reader. `meaning`: what an intact frame says. `hold_ms`: as of `Held`."""

    def __init__(self, receiver: Receiver[bytes], meaning: Callable[[bytes], Said], hold_ms: int) -> None:
        super().__init__(receiver)
        self._meaning = meaning
        self._held = Held(hold_ms)

    def received(self, data: bytes, now: Instant) -> Turn:
        self._release(now.monotonic_ns)
        return super().received(data, now)

    def due(self, now: Instant) -> Turn:
        self._release(now.monotonic_ns)
        return super().due(now)

    def heard(self, item: bytes, now_ns: int) -> None:
        said = self._meaning(item)
        if isinstance(said, Named):
            self.report(self._held.name(said.antenna, said.uid, now_ns), alive=True)
        else:
            self.report(said, alive=isinstance(said, DeviceStatus) and said.state != "failed")

    def _release(self, now_ns: int) -> None:
        for sweep in self._held.release(now_ns):
            self.report(sweep)

    def _next_ns(self) -> int | None:
        return self._held.next_ns


__all__ = ["MOST_HELD", "Held", "HoldingSession"]
