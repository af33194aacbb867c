"""Boards that may still come: all of them, or a fixed sample if they are too many.

Theory. A board is a set of cards that nobody has seen. Of few missing cards every set is taken, so that
shares are exact. Before the flop there are up to 1.7 million, of which `SAMPLE` at most are taken: cards are
shuffled and dealt off in boards until too few are left, so that each board is as likely as any other and each
card comes equally often in a shuffle, which makes the error smaller than that of boards drawn one by one. The
sample is the same each time, so that the same cards always have the same shares.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations, islice
from math import comb, sqrt
from operator import itemgetter
from random import Random
from typing import Final

SAMPLE: Final = 16_000
_SEED: Final = 52
_CARDS: Final = 52

Board = tuple[int, ...]


def boards(rest: Sequence[int], missing: int, most: int) -> tuple[Iterable[Board], int, bool]:
    """What may come: sets of `missing` cards of `rest`, how many they are, and whether these are all. `most`:
    how many may be taken; of two missing cards or fewer all are.
    """
    number = comb(len(rest), missing)
    if missing <= 2 or number <= most:
        return combinations(rest, missing), number, True
    picks = _picks(len(rest), missing)[: min(most, SAMPLE)]
    return (pick(rest) for pick in picks), len(picks), False


def error_of(number: int) -> float:
    """How far a share that was taken over a sample may be from the true one, with 95 % certainty, at most."""
    return round(1.96 * 0.5 / sqrt(number), 4)


@lru_cache(maxsize=4)
def _picks(cards: int, size: int) -> tuple[Callable[[Sequence[int]], Board], ...]:
    """Functions that take `size` of `cards` cards, `SAMPLE` of them."""

    def picked() -> Iterable[Callable[[Sequence[int]], Board]]:
        for order in _shuffles():
            places = [place for place in order if place < cards]
            for first in range(0, cards - size + 1, size):
                yield itemgetter(*places[first : first + size])

    return tuple(islice(picked(), SAMPLE))


@cache
def _shuffles() -> tuple[tuple[int, ...], ...]:
    """As many orders of a deck as the sample needs of the shortest rest of one that is sampled."""
    rng, order, made = Random(_SEED), list(range(_CARDS)), []
    for _ in range(SAMPLE // 4):
        rng.shuffle(order)
        made.append(tuple(order))
    return tuple(made)
