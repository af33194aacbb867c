"""Which readings may wait a moment, so that many go out as one message. Pure.

Theory. Most of what comes in repeats what is known: an antenna reads the tags that lie there, or misses one
of them once, which at a table of ordinary noise happens thirty times per second. Nothing is decided by one
such reading, and that a tag was taken away only by several visits that miss it. What somebody may be waiting
for is sent at once, with all that waits:

    anything but a sweep      a press, a shuffler's report, what a device says of itself
    a sweep with a new tag    sensing decides on the first `EVIDENCE` visits that see it
    a sweep without a tag     if it lay there, and this is the visit number `EVIDENCE` in a row that misses it

A tag that its antenna has missed in `FORGOTTEN` visits in a row is new when it comes back. So is one that
`MOST_TAGS` others of the antenna have displaced: a device whose sweeps are never complete, or hold another
tag each time, takes no more memory than that.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

from tablebridge.model.readings import MOST_CHIPS, Reading, Sweep

EVIDENCE: Final = 4
FORGOTTEN: Final = 16
MOST_TAGS: Final = 2 * MOST_CHIPS
"""Tags that are known of an antenna: those of one sweep are half of them at most."""
MOST_ANTENNAS: Final = 256

Key = TypeVar("Key")
Value = TypeVar("Value")


class _Seen:
    """A tag at one antenna: how many sweeps saw it, and how many visits in a row have missed it."""

    __slots__ = ("missed", "seen")

    def __init__(self) -> None:
        self.seen = 0
        self.missed = 0


class _Latest(OrderedDict[Key, Value]):
    """The `most` keys that were used last: one more displaces the one that was used longest ago. `make`: the
    value of a key that is new.
    """

    def __init__(self, most: int, make: Callable[[], Value]) -> None:
        super().__init__()
        self._most = most
        self._make = make

    def use(self, key: Key) -> Value:
        """The value of a key, which is the newest now."""
        value = self.get(key)
        if value is None:
            value = self[key] = self._make()
            if len(self) > self._most:
                self.popitem(last=False)
        else:
            self.move_to_end(key)
        return value


def _tags() -> _Latest[str, _Seen]:
    return _Latest(MOST_TAGS, _Seen)


class News:
    """What is known of one device's antennas."""

    def __init__(self) -> None:
        self._antennas: _Latest[int, _Latest[str, _Seen]] = _Latest(MOST_ANTENNAS, _tags)

    def take(self, reading: Reading) -> bool:
        """A reading came: whether it is to be sent at once."""
        if not isinstance(reading, Sweep):
            return True
        known = self._antennas.use(reading.antenna)
        news = False
        for tag in reading.tags:
            seen = known.use(tag)
            seen.seen += 1
            seen.missed = 0
            news = news or seen.seen <= EVIDENCE
        if reading.complete and len(known) > len(reading.tags):
            for tag in known.keys() - set(reading.tags):
                seen, before = known[tag], known[tag].missed
                seen.missed += reading.visits
                news = news or (seen.seen >= EVIDENCE and before < EVIDENCE <= seen.missed)
                if seen.missed >= FORGOTTEN:
                    del known[tag]
        return news
