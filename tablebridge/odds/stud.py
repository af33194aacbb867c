"""Equities of stud: each hand still gets cards of its own, of the cards that nobody has. All ways to deal
them are taken if they are few, else a sample that is the same each time.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, permutations
from math import perm
from random import Random
from typing import Final

from tablebridge.odds.boards import error_of
from tablebridge.odds.shares import Equities, Faces, numbers_of, shares_of
from tablebridge.odds.values import VALUES, Numbers

WHOLE: Final = 7
MOST_DEALS: Final = 6_000
"""Ways to deal, times hands: some 10 ms."""
_SEED: Final = 52


@lru_cache(maxsize=256)
def stud_equities(rankings: tuple[str, ...], holes: tuple[Faces, ...], dead: Faces) -> Equities | None:
    """The equities of hands that are dealt on to seven cards. `dead`: cards that cannot come. None if a
    ranking is not covered, hands differ in size, or a card is unknown or there twice.
    """
    sizes = {len(hole) for hole in holes}
    known = numbers_of(holes, (), dead)
    if known is None or len(holes) < 2 or len(sizes) != 1 or any(each not in VALUES for each in rankings):
        return None
    hands, _, rest = known
    each = WHOLE - sizes.pop()
    needed = each * len(hands)
    if each < 0 or needed > len(rest):
        return None
    number = perm(len(rest), needed) if needed else 1
    whole = each <= 1 and number * len(hands) <= MOST_DEALS
    taken = list(permutations(rest, needed) if whole else _sample(rest, needed, MOST_DEALS // len(hands)))
    ends = [[hand + deal[at * each : (at + 1) * each] for deal in taken] for at, hand in enumerate(hands)]
    values = [[[VALUES[ranking](end, ()) for end in of_hand] for of_hand in ends] for ranking in rankings]
    return Equities(shares_of(values, len(taken)), len(taken), 0.0 if whole else error_of(len(taken)))


def _sample(rest: Numbers, needed: int, most: int) -> Iterator[Numbers]:
    """This many ways to deal: the cards are shuffled, and dealt off until too few are left."""
    rng, order = Random(_SEED), list(rest)

    def dealt() -> Iterator[Numbers]:
        while True:
            rng.shuffle(order)
            for first in range(0, len(order) - needed + 1, needed):
                yield tuple(order[first : first + needed])

    return islice(dealt(), most)
