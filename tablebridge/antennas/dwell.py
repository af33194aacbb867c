"""Stays of cards under antennas, counted from readings of which nobody says what was right. Pure.

**Theory.** A card is where it is read again and again. From two reads at one antenna follows that the card
lay there in between, so the visits between the first and the last read of a *stay* are trials: reads are
hits, the others misses. The ends are not counted, since they were chosen by being reads. A stay ends where

| what | then |
| --- | --- |
| the card is read `MOVED` times elsewhere, and missed twice here | it lies there now |
| it is missed so often in a row that its own rate gives that less than `LIFTED` | it was lifted: the gap is not counted |
| another card comes to the antenna of a seat or of the burns | it may lie otherwise now |
| `LONGEST` visits are counted | a new stay of the same placement |

Reads by other antennas during a stay are cross-reads. Where two cards or more lie at a place at which nobody
lifts cards, and all are missed together and read again within five seconds, the antenna had an *outage*.

What is never read leaves no trace: a placement in which the tag does not answer at all is not seen here.
"""

import math
from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.model.places import BOARD, MUCK, STUB, Place
from tablebridge.model.readings import Sweep

MOVED: Final = 3
LIFTED: Final = 0.0001
LONGEST: Final = 30
OUTAGE: Final = 0.01
FORGOTTEN: Final = 200
"""A card that was missed so often in a row is not followed any more."""
MOST_FOLLOWED: Final = 2_000
"""Tags that are followed at once, and cards of a hand by antenna; a table has some hundred at most."""
MOST: Final = 200_000
"""Of more stays than these the older ones weigh half: a table changes."""
STILL: Final = (BOARD, MUCK, STUB)
"""Where nobody lifts cards that lie."""
_LONGEST_GAP_NS: Final = 5_000_000_000

Spot = str
"""`DEVICE/ANTENNA`, such as `seat-3/0`."""


def spot_of(device: str, antenna: int) -> Spot:
    """The name of an antenna."""
    return f"{device}/{antenna}"


