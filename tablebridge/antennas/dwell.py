"""Stays of cards under antennas, counted from readings without a record of what was right. Pure.

**Theory.** A card is where it is read again and again. From two reads at one antenna follows that the card
lay there in between, so the visits between the first and the last read of a *stay* are trials: reads are
hits, the others misses. The ends are not counted, since they were chosen by being reads. A stay ends when

| what | then |
| --- | --- |
| the card is read `MOVED` times elsewhere, and missed twice here | it lies there now |
| its own rate gives a gap as long as this less than `LIFTED` | it was lifted: the gap is not counted |
| another card comes to the antenna of a seat or of the burns | it may lie otherwise now |
| `LONGEST` visits are counted | a new stay of the same placement |

Reads by other antennas during a stay are cross-reads. If two cards or more lie at a place at which nobody
lifts cards, and all are missed together and read again within five seconds, the antenna had an *outage*.

What is never read leaves no trace: a placement in which the tag does not answer at all is not seen here.
"""

import math
from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.model.learnt import LoneCard, lone_card
from tablebridge.model.places import BOARD, MUCK, STUB, Place
from tablebridge.model.readings import Sweep

MOVED: Final = 3
"""Reads elsewhere after which a card lies there; assumed."""
_MISSED_HERE: Final = 2
LIFTED: Final = 0.0001
"""A gap that is less likely than this is no chance: about one false gap in ten thousand."""
LONGEST: Final = 30
"""Visits of one stay: enough to know its rate to about a tenth."""
OUTAGE: Final = 0.01
"""Cards that are missed together are an outage if chance gives that less than this."""
FORGOTTEN: Final = 200
"""A card that was missed so often in a row is not followed any more."""
MOST_FOLLOWED: Final = 2_000
"""Tags that are followed at once, and cards of a hand by antenna; a table has some hundred at most."""
MOST: Final = 200_000
"""Of more stays than these the older ones weigh half: a table changes."""
STILL: Final = (BOARD, MUCK, STUB)
"""The places at which nobody lifts cards that lie."""
_LONGEST_GAP_NS: Final = 5_000_000_000

AntennaName = str
"""`DEVICE/ANTENNA`, such as `seat-3/0`."""


def antenna_name(device: str, antenna: int) -> AntennaName:
    """The name of an antenna of a device."""
    return f"{device}/{antenna}"


