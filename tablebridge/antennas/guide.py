"""A guided calibration: one card is laid on each place in turn, once or more, and how well it is read there
is counted. Pure.

**Theory.** The same card wanders from place to place. It lies at the place that is asked for once an antenna
of that place has read it `SETTLED` times while the antenna where it lay before has missed it twice in a row,
or has never read it. From then on each visit of that antenna is a trial, `MEASURED` of them; reads by other
antennas meanwhile are cross-reads. Where a place is asked for again, it must have missed the card `LIFTED`
times in a row: the card was lifted, and lies otherwise now.

| state     | read                                             | then                                  |
| --------- | ------------------------------------------------ | ------------------------------------- |
| waiting   | a tag, `SETTLED` times at an antenna of the place | it lies: measuring                    |
| waiting   | two such tags                                    | `several`, once                       |
| measuring | so many visits of that antenna as are wanted     | `measured`, and the next place is due |
| any       | skipped                                          | measured so far, and the next place   |
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Final, Literal

import msgspec

from tablebridge.antennas.calibration import Antenna, Calibration
from tablebridge.antennas.dwell import Counts, Spot, spot_of
from tablebridge.model.places import Place
from tablebridge.model.readings import Sweep

SETTLED: Final = 3
MEASURED: Final = 50
LIFTED: Final = 8
GOOD: Final = 0.9
FAIR: Final = 0.75
CROSS: Final = 0.03
SLOW_S: Final = 0.4


class Measured(msgspec.Struct, frozen=True):
    """A place of which the card was read in `reads` of `visits` of its antenna (None: of none); `cross`: in
    which share of theirs other antennas read it; `cycle_s`: between two visits, 0 where unknown.
    """

    place: Place
    spot: Spot | None
    visits: int = 0
    reads: int = 0
    cross: dict[Spot, float] = {}
    cycle_s: float = 0.0

    @property
    def rate(self) -> float:
        """Reads by visits."""
        return self.reads / self.visits if self.visits else 0.0

    def advice(self, places: Mapping[Spot, Place]) -> list[str]:
        """What to do about it, a sentence each; none where all is well."""
        told = []
        if self.spot is None or not self.reads:
            return [
                f"{self.place}: the card was never read. Is the reader on, and does the site file name the antenna that "
                "looks there?"
            ]
        if self.rate < GOOD:
            worse = (
                "move the antenna closer to the felt, or take out the metal beneath it"
                if self.rate < FAIR
                else "see whether the antenna lies flat and no metal is near"
            )
            told.append(f"{self.place} reads {self.rate:.0%} only: {worse}.")
        told += [
            f"A card at {self.place} is read at {places.get(spot, spot)} too, in {rate:.0%} of the visits: move the "
            "antennas apart, or lower the power of one."
            for spot, rate in self.cross.items()
            if rate >= CROSS
        ]
        if self.cycle_s > SLOW_S:
            told.append(
                f"{self.place} is visited every {self.cycle_s:.1f} s only: give its reader fewer antennas."
            )
        return told


class Guide:
    """Goes through the places, each so many `times`. `antennas`: which antenna looks where. `done`: measured
    so far.
    """

    def __init__(self, antennas: Mapping[Spot, Place], times: int = 1) -> None:
        self._antennas = dict(antennas)
        self._due = [place for place in dict.fromkeys(antennas.values()) for _ in range(times)]
        self.done: list[Measured] = []
        self.total = len(self._due)
        self._seen: Counter[tuple[str, Spot]] = Counter()
        self._told = False
        self._tag = ""
        self._spot: Spot = ""
        self._away = SETTLED
        self._lifted = False
        self._at: Spot = ""
        self._visits: Counter[Spot] = Counter()
        self._reads: Counter[Spot] = Counter()
        self._began_ns = 0

    @property
    def place(self) -> Place | None:
        """The place that is asked for; None once all are done."""
        return self._due[0] if self._due else None

    def sweep(self, device: str, sweep: Sweep, at_ns: int) -> Literal["lies", "several", "measured"] | None:
        """One visit or several of one antenna; None: nothing to say."""
        spot, visits = spot_of(device, sweep.antenna), max(1, sweep.visits)
        if spot not in self._antennas or self.place is None:
            return None
        if spot == self._spot:
            self._away = 0 if self._tag in sweep.tags else self._away + visits
            self._lifted |= self._away >= LIFTED
        if self._at:
            return self._measure(spot, sweep, visits, at_ns)
        if self._antennas[spot] != self.place:
            return None
        for tag in sweep.tags:
            if (
                tag != self._tag
                or self._lifted
                or (self._antennas.get(self._spot) != self.place and self._away >= 2)
            ):
                self._seen[tag, spot] += visits
        settled = {tag for (tag, _), reads in self._seen.items() if reads >= SETTLED}
        if len(settled) > 1:
            self._seen.clear()
            told, self._told = self._told, True
            return None if told else "several"
        if not settled:
            return None
        self._tag, self._at = settled.pop(), spot
        self._began_ns = at_ns
        return "lies"

    def skip(self) -> None:
        """Go on with the next place."""
        if self._due:
            self._end(0)

    def result(self) -> Calibration | None:
        """What was measured, each place by the placements of its card; None where nothing was."""
        measured: dict[Spot, list[Measured]] = {}
        for one in self.done:
            if one.spot is not None and one.visits:
                measured.setdefault(one.spot, []).append(one)
        antennas = {
            spot: Antenna(
                these[0].place,
                len(these),
                fmean(one.rate for one in these),
                min(one.rate for one in these),
                sum(one.visits for one in these),
                fmean(one.cycle_s for one in these),
            )
            for spot, these in measured.items()
        }
        cross = {
            spot: {
                other: sum(one.cross.get(other, 0.0) for one in these) / len(these)
                for other in dict.fromkeys(other for one in these for other in one.cross)
            }
            for spot, these in measured.items()
            if any(one.cross for one in these)
        }
        return Calibration(antennas, 0.0, 0.0, 0.0, 0.0, cross) if antennas else None

    def add_to(self, counts: Counts) -> None:
        """Adds what was measured to what was counted in play: a stay each."""
        for one in self.done:
            if one.spot is not None and one.visits:
                crossed = {spot: round(rate * one.visits) for spot, rate in one.cross.items()}
                counts.stay(
                    one.spot, one.visits, one.reads, {spot: reads for spot, reads in crossed.items() if reads}
                )

    def _measure(self, spot: Spot, sweep: Sweep, visits: int, at_ns: int) -> Literal["measured"] | None:
        if sweep.complete or self._tag in sweep.tags:
            self._visits[spot] += visits
            self._reads[spot] += visits if self._tag in sweep.tags else 0
        if spot != self._at or self._visits[spot] < MEASURED:
            return None
        self._end(at_ns)
        return "measured"

    def _end(self, at_ns: int) -> None:
        place, at = self._due.pop(0), self._at
        cross = {spot: self._reads[spot] / self._visits[spot] for spot in self._others(at)}
        visits = self._visits[at]
        cycle_s = (at_ns - self._began_ns) / 1e9 / visits if at and at_ns and visits else 0.0
        self.done.append(Measured(place, at or None, visits, self._reads[at], cross, cycle_s))
        if at:
            self._spot, self._away, self._lifted = at, 0, False
        self._at, self._told = "", False
        self._visits.clear()
        self._reads.clear()
        self._seen.clear()

    def _others(self, at: Spot) -> Iterable[Spot]:
        return [
            spot
            for spot in self._antennas
            if at and spot != at and self._antennas[spot] != self._antennas[at] and self._reads[spot]
        ]
