"""Equities of draw games. What a player will discard nobody knows: each hand is taken to draw as most do.

| game | keeps |
| --- | --- |
| `high` | a straight or better; what makes pairs, three or four; four of a suit; else its highest card |
| `low-27` | a nine or better without a pair; else its different ranks up to the eight |
| `badugi` | the cards that play, up to the nine |

Without a draw to come they are exact; else they are a sample, the same each time.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Final

from tablebridge.odds.boards import error_of
from tablebridge.odds.shares import Equities, Faces, numbers_of, shares_of
from tablebridge.odds.values import VALUES, Numbers, low_27

SIZES: Final = {"high": 5, "low-27": 5, "badugi": 4}
MOST_DEALS: Final = 2_000
"""Ways in which a hand may end, times hands: some 30 ms."""
_SEED: Final = 52
_STRAIGHT: Final = 1609
"""The worst straight, as the evaluator ranks hands."""
_PAIRLESS: Final = 6185
"""Hands ranked behind this one have no pair, straight or flush."""
_EIGHT: Final = 6
_NINE: Final = 7


@lru_cache(maxsize=256)
def draw_equities(ranking: str, holes: tuple[Faces, ...], dead: Faces, draws: int) -> Equities | None:
    """The equities of hands with this many draws to come. `dead`: cards that cannot come. None if the ranking
    is not covered, a hand is not whole, or a card is unknown or there twice.
    """
    known = numbers_of(holes, (), dead)
    whole = ranking in VALUES and all(len(hole) == SIZES.get(ranking) for hole in holes)
    if known is None or not whole or len(holes) < 2:
        return None
    hands, _, rest = known
    number = MOST_DEALS // len(hands) if draws else 1
    rng, value = Random(_SEED), VALUES[ranking]
    ends: list[list[int]] = [[] for _ in hands]
    for _ in range(number):
        for at, hand in enumerate(_drawn(ranking, hands, rest, draws, rng)):
            ends[at].append(value(hand, ()))
    return Equities(shares_of([ends], number), number, error_of(number) if draws else 0.0)


def _drawn(ranking: str, hands: list[Numbers], rest: Numbers, draws: int, rng: Random) -> list[Numbers]:
    """The hands after one way in which the draws may go; once the deck is dealt out nobody draws."""
    size, stub = SIZES[ranking], list(rest)
    if draws:
        rng.shuffle(stub)
    for _ in range(draws):
        drawn = []
        for hand in hands:
            kept = _KEEPS[ranking](hand)
            missing = size - len(kept)
            if missing > len(stub):
                kept, missing = hand, 0
            drawn.append(kept + tuple(stub.pop() for _ in range(missing)))
        hands = drawn
    return hands


@lru_cache(maxsize=50_000)
def _high(hand: Numbers) -> Numbers:
    if VALUES["high"](hand, ()) <= _STRAIGHT:
        return hand
    ranks = Counter(number // 4 for number in hand)
    grouped = tuple(number for number in hand if ranks[number // 4] > 1)
    if grouped:
        return grouped
    suit, often = Counter(number % 4 for number in hand).most_common(1)[0]
    return tuple(number for number in hand if number % 4 == suit) if often == 4 else (max(hand),)


@lru_cache(maxsize=50_000)
def _low_27(hand: Numbers) -> Numbers:
    ranks = {number // 4: number for number in hand}
    pat = -low_27(hand, ()) // 2
    if len(ranks) == 5 and max(ranks) <= _NINE and pat > _PAIRLESS:
        return hand
    low = tuple(number for rank, number in sorted(ranks.items()) if rank <= _EIGHT)
    return low[:4]


@lru_cache(maxsize=50_000)
def _badugi(hand: Numbers) -> Numbers:
    kept: tuple[int, ...] = ()
    for number in sorted(hand, key=lambda number: (number // 4 + 1) % 13):
        fits = all(number // 4 != other // 4 and number % 4 != other % 4 for other in kept)
        if fits and ((number // 4 + 1) % 13 <= _NINE + 1):
            kept += (number,)
    return kept


_KEEPS: Final[Mapping[str, Callable[[Numbers], Numbers]]] = {
    "high": _high,
    "low-27": _low_27,
    "badugi": _badugi,
}