class Counts(msgspec.Struct, omit_defaults=True):
    """What was counted at one table. `stays`: by antenna, by `VISITS READS`, how many. `cross`: by antenna,
    by the other one that read the card, by `VISITS READS`, how many. `visits`, `outage`: visits in all and in
    outages. `timed`: nanoseconds and the visits in them. `hands`, `used`: hands in all, and those in which
    the antenna had a card.
    """

    stays: dict[Spot, dict[str, int]] = {}
    cross: dict[Spot, dict[Spot, dict[str, int]]] = {}
    visits: dict[Spot, int] = {}
    outage: dict[Spot, int] = {}
    timed: dict[Spot, tuple[int, int]] = {}
    hands: int = 0
    used: dict[Spot, int] = {}

    @property
    def total(self) -> int:
        """All stays."""
        return sum(sum(these.values()) for these in self.stays.values())

    def stay(self, spot: Spot, visits: int, reads: int, cross: Mapping[Spot, int]) -> None:
        """One more stay."""
        _add(self.stays.setdefault(spot, {}), visits, reads)
        for other, crossed in cross.items():
            _add(self.cross.setdefault(spot, {}).setdefault(other, {}), visits, min(crossed, visits))

    def age(self) -> None:
        """Everything weighs half from now on, once there is more than `MOST`."""
        if self.total > MOST:
            for these in (
                *self.stays.values(),
                *(these for others in self.cross.values() for these in others.values()),
            ):
                for key in list(these):
                    these[key] //= 2
                    if not these[key]:
                        del these[key]
            self.visits = {spot: count // 2 for spot, count in self.visits.items()}
            self.outage = {spot: count // 2 for spot, count in self.outage.items()}
            self.timed = {spot: (ns // 2, count // 2) for spot, (ns, count) in self.timed.items()}
            self.used = {spot: count // 2 for spot, count in self.used.items()}
            self.hands //= 2


def _add(these: dict[str, int], visits: int, reads: int) -> None:
    key = f"{visits} {reads}"
    these[key] = these.get(key, 0) + 1


class _Stay(msgspec.Struct):
    """`visits`, `reads`: after the first read, up to the last one. `gap`: misses since. `pending`: reads
    elsewhere since the last read here; `cross`: those before it.
    """

    antenna: Spot
    visits: int = 0
    reads: int = 0
    gap: int = 0
    pending: dict[Spot, int] = {}
    cross: dict[Spot, int] = {}


class _Blank(msgspec.Struct):
    """Visits in a row that missed all of several cards, since `since_ns`; `chance`: of that, were the antenna
    well.
    """

    since_ns: int = 0
    visits: int = 0
    chance: float = 1.0


class Collector:
    """Counts, reading by reading, into `counts`. `places`: which antenna of which device looks where."""

    def __init__(self, places: Mapping[tuple[str, int], Place], counts: Counts | None = None) -> None:
        self.counts = counts or Counts()
        self._hand: dict[tuple[Spot, str], tuple[int, int]] = {}
        self._places = {spot_of(device, antenna): place for (device, antenna), place in places.items()}
        self._stays: dict[str, _Stay] = {}
        self._here: dict[Spot, dict[str, None]] = {spot: {} for spot in self._places}
        self._grown: dict[Spot, dict[str, None]] = {spot: {} for spot in self._places}
        self._last_ns: dict[Spot, int] = {}
        self._blank: dict[Spot, _Blank] = {}

    def sweep(self, device: str, sweep: Sweep, at_ns: int) -> None:
        """A report of an antenna; one that has no place is passed over."""
        spot = spot_of(device, sweep.antenna)
        if spot not in self._places:
            return
        visits = max(1, sweep.visits)
        self.counts.visits[spot] = self.counts.visits.get(spot, 0) + visits
        self._clock(spot, visits, at_ns)
        if self._places[spot] in STILL:
            self._outages(spot, sweep, visits, at_ns)
        for tag in sweep.tags:
            self._read(tag, spot, visits)
        if sweep.complete:
            read = set(sweep.tags)
            for tag in [tag for tag in self._here[spot] if tag not in read]:
                stay = self._stays[tag]
                stay.gap += visits
                self._grown[spot][tag] = None
                if stay.gap > FORGOTTEN:
                    self._close(tag)

    def hand_over(self) -> list[tuple[Spot, int, int]]:
        """A hand is over, and all stays with it: antenna, visits and reads of each card that lay under one,
        all its stays there together. A hand in which no card lay anywhere was not played.
        """
        for tag in list(self._stays):
            self._close(tag)
        cards = [(spot, visits, reads) for (spot, _), (visits, reads) in self._hand.items()]
        self._hand.clear()
        if cards:
            self.counts.hands += 1
            for spot in {spot for spot, _, _ in cards}:
                self.counts.used[spot] = self.counts.used.get(spot, 0) + 1
        return cards

    def _clock(self, spot: Spot, visits: int, at_ns: int) -> None:
        last_ns = self._last_ns.get(spot)
        self._last_ns[spot] = at_ns
        if last_ns is not None and 0 < at_ns - last_ns < _LONGEST_GAP_NS:
            seen_ns, seen = self.counts.timed.get(spot, (0, 0))
            self.counts.timed[spot] = (seen_ns + at_ns - last_ns, seen + visits)

    def _read(self, tag: str, spot: Spot, visits: int) -> None:
        stay = self._stays.get(tag)
        if stay is None:
            if len(self._stays) < MOST_FOLLOWED:
                self._begin(tag, spot, visits - 1)
            return
        self._grown[stay.antenna][tag] = None
        if stay.antenna == spot:
            if stay.gap and (1 - _rate(stay)) ** stay.gap < LIFTED:
                self._close(tag)
                self._begin(tag, spot, visits - 1)
                return
            stay.visits += stay.gap + visits
            stay.reads += visits
            stay.gap = 0
            for other, reads in stay.pending.items():
                stay.cross[other] = stay.cross.get(other, 0) + reads
            stay.pending = {}
            if stay.visits > LONGEST:
                self._close(tag)
                self._begin(tag, spot, 0, fresh=False)
        else:
            stay.pending[spot] = stay.pending.get(spot, 0) + visits
            if stay.pending[spot] >= MOVED and stay.gap >= 2:
                reads = stay.pending[spot]
                self._close(tag)
                self._begin(tag, spot, reads - 1)

    def _begin(self, tag: str, spot: Spot, reads: int, *, fresh: bool = True) -> None:
        if fresh and self._places[spot] not in STILL:
            # A stay that has just begun would only begin again: those are passed over, or many cards that
            # come together would cost the square of their number.
            for other in list(self._grown[spot]):
                again = self._stays[other].gap == 0
                self._close(other)
                if again:
                    self._begin(other, spot, 0, fresh=False)
        self._stays[tag] = _Stay(spot, reads, reads)
        self._here[spot][tag] = None
        if reads:
            self._grown[spot][tag] = None

    def _close(self, tag: str) -> None:
        """The last read is no trial: it ended the stay."""
        stay = self._stays.pop(tag)
        del self._here[stay.antenna][tag]
        self._grown[stay.antenna].pop(tag, None)
        visits, reads = min(stay.visits, 2 * LONGEST) - 1, stay.reads - 1
        if stay.visits > 2 * LONGEST:
            reads = round(reads * visits / (stay.visits - 1))
        before = self._hand.get((stay.antenna, tag), (0, 0))
        if len(self._hand) < MOST_FOLLOWED or (stay.antenna, tag) in self._hand:
            self._hand[stay.antenna, tag] = (before[0] + max(0, visits), before[1] + max(0, reads))
        if visits > 0:
            self.counts.stay(stay.antenna, visits, reads, stay.cross)

    def _outages(self, spot: Spot, sweep: Sweep, visits: int, at_ns: int) -> None:
        blank = self._blank.get(spot)
        if any(tag in self._here[spot] for tag in sweep.tags):
            if blank is not None and blank.chance < OUTAGE and at_ns - blank.since_ns < _LONGEST_GAP_NS:
                self.counts.outage[spot] = self.counts.outage.get(spot, 0) + blank.visits
            self._blank.pop(spot, None)
        elif not sweep.tags and sweep.complete:
            if blank is None:
                blank = self._blank[spot] = _Blank(at_ns)
            fresh = [
                stay
                for stay in map(self._stays.__getitem__, self._here[spot])
                if stay.gap <= blank.visits + 1
            ]
            if len(fresh) >= 2:
                blank.visits += visits
                blank.chance *= math.prod(1 - _rate(stay) for stay in fresh) ** visits


def _rate(stay: _Stay) -> float:
    return (stay.reads + 1) / (stay.visits + 2)
