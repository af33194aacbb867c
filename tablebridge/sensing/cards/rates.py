"""How antennas answer: the probability of a read by how a card is placed, at the noise of this table.

**Theory.** A card under an antenna is read or missed in each visit, but misses are not independent: how it is
placed decides for as long as it lies there. So a placement has a quality, drawn once: some are read always,
some seldom, a few never. A quality is a point on the logit scale around the mean of its kind of place
(several cards on a pile answer worse):

    logit P(miss) = logit(1 - (1 - single) exp(-stack (n - 1))) + spread * z,    z normal, n cards in the pile

A share `dead` of all placements is not read at all. A placement near the edge of its field is read next door
too, in a share of the visits.

How bad all this is differs from table to table, and is learned: `Gauge` counts how often cards that lie still
are missed between two reads, and gives a level between 0 (a good installation) and 2 (phones, metal, damp
cards). Everything else is interpolated, on a logarithmic scale, from three rows of assumptions, since nobody
has published measurements.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from tablebridge.model.learnt import NOTHING_LEARNT, LoneCard, PlaceCounts
from tablebridge.model.places import Place, seat_of
from tablebridge.sensing.cards.card_filter import Weakness
from tablebridge.sensing.cards.piles import PileRates, pile_logit, pile_rates
from tablebridge.sensing.dynamics import ASSUMED, PlaceOdds

Kind = Literal["seat", "held", "board", "burn", "muck", "stub"]


def kind_of(place: Place) -> Kind:
    """Which sort of place it is, for how its antenna reads."""
    return "seat" if seat_of(place) is not None else place  # type: ignore[return-value]


Quality = tuple[float, float]
"""A share of placements, and the probability that such a placement is read in one visit."""
Qualities = tuple[Quality, Quality, Quality, Quality, Quality, Quality, Quality]
"""All placements: held up out of the field, five points from the best to the worst, never read."""
Shares = tuple[float, float, float, float, float, float, float]
"""A number for each of these."""


def shares_of(qualities: Qualities) -> Shares:
    """How common each of them is."""
    up, a, b, c, d, e, dead = qualities
    return up[0], a[0], b[0], c[0], d[0], e[0], dead[0]


def reads_of(qualities: Qualities) -> Shares:
    """How often each of them is read in one visit."""
    up, a, b, c, d, e, dead = qualities
    return up[1], a[1], b[1], c[1], d[1], e[1], dead[1]


def times(shares: Shares, part: float) -> Shares:
    """This part of them."""
    up, a, b, c, d, e, dead = shares
    return up * part, a * part, b * part, c * part, d * part, e * part, dead * part


_NODES: Final = ((-2.0, 0.07), (-1.0, 0.24), (0.0, 0.38), (1.0, 0.24), (2.0, 0.07))
"""A normal distribution as five points: z, and its share."""
_SEAT_NODES: Final = ((-1.84, 0.07), (-0.8, 0.24), (0.15, 0.38), (1.11, 0.24), (2.2, 0.07))
"""The same at a seat, where some cards lie under a chip: derived, if that is one card in six, and the chip
adds as much as one deviation nearly (0.86) to the miss logit, which is assumed.
"""
_OVERLAP: Final[dict[Kind, float]] = {"seat": 1.9, "board": 1.4, "burn": 1.6, "muck": 4.5}
"""Cards that lie on each other, a mean by kind of place: assumed."""
_NONE: Final = (0.0, 0.5)
"""No placement at all."""
_STUB: Final = (_NONE, _NONE, _NONE, _NONE, (0.08, 0.8), (0.15, 0.3), (0.77, 0.005))
"""Only the top of the stub answers: assumed."""
_DEAD_READ: Final = 1e-4
"""A dead placement is read in one visit, by whatever chance: assumed."""
_HELD_UP_READ: Final = 0.03
"""A card that is held up out of the field is read in one visit: assumed."""
_AWAY: Final = 0.1
"""The share of cards held up out of the field that are so far away that no antenna reads them: assumed."""
_BENT_LOGIT: Final = 1.5
"""A card whose corner is bent to be seen is missed more: logits, assumed."""
_MISSED: Final = (0.06, 0.19, 0.30)
"""The share of misses that the gauge counts at the three levels: measured on emulated hands."""
_HOME_MISSED: Final[dict[Kind, tuple[float, float, float]]] = {
    "seat": (0.069, 0.204, 0.426),
    "board": (0.018, 0.077, 0.291),
    "burn": (0.100, 0.248, 0.411),
    "muck": (0.224, 0.479, 0.666),
}
"""The share of misses between reads of cards that lie at a place, which is counted for each place, at the
three levels: measured on emulated hands.
"""
_LEVELS: Final = {
    "single": (0.02, 0.08, 0.20),
    "stack": (0.05, 0.15, 0.25),
    "spread": (0.6, 1.1, 1.4),
    "dead": (0.0005, 0.004, 0.012),
    "edge": (0.01, 0.05, 0.10),
    "edge_read": (0.06, 0.22, 0.40),
    "far": (3e-5, 1.5e-4, 5e-4),
    "ghost": (3e-7, 1e-6, 3e-6),
    "over": (0.012, 0.02, 0.02),
    "over_again": (0.3, 0.1, 0.02),
    "lifted": (0.3, 0.5, 0.7),
    "unread": (0.006, 0.08, 0.25),
    "outage": (0.0005, 0.004, 0.025),
    "doubt": (3e-4, 1.2e-3, 7e-3),
    "muck_doubt": (3e-4, 1.2e-3, 7e-4),
}
"""By level of noise 0, 1, 2; probabilities in one visit or per placement, assumed, but for the two doubts,
which are set on emulated hands: where antennas read badly, being surer costs too much time.
"""
HARSHEST: Final = 2.0
"""The harshest level of noise."""
_MOST_LOGIT: Final = 50.0
"""What is surer than this is certain."""
_FIRST_READS, _FIRST_MISSES = 60.0, 8.0
"""The gauge begins between the levels 0 and 1, with the weight of this many reads: assumed."""
_MOST_READS: Final = 20_000
"""Of more reads than these the older ones weigh half: a table changes."""


class Rates(msgspec.Struct, frozen=True):
    """How the antennas of a table read; all are probabilities.

    `own`: by kind of place, shares of placements and how often such a placement is read in a visit. `edge`: a
    placement is read by one given neighbour, in `edge_read` of its visits. `far`: a neighbour reads a card
    that lies well. `ghost`: any antenna does. `over`: a neighbour reads a card on its way, `over_again`: and
    does so again. `unread`: a card that came was not read yet when the next one is. `outage`: a visit reads
    nothing at all. `sure`: from when on a card is believed to have moved; `folded`: that the cards of a seat
    have gone to the muck. Where antennas read badly, cards under a chip are silent for long, and a fold that
    was none is wrong for all cards of the seat. `piles`: more than two cards on each other.
    """

    own: dict[Kind, Qualities]
    edge: float
    edge_read: float
    far: float
    ghost: float
    over: float
    over_again: float
    unread: float
    outage: float
    sure: float
    folded: float
    piles: PileRates


def rates(level: float) -> Rates:
    """The rates at a level of noise from 0 to 2."""
    at = _row(level)
    own: dict[Kind, Qualities] = {"stub": _STUB}
    for kind in _OVERLAP:
        own[kind] = _qualities(at, kind)
    own["held"] = _held(at, own["seat"])
    return Rates(
        own,
        at["edge"] / 2,  # two neighbours
        at["edge_read"],
        at["far"],
        at["ghost"],
        at["over"],
        at["over_again"],
        at["unread"],
        at["outage"],
        1 - at["doubt"],
        1 - at["muck_doubt"],
        pile_rates(
            at["single"],
            at["stack"],
            [(at["spread"] * z, share) for z, share in _NODES],
            ASSUMED.filter.still_misses,
        ),
    )


def missed_more(qualities: Qualities, logits: float) -> Qualities:
    """The same placements, missed more by these logits while they lie there."""
    a, b, c, d, e = ((share, 1 / (1 + (1 / read - 1) * math.exp(logits))) for share, read in qualities[1:6])
    return qualities[0], a, b, c, d, e, qualities[6]


class PlaceRates(msgspec.Struct, frozen=True):
    """How one place is read, if it differs from its kind. `shift`: it misses so much more, logits. `own`:
    cards that lie there; `held`: cards of a seat that are held up.
    """

    shift: float
    own: Qualities
    held: Qualities


def place_rates(
    level: float,
    counts: Mapping[Place, PlaceCounts],
    odds: PlaceOdds,
    measured: Mapping[Place, LoneCard] = NOTHING_LEARNT.measured,
) -> dict[Place, PlaceRates]:
    """How each place is read about which enough is known, at this level of noise.

    The logit of the share of misses is held against that of its kind of place (`_HOME_MISSED`). The
    difference has a normal prior with the deviation `odds.spread`; each of the stays that were counted was
    drawn with the spread of placements. What was `measured` with one card is held against a card that lies
    alone, and is one more, less certain look at the same difference. The mean of the posterior is what the
    place is shifted by.
    """
    at, found = _row(level), {}
    for place in dict.fromkeys((*counts, *measured)):
        kind = kind_of(place)
        if kind not in _HOME_MISSED:
            continue
        sure = difference = 0.0
        counted, lone = counts.get(place), measured.get(place)
        if counted is not None and counted.stays >= odds.fewest_stays:
            missed = (counted.visits - counted.reads + 1) / (counted.visits + 2)
            sure = counted.stays / at["spread"] ** 2
            difference = sure * (_logit(missed) - _logit(_between(_HOME_MISSED[kind], level)))
        if lone is not None:
            of_lone = _sure_of(lone, at["spread"], odds)
            sure += of_lone
            difference += of_lone * (lone.logit - _logit(at["single"]))
        if sure:
            shift = min(odds.most, max(-odds.most, difference / (sure + 1 / odds.spread**2)))
            own = _qualities(at, kind, shift)
            found[place] = PlaceRates(shift, own, _held(at, own))
    return found


def _sure_of(lone: LoneCard, spread: float, odds: PlaceOdds) -> float:
    """The inverse variance of what was measured, as what a place is shifted by."""
    sure = 1 / (spread**2 / lone.stays + lone.noise + odds.unlike_play**2)
    return lone.weight * min(sure, odds.measured_stays / spread**2)


def weaknesses(counts: Mapping[Place, PlaceCounts], odds: PlaceOdds) -> dict[Place, Weakness]:
    """The places whose antennas miss more cards than at the harshest level of noise, which is more than the
    filter is made for: even if what was counted is bad luck of one standard deviation.
    """
    found = {}
    for place, counted in counts.items():
        kind = kind_of(place)
        if kind in _HOME_MISSED and counted.stays >= odds.judged_stays:
            missed = (counted.visits - counted.reads + 1) / (counted.visits + 2)
            luck = _LEVELS["spread"][-1] / math.sqrt(counted.stays)
            beyond = _logit(missed) - luck - _logit(_HOME_MISSED[kind][-1])
            if beyond >= odds.beyond / 2:
                found[place] = Weakness(place, missed, grave=beyond >= odds.beyond)
    return found


def _row(level: float) -> dict[str, float]:
    """The assumptions at a level of noise."""
    return {name: _between(row, level) for name, row in _LEVELS.items()}


def _between(row: tuple[float, float, float], level: float) -> float:
    """The value at a level of noise, between three of them on a logarithmic scale."""
    low = min(1, int(level))
    part = level - low
    return math.exp(math.log(row[low]) * (1 - part) + math.log(row[low + 1]) * part)


def _level_of(value: float, row: tuple[float, float, float]) -> float:
    """The level of noise at which `_between` gives this value, 0 to 2."""
    low = 0 if value < row[1] else 1
    part = math.log(value / row[low]) / math.log(row[low + 1] / row[low])
    return min(2.0, max(0.0, low + part))


def _qualities(at: Mapping[str, float], kind: Kind, shift: float = 0.0) -> Qualities:
    """The placements at a kind of place whose antenna misses more by `shift`, logits."""
    middle = pile_logit(at["single"], at["stack"], _OVERLAP[kind]) + shift
    a, b, c, d, e = (
        (share * (1 - at["dead"]), 1 / (1 + math.exp(middle + at["spread"] * z)))
        for z, share in (_SEAT_NODES if kind == "seat" else _NODES)
    )
    return (0.0, _HELD_UP_READ), a, b, c, d, e, (at["dead"], _DEAD_READ)


def _held(at: Mapping[str, float], seat: Qualities) -> Qualities:
    """The cards of a seat held up out of the field, or bent so that the corner can be seen: then they are
    read, but less well.
    """
    a, b, c, d, e = (
        (share * (1 - at["lifted"]), 1 / (1 + (1 / read - 1) * math.exp(_BENT_LOGIT)))
        for share, read in seat[1:6]
    )
    away = at["lifted"] * _AWAY
    return (
        (at["lifted"] - away, _HELD_UP_READ),
        a,
        b,
        c,
        d,
        e,
        (seat[6][0] * (1 - at["lifted"]) + away, _DEAD_READ),
    )


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


class Gauge:
    """Counts reads and misses of cards that lie still, over many hands."""

    def __init__(self) -> None:
        self._reads = _FIRST_READS
        self._misses = _FIRST_MISSES

    @property
    def counts(self) -> tuple[float, float]:
        """The reads and the misses."""
        return self._reads, self._misses

    @property
    def fresh(self) -> bool:
        """Whether nothing was counted yet."""
        return (self._reads, self._misses) == (_FIRST_READS, _FIRST_MISSES)

    def begin_hand(self, counts: tuple[float, float] | None) -> None:
        """Go on from these counts; None: from those that are assumed."""
        self._reads, self._misses = counts or (_FIRST_READS, _FIRST_MISSES)

    def begin_level(self, measured: Iterable[LoneCard]) -> None:
        """Nothing was counted yet: begin at the level at which a card that lies alone is missed as often as
        was measured, with the same weight.
        """
        logits = [lone.logit for lone in measured]
        level = _level_of(1 / (1 + math.exp(-sum(logits) / len(logits))), _LEVELS["single"])
        missed = _MISSED[0] + level * (_MISSED[1] - _MISSED[0])
        if level > 1:
            missed = _MISSED[1] + (level - 1) * (_MISSED[2] - _MISSED[1])
        self._misses = self._reads * missed / (1 - missed)

    def count(self, reads: int, misses: float) -> None:
        """Adds reads of cards that lie still, and the misses between them."""
        self._reads += reads
        self._misses += misses
        if self._reads > _MOST_READS:
            self._reads /= 2
            self._misses /= 2

    def harshest(self, share: float) -> float:
        """In the first hand of a table: the probability that it is as noisy as the harshest level, and not as
        is assumed; `share` before anything was counted.
        """
        assumed, harsh = _FIRST_MISSES / (_FIRST_READS + _FIRST_MISSES), _MISSED[-1]
        reads, misses = self._reads - _FIRST_READS, self._misses - _FIRST_MISSES
        odds = misses * math.log(harsh / assumed) + reads * math.log((1 - harsh) / (1 - assumed))
        return 1 / (1 + (1 / share - 1) * math.exp(max(-_MOST_LOGIT, min(_MOST_LOGIT, -odds))))

    @property
    def level(self) -> float:
        """The level of noise, 0 to 2."""
        missed = self._misses / (self._reads + self._misses)
        low = 0 if missed < _MISSED[1] else 1
        return min(2.0, max(0.0, low + (missed - _MISSED[low]) / (_MISSED[low + 1] - _MISSED[low])))
