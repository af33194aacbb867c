"""Readers that visit the antennas of one hand, and their reports: late, twice, out of order between readers,
or not at all.

Each reader has some of the antennas and visits one at a time. A visit takes the switching time and the
inventory's air time (`reader.py`); what is read is what lies there when it begins. The report comes after a
delay, sometimes much later, sometimes twice; reports of one reader keep their order. Now and then an antenna
has an outage, in which it reads nothing at all.
"""

import heapq
import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Protocol

import msgspec

from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place, up_place
from tablebridge.sim.dealing import Motion
from tablebridge.sim.noise import Noise
from tablebridge.sim.reader import EMPTY_S, TAG_S

SEATED: Final = tuple(range(1, 10))
PLACES: Final[tuple[Place, ...]] = (*map(seat_place, SEATED), BOARD, BURN, MUCK, STUB)
"""The antennas by number, nine seats first."""
PLACES_UP: Final[tuple[Place, ...]] = (*PLACES, *map(up_place, SEATED))
"""The same, then the antennas of up cards."""
_ROUND: Final = (0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 11, 10, 12)
"""Neighbours are not visited one after the other: their fields would meet."""


class Line(msgspec.Struct, frozen=True):
    """How the antennas are read. `readers`: how many share them. `switch_s`: lost for each visit. `delay_s`:
    mean time until a report is here; with probability `stall` it takes up to a second more, with `twice` it
    comes twice.
    """

    readers: int
    switch_s: float
    delay_s: float
    stall: float = 0.0
    twice: float = 0.0


LINES: Final = {
    "clean": Line(4, 0.0015, 0.005),
    "mild": Line(4, 0.0015, 0.005),
    "typical": Line(2, 0.005, 0.015, 0.0005, 0.01),
    "harsh": Line(1, 0.01, 0.03, 0.002, 0.05),
}
"""What each level of noise is read with: a cycle of all antennas takes about 70, 70, 150 and 340 ms."""


class Report(msgspec.Struct, frozen=True):
    """An antenna was visited at `visited_s` and read `tags`; that is known at `at_s`. Seconds since the hand
    began.
    """

    at_s: float
    visited_s: float
    antenna: int
    tags: tuple[str, ...]


class Schedule(Protocol):
    """Which antenna a reader visits next."""

    def choose(self, antennas: Sequence[int], now_s: float) -> int:
        """One of a reader's antennas."""

    def report(self, report: Report) -> None:
        """What has come by now."""


class RoundRobin:
    """One antenna after the other."""

    def __init__(self) -> None:
        self._next: dict[tuple[int, ...], int] = {}

    def choose(self, antennas: Sequence[int], now_s: float) -> int:
        """See `Schedule.choose`."""
        key = tuple(antennas)
        number = self._next.get(key, 0)
        self._next[key] = (number + 1) % len(key)
        return key[number]

    def report(self, report: Report) -> None:
        """What was read does not matter here."""


def antennas_of(readers: int, antennas: int = len(PLACES)) -> list[tuple[int, ...]]:
    """The antennas of each reader, in the order of a round. `antennas`: how many there are."""
    order = (*_ROUND, *range(len(_ROUND), antennas))
    return [order[reader::readers] for reader in range(readers)]


def poll(
    dealing: Motion,
    noise: Noise,
    line: Line,
    schedule: Schedule,
    rng: Random,
    places: Sequence[Place] = PLACES,
) -> Iterator[Report]:
    """All reports of a hand, in the order in which they come. `places`: of the antennas, by number."""
    number = itertools.count()
    turns = [(rng.uniform(0.0, 0.02), reader) for reader in range(line.readers)]
    mine = antennas_of(line.readers, len(places))
    coming: list[tuple[float, int, Report]] = []
    came_s = [0.0] * line.readers
    outages = {antenna: _outages(noise, dealing.end_s, rng) for antenna in range(len(places))}
    heapq.heapify(turns)
    while turns[0][0] < dealing.end_s:
        now_s, reader = heapq.heappop(turns)
        while coming and coming[0][0] <= now_s:
            report = heapq.heappop(coming)[2]
            schedule.report(report)
            yield report
        dealing.advance(now_s)
        antenna = schedule.choose(mine[reader], now_s)
        tags = dealing.visit(places[antenna])
        if any(begin_s <= now_s < end_s for begin_s, end_s in outages[antenna]):
            tags = []
        done_s = now_s + line.switch_s + EMPTY_S + TAG_S * len(tags)
        late_s = rng.expovariate(1 / line.delay_s) + (
            rng.uniform(0.2, 1.0) if rng.random() < line.stall else 0.0
        )
        came_s[reader] = max(came_s[reader], done_s + late_s)
        report = Report(came_s[reader], now_s, antenna, tuple(tags))
        heapq.heappush(coming, (report.at_s, next(number), report))
        if rng.random() < line.twice:
            heapq.heappush(coming, (report.at_s + 0.001, next(number), report))
        heapq.heappush(turns, (done_s, reader))
    while coming and coming[0][0] <= dealing.end_s:
        yield heapq.heappop(coming)[2]


def _outages(noise: Noise, end_s: float, rng: Random) -> list[tuple[float, float]]:
    """When an antenna reads nothing."""
    found = []
    at_s = rng.expovariate(noise.burst_per_s) if noise.burst_per_s else end_s
    while at_s < end_s:
        over_s = at_s + rng.expovariate(1 / noise.burst_s)
        found.append((at_s, over_s))
        at_s = over_s + rng.expovariate(noise.burst_per_s)
    return found
