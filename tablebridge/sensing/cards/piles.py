"""Cards that lie on each other before a seat: how much worse each is read than one of two.

**Theory.** Tags on a pile take energy from each other: with n cards each is missed with

    m(n) = 1 - (1 - single) exp(-stack (n - 1))

in a visit, if it lies well. Hold'em has two before a seat, for which `Rates.own` is made; of more the miss
logit is higher by logit m(n) - logit m(2). Fewer than two are taken for two: the second comes within seconds.

What a table learns from misses, its level of noise and how its antennas differ, is learnt from cards of all
games. So a miss among more cards than two counts for less: by the ratio of misses to reads that two cards and
that n cards are expected to have, over all placements. The gauge of the level counts only gaps of few misses
between two reads, which are rarer for cards that are read badly, so it has a ratio of its own.
"""

import math
from collections.abc import Sequence
from typing import Final

import msgspec

_PAIR: Final = 2
_MOST: Final = 9
"""Of more cards on each other the lowest are taken to be read like those of this number: assumed."""


class PileRates(msgspec.Struct, frozen=True):
    """By the number of cards on each other, from 0. `logits`: each is missed so much more than one of two.
    `gauged`, `stayed`: what one of its misses counts, to the gauge of the level and over a whole stay.
    """

    logits: tuple[float, ...]
    gauged: tuple[float, ...]
    stayed: tuple[float, ...]

    def more(self, cards: int) -> float:
        """How much more each of these cards is missed than one of two, logits."""
        return self.logits[min(cards, _MOST)]

    def gauge(self, cards: int) -> float:
        """What a miss of one of these cards counts to the gauge of the level of noise."""
        return self.gauged[min(cards, _MOST)]

    def stay(self, cards: int) -> float:
        """What a miss of one of these cards counts among all of its stay."""
        return self.stayed[min(cards, _MOST)]


def pile_rates(single: float, stack: float, qualities: Sequence[tuple[float, float]], gap: int) -> PileRates:
    """How cards on each other are read. `single`, `stack`: as above. `qualities`: of placements, the logits
    that each adds and its share. `gap`: the most misses between two reads that the gauge counts.
    """
    piles = [pile_logit(single, stack, max(_PAIR, cards)) for cards in range(_MOST + 1)]
    gauged = [_gauged([(middle + logit, share) for logit, share in qualities], gap) for middle in piles]
    stayed = [_stayed([(middle + logit, share) for logit, share in qualities]) for middle in piles]
    return PileRates(
        tuple(middle - piles[_PAIR] for middle in piles),
        tuple(gauged[_PAIR] / ratio for ratio in gauged),
        tuple(stayed[_PAIR] / ratio for ratio in stayed),
    )


def pile_logit(single: float, stack: float, cards: float) -> float:
    """The miss logit of a card that lies well on a pile of this number."""
    missed = 1 - (1 - single) * math.exp(-stack * (cards - 1))
    return math.log(missed / (1 - missed))


def _stayed(qualities: Sequence[tuple[float, float]]) -> float:
    """Misses for each read, over whole stays. `qualities`: miss logits and shares."""
    reads = sum(share / (1 + math.exp(logit)) for logit, share in qualities)
    return sum(share for _, share in qualities) / reads - 1


def _gauged(qualities: Sequence[tuple[float, float]], gap: int) -> float:
    """Misses for each read, in gaps of at most `gap` misses."""
    reads = misses = 0.0
    for logit, share in qualities:
        read = 1 / (1 + math.exp(logit))
        for missed in range(gap + 1):
            common = share * read**2 * (1 - read) ** missed
            reads += common
            misses += common * missed
    return misses / reads
