"""How well each antenna reads: rates learnt from the stays that `dwell.py` counts. Pure.

**Theory.** How a card lies decides for its whole stay, so a stay's hit rate is drawn for each of them: on the
logit scale normal around the antenna's mean, with one spread for the table. Means and spread are found by
expectation maximisation over a grid of qualities; the mean of all antennas weighs as much as `_PRIOR` stays,
so that an antenna about which little is known is taken to be like the others. Some stays are at the *edge* of
another field, which then reads the card often; the others are read elsewhere hardly ever. Both rates, and for
each pair of antennas the share of stays at the edge, come from a second expectation maximisation.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from tablebridge.antennas.dwell import STILL, AntennaName, DwellCounts
from tablebridge.model.places import Place

_ROUNDS: Final = 15
"""Rounds of expectation maximisation; set."""
_GRID: Final = tuple(0.75 * step for step in range(-4, 5))
_WEIGHT: Final = tuple(math.exp(-z * z / 2) for z in _GRID)
"""A normal distribution as nine points, -3 to 3 deviations, and their weights."""
_PRIOR: Final = 3.0
_MOST_LOGIT: Final = 7.0
_TENTH: Final = 1.28
"""A tenth of a normal distribution lies further below its mean than this many deviations."""
_FIRST_SHARE, _FIRST_READ, _FIRST_STRAY = 0.02, 0.2, 1e-4
"""Where the second maximisation starts: stays at an edge, reads there, reads of cards that lie elsewhere."""
_SMALLEST_CROSS: Final = 1e-4
"""Rarer cross-reads cannot be distinguished from stray reads."""


class CalibratedAntenna(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was learnt of one antenna.

    `stays`: how many it rests on. `hit`: a card that lies there is read in one visit, over all placements;
    `low`: in the worst tenth of them it is read less often than this. `cycle_s`: between two visits.
    `outage`: share of the visits in an outage, None if that cannot be distinguished from cards that are
    lifted.
    """

    place: Place
    stays: int
    hit: float
    low: float
    visits: int = 0
    cycle_s: float = 0.0
    outage: float | None = None


