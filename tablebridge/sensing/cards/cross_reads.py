"""How often each antenna reads cards that lie at another place, learned from unlabelled readings.

**Theory.** A card that is read where it lies, then elsewhere, then where it lies again, was *cross-read*. Its
visits at home between two reads there are trials, as long as no gap is longer than its own rate allows (it
was lifted then); what was read of it elsewhere in between counts once the card has answered at home again and
the filter is sure that it lies there. What follows the last read at home counts nothing: the card may have
left. So a card that has moved cannot teach the filter that it has not.

For each place and each other antenna two things are learned:

- the *far* rate, at which a card that lies well is read there in a visit. Either the pair is quiet and has
  the rate `m` that the level of noise assumes (`Rates`), or it is loud, with a rate that has a gamma
  distribution (shape `a`, `b` visits). With `r` cross-reads in `v` visits these explain what was counted
  with

      quiet: exp(-m v) m^r,      loud: Γ(a + r) / Γ(a) · b^a / (b + v)^(a + r),

  and the rate is the mean of `m` and (a + r) / (b + v), weighed by them and by how common loud pairs are,
  among those that the seat numbers make neighbours and among the others: one loud pair makes the next more
  likely;
- the *edge* share: placements that lie near the edge of the other field and are read there often. Each stay
  is shared out between far and edge by how likely its cross-reads are in either.

Which fields touch is assumed only for the prior: neighbours by seat number have more edges and are loud more
often. Counts of older hands weigh less, so a table that changes is learned again; no rate exceeds `most_far`.
Pure: the same calls give the same rates.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from tablebridge.model.learnt import PairCounts, PlaceCounts
from tablebridge.model.places import STUB, Place
from tablebridge.sensing.cards.card_filter import CrossTalk, Overwhelmed
from tablebridge.sensing.cards.excess import Excess
from tablebridge.sensing.cards.prior import NEIGHBOURS
from tablebridge.sensing.cards.rates import Rates
from tablebridge.sensing.dynamics import ASSUMED, CrossOdds, ExcessOdds

_LONGEST_STAY: Final = 30
"""Visits of one stay: enough to distinguish an edge from a far read."""
_STUB_STAY: Final = 8
"""Visits of one stay in the stub, which has no edge."""
_MOST_LN: Final = 600.0
_STRANGERS: Final = {
    place: tuple(other for other in NEIGHBOURS if other != place and other not in near)
    for place, near in NEIGHBOURS.items()
}
"""The places whose fields are not assumed to touch."""


class _Stay(msgspec.Struct):
    """A card that is read at `home`, last in its visit number `last`: its visits and reads so far; `crossed`:
    reads of other antennas before that, `pending`: since then. `goes_on`: it lay there in a stay before.
    `misses`: what its misses count, by how many cards lie on each other there (`piles.py`).
    """

    home: Place
    last: int
    goes_on: bool = False
    visits: int = 0
    reads: int = 0
    misses: float = 0.0
    crossed: dict[Place, int] = msgspec.field(default_factory=dict)
    pending: dict[Place, int] = msgspec.field(default_factory=dict)


_NOTHING: Final = PairCounts()
"""A pair without anything counted."""


class CrossReads:
    """Counts the cross-reads of one table; the rates follow from them.

    `far`, `edge`: by the place at which a card lies and by the other antenna: it is read there in one visit
    if it lies well; it lies near the edge there. `read_by`: by antenna the other places whose cards it may
    read now and then; these change as stays end. `talk`: by antenna its strongest cross-reading when the hand
    began, if it is worth reporting. All are there to be looked up.
    """

    def __init__(self, odds: CrossOdds, rates: Rates, excess: ExcessOdds = ASSUMED.excess) -> None:
        self._odds = odds
        self._excess_odds = excess
        self._homes = {place: PlaceCounts() for place in NEIGHBOURS}
        self._concluded = dict.fromkeys(NEIGHBOURS, 0.0)
        self._stays: dict[str, _Stay] = {}
        self._visits: dict[Place, int] = dict.fromkeys(NEIGHBOURS, 0)
        self.far: dict[Place, dict[Place, float]] = {place: {} for place in NEIGHBOURS}
        self.edge: dict[Place, dict[Place, float]] = {place: {} for place in NEIGHBOURS}
        self.read_by: dict[Place, tuple[Place, ...]] = dict(NEIGHBOURS)
        self.begin_hand(rates, {})

    @property
    def counts(self) -> Mapping[Place, PlaceCounts]:
        """What was counted so far, by place."""
        return self._homes

    def begin_hand(self, rates: Rates, counts: Mapping[Place, PlaceCounts]) -> None:
        """The cards are gathered. `rates`: what is assumed; `counts`: what was counted before, see
        `learnt.py`. Nothing else of the time before matters.
        """
        self._rates = rates
        self._stays.clear()
        self._homes = {
            place: msgspec.convert(msgspec.to_builtins(counts[place]), PlaceCounts)
            if place in counts
            else PlaceCounts()
            for place in NEIGHBOURS
        }
        self._visits = dict.fromkeys(NEIGHBOURS, 0)
        self.read_by = dict(NEIGHBOURS)
        self._loud = {touch: self._share_of_loud(touch=touch) for touch in (True, False)}
        for place in NEIGHBOURS:
            self._conclude_all(place)
        self.talk = self._strongest()
        self._excess = Excess(self._excess_odds, self.talk)

    def count_visits(self, place: Place, visits: int) -> None:
        """The antenna of a place was visited."""
        self._visits[place] += visits

    @property
    def excess(self) -> Overwhelmed | None:
        """In this hand antennas read each other's cards more than the filter can hold."""
        return self._excess.found

    def count_read(
        self, tag: str, place: Place, home: Place, lies: Callable[[str], float], missed: float = 1.0
    ) -> None:
        """The antenna of a place read a card that was last sure to lie at `home`. `lies`: how likely a card
        lies there now; it is asked when something depends on it. `missed`: what a miss at `home` counts.
        """
        stay = self._stays.get(tag)
        if place != home:
            if stay is not None and stay.home == home:
                stay.pending[place] = stay.pending.get(place, 0) + 1
            return
        count = self._visits[home]
        if stay is None or stay.home != home:
            if stay is not None:
                self._end(stay)
            self._stays[tag] = _Stay(home, count)
            self._excess.count_stay(home)
            return
        gap, stay.last = count - stay.last, count
        self._excess.count_visits(gap)
        for other in stay.pending:
            self._excess.count_return(tag, home, other)
        if (stay.pending and lies(tag) < self._odds.sure) or (gap > 1 and gap > self._longest_gap(stay)):
            stay.pending.clear()
            return
        stay.visits += gap
        stay.misses += (gap - 1) * missed
        stay.reads += 1
        if stay.pending:
            for other, reads in stay.pending.items():
                stay.crossed[other] = stay.crossed.get(other, 0) + reads
            stay.pending.clear()
        if stay.visits >= (_STUB_STAY if home == STUB else _LONGEST_STAY):
            self._end(stay)
            self._stays[tag] = _Stay(home, count, goes_on=True)

    def _longest_gap(self, stay: _Stay) -> int:
        """The visits in a row in which the card may have been missed by chance."""
        missed = 1 - (stay.reads + 1) / (stay.visits + 2)
        return min(self._odds.longest_gap, 1 + int(math.log(self._odds.lifted) / math.log(missed)))

    def _end(self, stay: _Stay) -> None:
        """Counts a stay."""
        home = self._homes[stay.home]
        home.stays += not stay.goes_on
        home.visits += stay.reads + stay.misses
        home.reads += stay.reads
        for other, reads in stay.crossed.items():
            if reads > (stay.visits / 2 if stay.home == STUB else stay.reads):
                continue  # it rather lies there, or a copy of it does
            at_edge = self._at_edge(stay, other, reads)
            pair = home.pairs.setdefault(other, PairCounts())
            pair.edge_stays += 0.0 if stay.goes_on else at_edge
            pair.edge_visits += at_edge * stay.visits
            pair.far_reads += (1 - at_edge) * reads
            self._conclude(stay.home, other)
        if home.visits > 2 * self._concluded[stay.home]:
            self._conclude_all(stay.home)  # at first silence is news as well

    def _at_edge(self, stay: _Stay, other: Place, reads: int) -> float:
        """The probability that the card of a stay lay near the edge of the other field."""
        if stay.home == STUB:
            return 0.0  # the stub as a whole lies well inside its field
        read, far = self._rates.edge_read, self.far[stay.home][other]
        missed = max(0, stay.visits - reads)
        share = max(self.edge[stay.home][other], self._odds.edge_learned)
        edge = share * read**reads * (1 - read) ** missed
        return edge / (edge + (1 - share) * far**reads * (1 - far) ** missed)

    def _conclude_all(self, place: Place) -> None:
        self._concluded[place] = self._homes[place].visits
        for other in NEIGHBOURS:
            if other != place:
                self._conclude(place, other)

    def _conclude(self, place: Place, other: Place) -> None:
        """The rates of a pair follow from its counts."""
        odds, rates, home = self._odds, self._rates, self._homes[place]
        pair = home.pairs.get(other, _NOTHING)
        touch = other in NEIGHBOURS[place]
        quiet = rates.far if touch else rates.ghost
        visits = max(0.0, home.visits - pair.edge_visits)
        loud = self._loud_odds(pair.far_reads, visits, quiet, self._loud[touch])
        rate = (odds.loud_shape + pair.far_reads) / (odds.loud_visits + visits)
        self.far[place][other] = min(odds.most_far, (1 - loud) * quiet + loud * rate)
        assumed = rates.edge if touch else odds.strange_edge * rates.ghost / rates.edge_read
        edge = (assumed * odds.edge_stays + pair.edge_stays) / (odds.edge_stays + home.stays)
        self.edge[place][other] = min(odds.most_edge, edge)
        if pair is _NOTHING:
            return
        pair.loud = loud
        if place not in self.read_by[other] and max(self.far[place][other], edge) > odds.notable:
            self.read_by[other] += (place,)

    def _loud_odds(self, reads: float, visits: float, quiet: float, share: float) -> float:
        """The probability that a pair is loud. `share`: the probability before anything was read."""
        shape, weight = self._odds.loud_shape, self._odds.loud_visits
        ln_quiet = reads * math.log(quiet) - quiet * visits
        ln_loud = math.lgamma(shape + reads) - math.lgamma(shape)
        ln_loud += shape * math.log(weight) - (shape + reads) * math.log(weight + visits)
        return 1 / (1 + (1 - share) / share * math.exp(min(_MOST_LN, ln_quiet - ln_loud)))

    def _share_of_loud(self, *, touch: bool) -> float:
        """How common loud pairs are among those that the seat numbers make neighbours, or the others."""
        assumed = self._odds.loud_near if touch else self._odds.loud_far
        count, loud = self._odds.pool_pairs, assumed * self._odds.pool_pairs
        for place, home in self._homes.items():
            pairs = NEIGHBOURS[place] if touch else _STRANGERS[place]
            count += len(pairs)
            loud += sum(home.pairs[other].loud for other in pairs if other in home.pairs)
        return loud / count

    def _strongest(self) -> dict[Place, CrossTalk]:
        """By antenna the strongest cross-reading that is worth reporting."""
        strongest: dict[Place, CrossTalk] = {}
        for home, at_home in self._homes.items():
            for place, pair in at_home.pairs.items():
                rate = self.far[home][place]
                before = strongest.get(place)
                if (
                    rate >= self._odds.reported / 2
                    and pair.far_reads >= self._odds.reported_reads
                    and (before is None or rate > before.rate)
                ):
                    strongest[place] = CrossTalk(home, rate, grave=rate >= self._odds.reported)
        return strongest
