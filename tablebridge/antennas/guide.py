"""A guided calibration: one card is laid on each place in turn, once or more, and how well it is read there
is counted. Pure.

**Theory.** The same card wanders from place to place. It lies at the place that is asked for once an antenna
of that place has read it `SETTLED` times while the antenna where it lay before has missed it twice in a row,
or has never read it. From then on each visit of that antenna is a trial, `MEASURED` of them; reads by other
antennas meanwhile are cross-reads. If a place is asked for again, it must have missed the card `LIFTED` times
in a row: the card was lifted, and lies otherwise now.

| state     | read                                             | then                                  |
| --------- | ------------------------------------------------ | ------------------------------------- |
| waiting   | a tag, `SETTLED` times at an antenna of the place | it lies: measuring                    |
| waiting   | two such tags                                    | `several`, once                       |
| measuring | `MEASURED` visits of that antenna                | `measured`, and the next place is due |
| any       | skipped                                          | measured so far, and the next place   |
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Final, Literal

import msgspec

from tablebridge.antennas.calibration import CalibratedAntenna, Calibration
from tablebridge.antennas.dwell import AntennaName, DwellCounts, antenna_name
from tablebridge.model.places import Place
from tablebridge.model.readings import Sweep

SETTLED: Final = 3
MEASURED: Final = 50
LIFTED: Final = 8
"""Reads until the card lies, visits that are measured, misses in a row until it was lifted; set. Fifty visits
show a rate of 0.9 to four points.
"""
GOOD: Final = 0.9
FAIR: Final = 0.75
CROSS: Final = 0.03
SLOW_S: Final = 0.4
"""From when on there is nothing to advise: rates in one visit, and the time between two visits; assumed."""
SURE: Final = 0.999
"""With this probability a card that lies at a place has been read there at least once; set."""
Said = Literal["lies", "several", "measured"]
Verdict = Literal["good", "fair", "weak", "never", "skipped"]
"""What a rate means: `GOOD` and more, `FAIR` and more, less, no read at all, or nothing was measured."""


class Measured(msgspec.Struct, frozen=True):
    """A place that was measured: the card was read in `reads` of `visits` of its antenna (None: by none).

    `others`: visits and reads of the antennas of other places meanwhile; `cycle_s`: between two visits, 0 if
    unknown.
    """

    place: Place
    antenna: AntennaName | None
    visits: int = 0
    reads: int = 0
    others: dict[AntennaName, tuple[int, int]] = {}
    cycle_s: float = 0.0

    @property
    def cross(self) -> dict[AntennaName, float]:
        """In which share of their visits antennas of other places read the card, those that did."""
        return {antenna: reads / visits for antenna, (visits, reads) in self.others.items() if reads}

    @property
    def sure_s(self) -> float | None:
        """Within how many seconds a card that lies here is read with the probability `SURE`; None if that is
        unknown or never.
        """
        if not self.cycle_s or not self.rate:
            return None
        visits = 1 if self.rate >= SURE else math.ceil(math.log(1 - SURE) / math.log(1 - self.rate))
        return visits * self.cycle_s

    @property
    def verdict(self) -> Verdict:
        """What the rate means."""
        if self.antenna is None:
            return "skipped"
        if not self.reads:
            return "never"
        return "good" if self.rate >= GOOD else "fair" if self.rate >= FAIR else "weak"

    @property
    def rate(self) -> float:
        """Reads per visit."""
        return self.reads / self.visits if self.visits else 0.0

    def advice(self, places: Mapping[AntennaName, Place]) -> list[str]:
        """What to do about it, a sentence each; none if all is well."""
        advice = []
        if self.antenna is None or not self.reads:
            return [
                f"{self.place}: the card was never read. Is the reader on, and does the site file name the "
                "antenna that looks there?"
            ]
        if self.rate < GOOD:
            worse = (
                "move the antenna closer to the felt, or take out the metal beneath it"
                if self.rate < FAIR
                else "see whether the antenna lies flat and no metal is near"
            )
            advice.append(f"{self.place} reads {self.rate:.0%} only: {worse}.")
        advice += [
            f"A card at {self.place} is read at {places.get(antenna, antenna)} too, in {rate:.0%} of the "
            "visits: move the antennas apart, or lower the power of one."
            for antenna, rate in self.cross.items()
            if rate >= CROSS
        ]
        if self.cycle_s > SLOW_S:
            advice.append(
                f"{self.place} is visited every {self.cycle_s:.1f} s only: give its reader fewer antennas."
            )
        return advice


class Guide:
    """Goes through the places, `times` times each. `antennas`: which antenna looks where. `done`: what was
    measured so far, by an earlier process as well.
    """

    def __init__(
        self, antennas: Mapping[AntennaName, Place], times: int = 1, done: Iterable[Measured] = ()
    ) -> None:
        self._antennas = dict(antennas)
        self._due = [place for place in dict.fromkeys(antennas.values()) for _ in range(times)]
        self.done = list(done)
        self.total = len(self._due)
        for measured in self.done:
            self._due.remove(measured.place)
        self._seen: Counter[tuple[str, AntennaName]] = Counter()
        self._several_said = False
        self._tag = ""
        self._lay_at: AntennaName = ""
        self._away = SETTLED
        self._lifted = False
        self._lies_at: AntennaName = ""
        self._visits: Counter[AntennaName] = Counter()
        self._reads: Counter[AntennaName] = Counter()
        self._began_ns = 0

    @property
    def lies_at(self) -> AntennaName:
        """The antenna at which the card lies and is measured; empty if it lies nowhere yet."""
        return self._lies_at

    @property
    def visits(self) -> int:
        """How many visits of that antenna were counted so far, of `MEASURED`."""
        return min(MEASURED, self._visits[self._lies_at])

    @property
    def place(self) -> Place | None:
        """The place that is asked for; None once all are done."""
        return self._due[0] if self._due else None

    def measure_report(self, device: str, sweep: Sweep, at_ns: int) -> Said | None:
        """Counts one visit or several of an antenna. Returns None if there is nothing to say."""
        antenna, visits = antenna_name(device, sweep.antenna), max(1, sweep.visits)
        if antenna not in self._antennas or self.place is None:
            return None
        if antenna == self._lay_at:
            self._away = 0 if self._tag in sweep.tags else self._away + visits
            self._lifted |= self._away >= LIFTED
        if self._lies_at:
            return self._measure(antenna, sweep, visits, at_ns)
        if self._antennas[antenna] != self.place:
            return None
        for tag in sweep.tags:
            if (
                tag != self._tag
                or self._lifted
                or (self._antennas.get(self._lay_at) != self.place and self._away >= 2)
            ):
                self._seen[tag, antenna] += visits
        settled = {tag for (tag, _), reads in self._seen.items() if reads >= SETTLED}
        if len(settled) > 1:
            self._seen.clear()
            said, self._several_said = self._several_said, True
            return None if said else "several"
        if not settled:
            return None
        self._tag, self._lies_at = settled.pop(), antenna
        self._began_ns = at_ns
        return "lies"

    def skip(self) -> None:
        """Goes on with the next place."""
        if self._due:
            self._end(0)

    def result(self) -> Calibration | None:
        """What was measured, each place by the placements of its card; None if nothing was."""
        by_antenna: dict[AntennaName, list[Measured]] = {}
        for measured in self.done:
            if measured.antenna is not None and measured.visits:
                by_antenna.setdefault(measured.antenna, []).append(measured)
        if not by_antenna:
            return None
        antennas = {
            antenna: CalibratedAntenna(
                placements[0].place,
                len(placements),
                fmean(measured.rate for measured in placements),
                min(measured.rate for measured in placements),
                sum(measured.visits for measured in placements),
                fmean(measured.cycle_s for measured in placements),
            )
            for antenna, placements in by_antenna.items()
        }
        cross = {
            antenna: _mean_cross(placements)
            for antenna, placements in by_antenna.items()
            if any(measured.cross for measured in placements)
        }
        return Calibration(antennas, 0.0, 0.0, 0.0, 0.0, cross)

    def add_to(self, counts: DwellCounts) -> None:
        """Adds what was measured to what was counted in play, as a stay for each place."""
        for measured in self.done:
            if measured.antenna is not None and measured.visits:
                crossed = {other: round(rate * measured.visits) for other, rate in measured.cross.items()}
                crossed = {other: reads for other, reads in crossed.items() if reads}
                counts.add_stay(measured.antenna, measured.visits, measured.reads, crossed)

    def _measure(
        self, antenna: AntennaName, sweep: Sweep, visits: int, at_ns: int
    ) -> Literal["measured"] | None:
        if sweep.complete or self._tag in sweep.tags:
            self._visits[antenna] += visits
            self._reads[antenna] += visits if self._tag in sweep.tags else 0
        if antenna != self._lies_at or self._visits[antenna] < MEASURED:
            return None
        self._end(at_ns)
        return "measured"

    def _end(self, at_ns: int) -> None:
        place, at = self._due.pop(0), self._lies_at
        others = {antenna: (self._visits[antenna], self._reads[antenna]) for antenna in self._others(at)}
        visits = self._visits[at]
        cycle_s = (at_ns - self._began_ns) / 1e9 / visits if at and at_ns and visits else 0.0
        self.done.append(Measured(place, at or None, visits, self._reads[at], others, cycle_s))
        if at:
            self._lay_at, self._away, self._lifted = at, 0, False
        self._lies_at, self._several_said = "", False
        self._visits.clear()
        self._reads.clear()
        self._seen.clear()

    def _others(self, at: AntennaName) -> Iterable[AntennaName]:
        return [
            antenna
            for antenna in self._antennas
            if at
            and antenna != at
            and self._antennas[antenna] != self._antennas[at]
            and self._visits[antenna]
        ]


def _mean_cross(placements: list[Measured]) -> dict[AntennaName, float]:
    """By antenna the share of visits in which it read the card, over these placements."""
    others = dict.fromkeys(other for measured in placements for other in measured.cross)
    return {
        other: sum(measured.cross.get(other, 0.0) for measured in placements) / len(placements)
        for other in others
    }
