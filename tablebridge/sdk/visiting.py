"""Which antenna a reader with several visits next. Pure.

**Theory.** In a round every antenna waits for all others, though at most places nothing happens. Each antenna
has an *interest*, at least 1, and the one is visited whose time since its last visit, times its
interest, is greatest. So over time visits are shared by interest; and no antenna waits longer than the
greatest interest times its share of a round: nothing is starved. What makes an antenna interesting:

    what                                        for how long                          interest
    a tag was read that was not read here in    until it was read `READS` times,      `HOT`
    `NEW` visits                                `VISITS` visits at most
    a card is due here, says whoever knows      until it says otherwise               as said

The first is what the reader sees by itself. That a tag is missing makes nothing interesting: if one visit
in four misses a card, something is always missing.
"""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

HOT: Final = 4.0
NEW: Final = 8
READS: Final = 4
VISITS: Final = 8
_LEAST_S: Final = 0.001


class _Antenna(msgspec.Struct):
    """`seen`: by tag, the number of the visit that read it last. `fresh`: by new tag, reads so far and visits
    left.
    """

    last_s: float = -1.0
    visits: int = 0
    said: float = 1.0
    seen: dict[str, int] = {}
    fresh: dict[str, tuple[int, int]] = {}

    @property
    def interest(self) -> float:
        return max(self.said, HOT if self.fresh else 1.0)


class Visiting:
    """The antennas of one reader."""

    def __init__(self, antennas: Sequence[int]) -> None:
        self._antennas = {antenna: _Antenna() for antenna in antennas}

    def choose(self, now_s: float) -> int:
        """The antenna to visit now. Of equal ones the first in the order of the round."""
        chosen = max(self._antennas, key=lambda antenna: self._wait(self._antennas[antenna], now_s))
        self._antennas[chosen].last_s = now_s
        return chosen

    def visited(self, antenna: int, tags: Collection[str]) -> None:
        """What a visit has read."""
        visited = self._antennas[antenna]
        visited.visits += 1
        fresh = {}
        for tag, (reads, left) in visited.fresh.items():
            reads += tag in tags
            if reads < READS and left > 1:
                fresh[tag] = reads, left - 1
        for tag in tags:
            if visited.visits - visited.seen.get(tag, -NEW) > NEW and visited.visits > 1:
                fresh[tag] = 1, VISITS
            visited.seen[tag] = visited.visits
        visited.seen = {tag: visit for tag, visit in visited.seen.items() if visited.visits - visit <= NEW}
        visited.fresh = fresh

    def say(self, interests: dict[int, float]) -> None:
        """What somebody knows: the interest of these antennas, 1 of all others."""
        for antenna, known in self._antennas.items():
            known.said = max(1.0, interests.get(antenna, 1.0))

    @staticmethod
    def _wait(antenna: _Antenna, now_s: float) -> float:
        return (
            (max(now_s - antenna.last_s, 0.0) + _LEAST_S) * antenna.interest if antenna.last_s >= 0 else 1e9
        )
