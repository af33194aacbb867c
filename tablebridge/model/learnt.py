"""What sensing has learnt of a table, as plain counts: all that it needs to know as a hand begins beside the
cards themselves.

Everything that it assumes of the antennas during a hand follows from these counts. So they are recorded as
the hand begins, and whoever reads the record and the readings of the hand concludes the same, bit by bit. A
hand begins with the recorded counts even if it is the one that makes the record: they are rounded first.
No count names a card or a tag.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tablebridge.model.places import Place

Counted = Annotated[float, Meta(ge=0, le=1e9)]
_DIGITS: Final = 5
"""Significant digits of a recorded count."""
_LEAST: Final = 0.005
"""A pair of antennas about which less was counted is left out."""
_MOST: Final = 1_000_000
_LEAST_WEIGHT: Final = 0.05
"""What was measured is forgotten when it counts no more than this."""


class PairCounts(msgspec.Struct, array_like=True):
    """What was counted of cards at one place and of another antenna: cross-reads of cards that lie well, and
    stays at its edge with their visits. `loud`: how likely the pair is loud.
    """

    far_reads: Counted = 0.0
    edge_stays: Counted = 0.0
    edge_visits: Counted = 0.0
    loud: Counted = 0.0

    def faded(self, kept: float) -> "PairCounts":
        """The same with this weight, as it is recorded."""
        counts = (self.far_reads * kept, self.edge_stays * kept, self.edge_visits * kept, self.loud)
        return PairCounts(*map(_rounded, counts))


class PlaceCounts(msgspec.Struct, array_like=True):
    """The stays and visits of cards at one place, how many of these visits read the card, and the pairs with
    other antennas.
    """

    stays: Counted = 0.0
    visits: Counted = 0.0
    reads: Counted = 0.0
    pairs: dict[Place, PairCounts] = {}

    def faded(self, kept: float) -> "PlaceCounts":
        """The same with this weight, as it is recorded: the pairs by name, without those about which hardly
        anything is known.
        """
        pairs = {
            other: pair.faded(kept)
            for other, pair in sorted(self.pairs.items())
            if pair.far_reads + pair.edge_visits > _LEAST
        }
        stays, visits, reads = self.stays * kept, self.visits * kept, self.reads * kept
        return PlaceCounts(_rounded(stays), _rounded(visits), _rounded(reads), pairs)


class LoneCard(msgspec.Struct, frozen=True, array_like=True):
    """What was measured at one place with a card that lay there alone. `stays`: how often it was laid there;
    `logit`: of the share of its misses, a mean over these; `noise`: the variance of that mean, since the
    visits were few. `weight`: how much of it counts still.
    """

    stays: Annotated[float, Meta(gt=0, le=1e6)]
    logit: Annotated[float, Meta(ge=-20, le=20)]
    noise: Annotated[float, Meta(ge=0, le=100)]
    weight: Annotated[float, Meta(gt=0, le=1)] = 1.0


class Learnt(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a table as a hand begins. `still`: reads of cards that lie still, and the misses
    between them; None before anything was counted. `places`: by place, what was counted of its cards.
    `measured`: by place, what was measured with one card.
    """

    still: tuple[Counted, Counted] | None = None
    places: Mapping[Place, PlaceCounts] = {}
    measured: Mapping[Place, LoneCard] = {}


NOTHING_LEARNT: Final = Learnt()


class LearntTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a table as a hand begins: with it, the readings of the hand give the same events.
    `antennas`: which of them it was learnt from, as a digest; empty without antennas.
    """

    antennas: str = ""
    cards: Learnt = NOTHING_LEARNT


def learnt(
    still: tuple[float, float],
    places: Mapping[Place, PlaceCounts],
    kept: float,
    measured: Mapping[Place, LoneCard] = NOTHING_LEARNT.measured,
) -> Learnt:
    """What was counted until a hand begins, as it is recorded. `kept`: the weight of what was counted at the
    places, which may change more from night to night than the noise of the table.
    """
    reads, misses = map(_rounded, still)
    counted = {place: counts.faded(kept) for place, counts in places.items() if counts.visits > _LEAST}
    return Learnt((reads, misses), counted, measured)


def lone_card(stays: Mapping[tuple[int, int], int]) -> LoneCard:
    """What was measured at a place. `stays`: by visits and reads, how many; at least one. Raises ValueError
    if these are no counts.
    """
    count, logits, noise = 0, 0.0, 0.0
    for (visits, reads), number in stays.items():
        if not (0 <= reads <= visits <= _MOST and 0 < number <= _MOST):
            raise ValueError(f"{number} stays with {reads} reads in {visits} visits cannot be")
        hits, misses = reads + 0.5, visits - reads + 0.5  # half of each more, so that both have a logarithm
        count += number
        logits += number * math.log(misses / hits)
        noise += number * (1 / hits + 1 / misses)
    return LoneCard(count, _rounded(logits / count), _rounded(noise / count**2))


def faded(measured: Mapping[Place, LoneCard], kept: float) -> dict[Place, LoneCard]:
    """The same with this weight, as it is recorded."""
    return {
        place: msgspec.structs.replace(lone, weight=_rounded(lone.weight * kept))
        for place, lone in measured.items()
        if lone.weight * kept > _LEAST_WEIGHT
    }


def _rounded(count: float) -> float:
    return float(f"{count:.{_DIGITS}g}")
