"""How well each antenna reads: rates learnt from the stays that `stays.py` counts. Pure.

**Theory.** How a card lies decides for its whole stay, so a stay's hit rate is drawn anew for each: on the
logit scale normal around the antenna's mean, with one spread for the table. Means and spread are found by
expectation maximisation over a grid of qualities; the mean of all antennas weighs as much as `_PRIOR` stays,
so that an antenna of which little is known is taken to be like the others. Some stays are at the *edge* of
another field, which then reads the card often; the others are read elsewhere hardly ever. Both rates, and for
each pair of antennas the share of stays at the edge, come from a second expectation maximisation.
"""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.antennas.dwell import STILL, Counts, Spot
from tablebridge.model.places import Place

_ROUNDS: Final = 15
_GRID: Final = tuple(0.75 * step for step in range(-4, 5))
_WEIGHT: Final = tuple(math.exp(-z * z / 2) for z in _GRID)
_PRIOR: Final = 3.0
_MOST_LOGIT: Final = 7.0
_TENTH: Final = 1.28
"""A tenth of a normal distribution lies further below its mean than so many deviations."""


class Antenna(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was learnt of one antenna. `stays`: how many it rests on. `hit`: a card that lies there is read in
    one visit, over all placements; `low`: in the worst tenth of them it is read less often than this.
    `cycle_s`: between two visits. `outage`: share of the visits in an outage, None where that cannot be told
    from cards that are lifted.
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
    not at its edge. `cross`: by the antenna where the card lies and by the one that reads it: in one visit,
    over all stays.
    """

    antennas: dict[Spot, Antenna]
    spread: float
    edge: float
    edge_read: float
    stray: float
    cross: dict[Spot, dict[Spot, float]] = {}

    @property
    def hit(self) -> float:
        """Of all antennas but the stub's, weighed by their stays."""
        these = [antenna for antenna in self.antennas.values() if antenna.place != "stub"]
        whole = sum(antenna.stays for antenna in these)
        return sum(antenna.hit * antenna.stays for antenna in these) / whole if whole else 0.0


def learn(counts: Counts, places: Mapping[Spot, Place]) -> Calibration | None:
    """The rates behind the counts; None where no card lay long enough to learn anything. `places`: of the
    antennas.
    """
    stays = {
        (spot, *_pair(key)): count
        for spot, these in counts.stays.items()
        if spot in places
        for key, count in these.items()
    }
    if not stays:
        return None
    crossed = {
        (spot, other, *_pair(key)): count
        for spot, others in counts.cross.items()
        for other, these in others.items()
        if spot in counts.stays and spot in places
        for key, count in these.items()
    }
    means, spread = _qualities(stays)
    edges, read, stray = _edges(stays, crossed)
    number = {spot: sum(counts.stays[spot].values()) for spot in means}
    antennas = {
        spot: _antenna(spot, place, means[spot], spread, number[spot], counts)
        for spot, place in places.items()
        if spot in means
    }
    edge = sum(share * number[spot] for spot, others in edges.items() for share in others.values()) / sum(
        number.values()
    )
    cross = {
        spot: {other: _round(share * read + stray) for other, share in others.items() if share * read >= 1e-4}
        for spot, others in edges.items()
    }
    return Calibration(
        antennas,
        _round(spread),
        _round(edge),
        _round(read),
        _round(stray),
        {spot: others for spot, others in cross.items() if others},
    )


def moments(antenna: Antenna, spread: float) -> tuple[float, float]:
    """The mean of an antenna's hit rate over placements, and the mean of its square."""
    mean = _logit(min(max(antenna.low, 1e-4), 1 - 1e-4)) + _TENTH * spread
    hits = [_sigmoid(mean + spread * z) for z in _GRID]
    return (
        sum(weight * hit for hit, weight in zip(hits, _WEIGHT, strict=True)) / sum(_WEIGHT),
        sum(weight * hit * hit for hit, weight in zip(hits, _WEIGHT, strict=True)) / sum(_WEIGHT),
    )


def _antenna(spot: Spot, place: Place, mean: float, spread: float, stays: int, counts: Counts) -> Antenna:
    hit = sum(weight * _sigmoid(mean + spread * z) for z, weight in zip(_GRID, _WEIGHT, strict=True)) / sum(
        _WEIGHT
    )
    visits = counts.visits.get(spot, 0)
    seen_ns, seen = counts.timed.get(spot, (0, 0))
    outage = _round(counts.outage.get(spot, 0) / visits) if place in STILL and visits else None
    return Antenna(
        place,
        stays,
        _round(hit),
        _round(_sigmoid(mean - _TENTH * spread)),
        visits,
        _round(seen_ns / seen / 1e9) if seen else 0.0,
        outage,
    )


def _pair(key: str) -> tuple[int, int]:
    visits, reads = key.split()
    return int(visits), int(reads)


def _qualities(counts: Mapping[tuple[Spot, int, int], int]) -> tuple[dict[Spot, float], float]:
    """The mean logit of each antenna and the spread of placements."""
    reads = sum(count * hits for (_, _, hits), count in counts.items())
    trials = sum(count * visits for (_, visits, _), count in counts.items())
    middle = _logit((reads + 1) / (trials + 2))
    means = {spot: middle for spot, _, _ in counts}
    spread = 1.0
    for _ in range(_ROUNDS):
        sums = {spot: [0.0, 0.0] for spot in means}
        squares = whole = 0.0
        for (spot, visits, hits), count in counts.items():
            centre = means[spot]
            logits = [centre + spread * z for z in _GRID]
            likely = [
                weight * math.exp(hits * logit - visits * _softplus(logit) - _best(visits, hits))
                for weight, logit in zip(_WEIGHT, logits, strict=True)
            ]
            total = sum(likely)
            if not total:
                continue
            mean = sum(share * logit for share, logit in zip(likely, logits, strict=True)) / total
            sums[spot][0] += count * mean
            sums[spot][1] += count
            squares += (
                count
                * sum(share * (logit - centre) ** 2 for share, logit in zip(likely, logits, strict=True))
                / total
            )
            whole += count
        middle = sum(means.values()) / len(means)
        means = {
            spot: min(_MOST_LOGIT, (total + _PRIOR * middle) / (weight + _PRIOR))
            for spot, (total, weight) in sums.items()
        }
        spread = max(0.05, math.sqrt(squares / whole)) if whole else spread
    return means, spread


def _edges(
    counts: Mapping[tuple[Spot, int, int], int], crossed: Mapping[tuple[Spot, Spot, int, int], int]
) -> tuple[dict[Spot, dict[Spot, float]], float, float]:
    """By antenna and other antenna the share of stays at its edge; how often such a card is read there, and
    any other one.
    """
    stays: dict[Spot, Counter[int]] = {}
    for (spot, visits, _), count in counts.items():
        stays.setdefault(spot, Counter())[visits] += count
    pairs: dict[tuple[Spot, Spot], Counter[tuple[int, int]]] = {}
    for (spot, other, visits, reads), count in crossed.items():
        pairs.setdefault((spot, other), Counter())[visits, reads] += count
    for (spot, _), seen in pairs.items():
        for visits, count in stays[spot].items():
            seen[visits, 0] += count - sum(these for (long, _), these in seen.items() if long == visits)
    background = sum(
        max(0, len(stays) - 1) * visits * count for spot in stays for visits, count in stays[spot].items()
    )
    shares, read, stray = dict.fromkeys(pairs, 0.02), 0.2, 1e-4
    for _ in range(_ROUNDS if pairs else 0):
        hits = trials = strays = 0.0
        after = {}
        for pair, seen in pairs.items():
            at_edge = 0.0
            for (visits, reads), count in seen.items():
                if count <= 0:
                    continue
                edge = shares[pair] * read**reads * (1 - read) ** (visits - reads)
                away = (1 - shares[pair]) * stray**reads * (1 - stray) ** (visits - reads)
                share = count * edge / (edge + away) if edge + away else 0.0
                at_edge += share
                hits += share * reads
                trials += share * visits
                strays += (count - share) * reads
            after[pair] = at_edge / sum(stays[pair[0]].values())
        shares = after
        read = min(0.9, max(0.01, hits / trials)) if trials else read
        stray = min(0.01, max(1e-6, strays / background)) if background else stray
    edges: dict[Spot, dict[Spot, float]] = {}
    for (spot, other), share in shares.items():
        edges.setdefault(spot, {})[other] = share
    return edges, read if pairs else 0.0, stray if pairs else 0.0


def _best(visits: int, hits: int) -> float:
    """The greatest log likelihood, which keeps the others within what a float holds."""
    if hits in (0, visits):
        return 0.0
    rate = hits / visits
    return hits * math.log(rate) + (visits - hits) * math.log(1 - rate)


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _softplus(logit: float) -> float:
    return math.log1p(math.exp(logit)) if logit < 30 else logit


def _round(value: float) -> float:
    """To four figures: more is not known, and files stay legible."""
    return float(f"{value:.4g}")