class DwellCounts(msgspec.Struct, omit_defaults=True):
    """What was counted at one table, as it is kept on disk.

    `stays`: by antenna, by `VISITS READS`, how many. `cross`: by antenna, by the other antenna that read the
    card, by `VISITS READS`, how many. `visits`, `outage`: visits in all and in outages. `timed`: nanoseconds
    and the visits in them. `hands`, `used`: hands in all, and those in which the antenna had a card. `taken`:
    the names of the measurements that were added last.
    """

    stays: dict[AntennaName, dict[str, int]] = {}
    cross: dict[AntennaName, dict[AntennaName, dict[str, int]]] = {}
    visits: dict[AntennaName, int] = {}
    outage: dict[AntennaName, int] = {}
    timed: dict[AntennaName, tuple[int, int]] = {}
    hands: int = 0
    used: dict[AntennaName, int] = {}
    taken: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The number of all stays."""
        return sum(sum(counts.values()) for counts in self.stays.values())

    def lone_cards(self) -> dict[AntennaName, LoneCard]:
        """By antenna what its stays say, if they are of a card that lay there alone. Raises ValueError if
        these are no counts.
        """
        found = {}
        for antenna, counts in self.stays.items():
            stays = {}
            for key, number in counts.items():
                visits, reads = key.split()
                stays[int(visits), int(reads)] = number
            if stays:
                found[antenna] = lone_card(stays)
        return found

    def add_stay(
        self, antenna: AntennaName, visits: int, reads: int, cross: Mapping[AntennaName, int]
    ) -> None:
        """Counts one more stay. `cross`: reads by other antennas."""
        _increment(self.stays.setdefault(antenna, {}), visits, reads)
        for other, crossed in cross.items():
            counts = self.cross.setdefault(antenna, {}).setdefault(other, {})
            _increment(counts, visits, min(crossed, visits))

    def add(self, other: "DwellCounts") -> None:
        """Counts what was counted elsewhere too."""
        for antenna, stays in other.stays.items():
            _add(self.stays.setdefault(antenna, {}), stays)
        for antenna, others in other.cross.items():
            for crossed, stays in others.items():
                _add(self.cross.setdefault(antenna, {}).setdefault(crossed, {}), stays)
        _add(self.visits, other.visits)
        _add(self.outage, other.outage)
        _add(self.used, other.used)
        for antenna, (ns, visits) in other.timed.items():
            seen_ns, seen = self.timed.get(antenna, (0, 0))
            self.timed[antenna] = seen_ns + ns, seen + visits
        self.hands += other.hands

    def age(self) -> None:
        """Halves all counts, once there are more than `MOST` stays."""
        if self.total <= MOST:
            return
        crossed = [counts for others in self.cross.values() for counts in others.values()]
        for counts in (*self.stays.values(), *crossed):
            for key in list(counts):
                counts[key] //= 2
                if not counts[key]:
                    del counts[key]
        self.visits = {antenna: count // 2 for antenna, count in self.visits.items()}
        self.outage = {antenna: count // 2 for antenna, count in self.outage.items()}
        self.timed = {antenna: (ns // 2, count // 2) for antenna, (ns, count) in self.timed.items()}
        self.used = {antenna: count // 2 for antenna, count in self.used.items()}
        self.hands //= 2


def _add(counts: dict[str, int], more: Mapping[str, int]) -> None:
    for key, number in more.items():
        counts[key] = counts.get(key, 0) + number


def _increment(counts: dict[str, int], visits: int, reads: int) -> None:
    key = f"{visits} {reads}"
    counts[key] = counts.get(key, 0) + 1


class _Stay(msgspec.Struct):
    """A stay under way.

    `visits`, `reads`: after the first read, up to the last one. `gap`: misses since. `pending`: reads
    elsewhere since the last read here; `cross`: those before it.
    """

    antenna: AntennaName
    visits: int = 0
    reads: int = 0
    gap: int = 0
    pending: dict[AntennaName, int] = {}
    cross: dict[AntennaName, int] = {}

    @property
    def rate(self) -> float:
        """Reads per visit, drawn to one half while there are few."""
        return (self.reads + 1) / (self.visits + 2)


class _Blank(msgspec.Struct):
    """Visits in a row that missed all of several cards, since `since_ns`; `chance`: how likely that is if the
    antenna is well.
    """

    since_ns: int = 0
    visits: int = 0
    chance: float = 1.0


class DwellCounter:
    """Counts, reading by reading, into `counts`. `places`: where each antenna of each device looks."""

    def __init__(self, places: Mapping[tuple[str, int], Place], counts: DwellCounts | None = None) -> None:
        self.counts = counts or DwellCounts()
        self._hand: dict[tuple[AntennaName, str], tuple[int, int]] = {}
        self._places = {antenna_name(device, number): place for (device, number), place in places.items()}
        self._stays: dict[str, _Stay] = {}
        self._here: dict[AntennaName, dict[str, None]] = {antenna: {} for antenna in self._places}
        self._grown: dict[AntennaName, dict[str, None]] = {antenna: {} for antenna in self._places}
        self._last_ns: dict[AntennaName, int] = {}
        self._blank: dict[AntennaName, _Blank] = {}

    def count_report(self, device: str, sweep: Sweep, at_ns: int) -> None:
        """Counts a report of an antenna; an antenna that has no place is passed over."""
        antenna = antenna_name(device, sweep.antenna)
        if antenna not in self._places:
            return
        visits = max(1, sweep.visits)
        self.counts.visits[antenna] = self.counts.visits.get(antenna, 0) + visits
        self._count_time(antenna, visits, at_ns)
        if self._places[antenna] in STILL:
            self._count_outage(antenna, sweep, visits, at_ns)
        for tag in sweep.tags:
            self._count_read(tag, antenna, visits)
        if sweep.complete:
            read = set(sweep.tags)
            for tag in [tag for tag in self._here[antenna] if tag not in read]:
                stay = self._stays[tag]
                stay.gap += visits
                self._grown[antenna][tag] = None
                if stay.gap > FORGOTTEN:
                    self._close(tag)

    def end_hand(self) -> list[tuple[AntennaName, int, int]]:
        """A hand is over, and all stays with it. Returns antenna, visits and reads of each card that lay
        under an antenna, all its stays there together. A hand in which no card lay anywhere was not played.
        """
        for tag in list(self._stays):
            self._close(tag)
        cards = [(antenna, visits, reads) for (antenna, _), (visits, reads) in self._hand.items()]
        self._hand.clear()
        if cards:
            self.counts.hands += 1
            for antenna in {antenna for antenna, _, _ in cards}:
                self.counts.used[antenna] = self.counts.used.get(antenna, 0) + 1
        return cards

    def _count_time(self, antenna: AntennaName, visits: int, at_ns: int) -> None:
        last_ns = self._last_ns.get(antenna)
        self._last_ns[antenna] = at_ns
        if last_ns is not None and 0 < at_ns - last_ns < _LONGEST_GAP_NS:
            seen_ns, seen = self.counts.timed.get(antenna, (0, 0))
            self.counts.timed[antenna] = (seen_ns + at_ns - last_ns, seen + visits)

    def _count_read(self, tag: str, antenna: AntennaName, visits: int) -> None:
        stay = self._stays.get(tag)
        if stay is None:
            if len(self._stays) < MOST_FOLLOWED:
                self._open(tag, antenna, visits - 1)
            return
        self._grown[stay.antenna][tag] = None
        if stay.antenna != antenna:
            stay.pending[antenna] = stay.pending.get(antenna, 0) + visits
            if stay.pending[antenna] >= MOVED and stay.gap >= _MISSED_HERE:
                reads = stay.pending[antenna]
                self._close(tag)
                self._open(tag, antenna, reads - 1)
            return
        if stay.gap and (1 - stay.rate) ** stay.gap < LIFTED:
            self._close(tag)
            self._open(tag, antenna, visits - 1)
            return
        stay.visits += stay.gap + visits
        stay.reads += visits
        stay.gap = 0
        for other, reads in stay.pending.items():
            stay.cross[other] = stay.cross.get(other, 0) + reads
        stay.pending = {}
        if stay.visits > LONGEST:
            self._close(tag)
            self._open(tag, antenna, 0, fresh=False)

    def _open(self, tag: str, antenna: AntennaName, reads: int, *, fresh: bool = True) -> None:
        if fresh and self._places[antenna] not in STILL:
            # A stay that has just begun would only begin again: those are passed over, or many cards that
            # come together would cost the square of their number.
            for other in list(self._grown[antenna]):
                again = self._stays[other].gap == 0
                self._close(other)
                if again:
                    self._open(other, antenna, 0, fresh=False)
        self._stays[tag] = _Stay(antenna, reads, reads)
        self._here[antenna][tag] = None
        if reads:
            self._grown[antenna][tag] = None

    def _close(self, tag: str) -> None:
        """The stay is over. The last read is no trial: it ended the stay."""
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
            self.counts.add_stay(stay.antenna, visits, reads, stay.cross)

    def _count_outage(self, antenna: AntennaName, sweep: Sweep, visits: int, at_ns: int) -> None:
        blank = self._blank.get(antenna)
        if any(tag in self._here[antenna] for tag in sweep.tags):
            if blank is not None and blank.chance < OUTAGE and at_ns - blank.since_ns < _LONGEST_GAP_NS:
                self.counts.outage[antenna] = self.counts.outage.get(antenna, 0) + blank.visits
            self._blank.pop(antenna, None)
        elif not sweep.tags and sweep.complete:
            if blank is None:
                blank = self._blank[antenna] = _Blank(at_ns)
            stays = [self._stays[tag] for tag in self._here[antenna]]
            fresh = [stay for stay in stays if stay.gap <= blank.visits + 1]
            if len(fresh) >= 2:
                blank.visits += visits
                blank.chance *= math.prod(1 - stay.rate for stay in fresh) ** visits