class Calibration(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was learnt of one table. All are probabilities unless said otherwise.

    `spread`: standard deviation of a placement's quality, logits. `edge`: a stay is at the edge of another
    field; `edge_read`: it is then read there in one visit. `stray`: a visit reads a card that lies elsewhere,
    not at its edge. `cross`: by the antenna at which the card lies and by the one that reads it: in one
    visit, over all stays.
    """

    antennas: dict[AntennaName, CalibratedAntenna]
    spread: float
    edge: float
    edge_read: float
    stray: float
    cross: dict[AntennaName, dict[AntennaName, float]] = {}

    @property
    def hit(self) -> float:
        """The hit rate of all antennas but the stub's, weighed by their stays."""
        antennas = [antenna for antenna in self.antennas.values() if antenna.place != "stub"]
        stays = sum(antenna.stays for antenna in antennas)
        return sum(antenna.hit * antenna.stays for antenna in antennas) / stays if stays else 0.0


Stays = Mapping[tuple[AntennaName, int, int], int]
"""By antenna, visits and reads, how many stays."""
Crossed = Mapping[tuple[AntennaName, AntennaName, int, int], int]
"""By antenna, the other antenna that read the card, visits and reads there, how many stays."""


def learn(counts: DwellCounts, places: Mapping[AntennaName, Place]) -> Calibration | None:
    """The rates behind the counts; None if no card lay long enough to learn anything. `places`: of the
    antennas.
    """
    stays = {
        (antenna, *_pair(key)): count
        for antenna, by_pair in counts.stays.items()
        if antenna in places
        for key, count in by_pair.items()
    }
    if not stays:
        return None
    crossed = {
        (antenna, other, *_pair(key)): count
        for antenna, others in counts.cross.items()
        for other, by_pair in others.items()
        if antenna in counts.stays and antenna in places
        for key, count in by_pair.items()
    }
    means, spread = _qualities(stays)
    edges, read, stray = _edges(stays, crossed)
    n_stays = {antenna: sum(counts.stays[antenna].values()) for antenna in means}
    antennas = {
        antenna: _calibrated(antenna, place, means[antenna], spread, n_stays[antenna], counts)
        for antenna, place in places.items()
        if antenna in means
    }
    edge = _mean_edge(edges, n_stays)
    cross = _cross_rates(edges, read, stray)
    return Calibration(antennas, _round(spread), _round(edge), _round(read), _round(stray), cross)


def moments(antenna: CalibratedAntenna, spread: float) -> tuple[float, float]:
    """The mean of an antenna's hit rate over placements, and the mean of its square."""
    mean = _logit(min(max(antenna.low, 1e-4), 1 - 1e-4)) + _TENTH * spread
    hits = [_sigmoid(mean + spread * z) for z in _GRID]
    return _weighed(hits), sum(weight * hit * hit for hit, weight in zip(hits, _WEIGHT, strict=True)) / sum(
        _WEIGHT
    )


def _calibrated(
    antenna: AntennaName, place: Place, mean: float, spread: float, stays: int, counts: DwellCounts
) -> CalibratedAntenna:
    hit = _weighed([_sigmoid(mean + spread * z) for z in _GRID])
    visits = counts.visits.get(antenna, 0)
    seen_ns, seen = counts.timed.get(antenna, (0, 0))
    outage = _round(counts.outage.get(antenna, 0) / visits) if place in STILL and visits else None
    return CalibratedAntenna(
        place,
        stays,
        _round(hit),
        _round(_sigmoid(mean - _TENTH * spread)),
        visits,
        _round(seen_ns / seen / 1e9) if seen else 0.0,
        outage,
    )


def _mean_edge(
    edges: Mapping[AntennaName, Mapping[AntennaName, float]], n_stays: Mapping[AntennaName, int]
) -> float:
    """The share of all stays that are at the edge of another field."""
    at_edge = sum(share * n_stays[antenna] for antenna, others in edges.items() for share in others.values())
    return at_edge / sum(n_stays.values())


def _cross_rates(
    edges: Mapping[AntennaName, Mapping[AntennaName, float]], read: float, stray: float
) -> dict[AntennaName, dict[AntennaName, float]]:
    """How often the one antenna reads, in a visit, a card that lies at the other, as far as that is known."""
    rates: dict[AntennaName, dict[AntennaName, float]] = {}
    for antenna, others in edges.items():
        for other, share in others.items():
            if share * read >= _SMALLEST_CROSS:
                rates.setdefault(antenna, {})[other] = _round(share * read + stray)
    return rates


def _pair(key: str) -> tuple[int, int]:
    visits, reads = key.split()
    return int(visits), int(reads)


def _qualities(stays: Stays) -> tuple[dict[AntennaName, float], float]:
    """The mean logit of each antenna and the spread of placements."""
    reads = sum(count * hits for (_, _, hits), count in stays.items())
    trials = sum(count * visits for (_, visits, _), count in stays.items())
    middle = _logit((reads + 1) / (trials + 2))
    means = {antenna: middle for antenna, _, _ in stays}
    spread = 1.0
    for _ in range(_ROUNDS):
        sums = {antenna: [0.0, 0.0] for antenna in means}
        squares = whole = 0.0
        for (antenna, visits, hits), count in stays.items():
            centre = means[antenna]
            logits = [centre + spread * z for z in _GRID]
            likely = _quality_odds(logits, visits, hits)
            total = sum(likely)
            if not total:
                continue
            mean = sum(share * logit for share, logit in zip(likely, logits, strict=True)) / total
            sums[antenna][0] += count * mean
            sums[antenna][1] += count
            square = sum(share * (logit - centre) ** 2 for share, logit in zip(likely, logits, strict=True))
            squares += count * square / total
            whole += count
        middle = sum(means.values()) / len(means)
        means = {
            antenna: min(_MOST_LOGIT, (total + _PRIOR * middle) / (weight + _PRIOR))
            for antenna, (total, weight) in sums.items()
        }
        spread = max(0.05, math.sqrt(squares / whole)) if whole else spread
    return means, spread


def _quality_odds(logits: list[float], visits: int, hits: int) -> list[float]:
    """How likely a stay is at each point of the grid, scaled so that it stays within what a float holds."""
    best = _best(visits, hits)
    return [
        weight * math.exp(hits * logit - visits * _softplus(logit) - best)
        for weight, logit in zip(_WEIGHT, logits, strict=True)
    ]


def _edges(
    stays: Stays, crossed: Crossed
) -> tuple[dict[AntennaName, dict[AntennaName, float]], float, float]:
    """By antenna and other antenna the share of stays at its edge; how often such a card is read there, and
    any other one.
    """
    by_visits: dict[AntennaName, Counter[int]] = {}
    for (antenna, visits, _), count in stays.items():
        by_visits.setdefault(antenna, Counter())[visits] += count
    pairs = _cross_counts(by_visits, crossed)
    others = max(0, len(by_visits) - 1)
    background = sum(others * visits * count for each in by_visits.values() for visits, count in each.items())
    shares, read, stray = dict.fromkeys(pairs, _FIRST_SHARE), _FIRST_READ, _FIRST_STRAY
    for _ in range(_ROUNDS if pairs else 0):
        hits = trials = strays = 0.0
        after = {}
        for pair, seen in pairs.items():
            at_edge = 0.0
            for (visits, reads), count in seen.items():
                if count <= 0:
                    continue
                edge = _n_at_edge(count, shares[pair], read, stray, visits, reads)
                at_edge += edge
                hits += edge * reads
                trials += edge * visits
                strays += (count - edge) * reads
            after[pair] = at_edge / sum(by_visits[pair[0]].values())
        shares = after
        read = min(0.9, max(0.01, hits / trials)) if trials else read
        stray = min(0.01, max(1e-6, strays / background)) if background else stray
    edges: dict[AntennaName, dict[AntennaName, float]] = {}
    for (antenna, other), share in shares.items():
        edges.setdefault(antenna, {})[other] = share
    return edges, read if pairs else 0.0, stray if pairs else 0.0


def _cross_counts(
    by_visits: Mapping[AntennaName, Mapping[int, int]], crossed: Crossed
) -> dict[tuple[AntennaName, AntennaName], Counter[tuple[int, int]]]:
    """By pair of antennas the stays at the first by visits and by reads of the second, those without reads
    too.
    """
    pairs: dict[tuple[AntennaName, AntennaName], Counter[tuple[int, int]]] = {}
    for (antenna, other, visits, reads), count in crossed.items():
        pairs.setdefault((antenna, other), Counter())[visits, reads] += count
    for (antenna, _), seen in pairs.items():
        for visits, count in by_visits[antenna].items():
            seen[visits, 0] += count - sum(
                n_crossed for (length, _), n_crossed in seen.items() if length == visits
            )
    return pairs


def _n_at_edge(count: int, share: float, read: float, stray: float, visits: int, reads: int) -> float:
    """The expected number at the edge among `count` stays that were read elsewhere `reads` times. `share`: of
    all stays at that edge.
    """
    edge = share * read**reads * (1 - read) ** (visits - reads)
    away = (1 - share) * stray**reads * (1 - stray) ** (visits - reads)
    return count * edge / (edge + away) if edge + away else 0.0


def _best(visits: int, hits: int) -> float:
    """The greatest log likelihood."""
    if hits in (0, visits):
        return 0.0
    rate = hits / visits
    return hits * math.log(rate) + (visits - hits) * math.log(1 - rate)


def _weighed(values: Iterable[float]) -> float:
    return sum(weight * value for value, weight in zip(values, _WEIGHT, strict=True)) / sum(_WEIGHT)


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _softplus(logit: float) -> float:
    return math.log1p(math.exp(logit)) if logit < 30 else logit


def _round(value: float) -> float:
    """The value to four figures: more is not known, and files stay legible."""
    return float(f"{value:.4g}")
