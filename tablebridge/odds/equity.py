"""Equities: the share of the pot that each hand gets on average over all boards that may come; and outs.

Hold'em and Omaha for high, with one board or two: of two boards each is worth half of the pot, and the
average of a sum is the sum of averages. For all other games, and where the evaluator is not installed, there
are none.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from operator import eq, truediv
from typing import Final, NamedTuple

from tablebridge.model.cards import DECK_52, Card
from tablebridge.odds.boards import boards, error_of

try:
    # The C functions themselves: what is around them takes five times as long. The version is pinned.
    from phevaluator import _pheval as native
except ModuleNotFoundError:
    native = None

MOST_RANKED: Final = 48_000
"""How many hands are ranked at most for a sample: some 20 ms."""
BOARD_CARDS: Final = 5
_HOLE: Final[Mapping[str, int]] = {"high": 2, "omaha-high": 4}
_NUMBER: Final[Mapping[Card, int]] = {
    Card(rank + suit): at for at, (rank, suit) in enumerate((r, s) for r in "23456789TJQKA" for s in "cdhs")
}
_FACE: Final = {number: face for face, number in _NUMBER.items()}

Numbers = tuple[int, ...]
Faces = tuple[Card, ...]


class Equities(NamedTuple):
    """The share of each hand, over how many boards, and the error of a sample, 0 if all were taken."""

    shares: tuple[float, ...]
    boards: int
    error: float


def covered(ranking: str) -> bool:
    """Whether there are equities of games with this ranking."""
    return native is not None and ranking in _HOLE


@lru_cache(maxsize=256)
def equities(ranking: str, holes: tuple[Faces, ...], board: Faces, dead: Faces) -> Equities | None:
    """The equities of these hands. `dead`: other cards that cannot come. None if the ranking is not covered,
    a hand is not whole, or a card is unknown or there twice.
    """
    cards = _numbers(ranking, holes, board, dead)
    if cards is None or len(holes) < 2:
        return None
    hands, common, rest = cards
    missing = BOARD_CARDS - len(common)
    coming, number, all_of_them = boards(rest, missing, MOST_RANKED // len(hands))
    wholes = [common + come for come in coming]
    rank = _best(ranking)
    ranked = [[rank(hand, whole) for whole in wholes] for hand in hands]
    least = list(map(min, *ranked))
    leads = [list(map(eq, ranks, least)) for ranks in ranked]
    sharing = list(map(sum, zip(*leads, strict=True)))
    return Equities(
        tuple(round(sum(map(truediv, lead, sharing)) / number, 4) for lead in leads),
        number,
        0.0 if all_of_them else error_of(number),
    )


@lru_cache(maxsize=256)
def outs(ranking: str, holes: tuple[Faces, ...], board: Faces, dead: Faces) -> tuple[Faces, ...]:
    """For each hand the cards that bring it in front of all others if one of them comes next, from the flop
    on; none for a hand that is in front, alone or with others.
    """
    cards = _numbers(ranking, holes, board, dead)
    nothing: tuple[Faces, ...] = ((),) * len(holes)
    if cards is None or len(holes) < 2 or not 3 <= len(board) < BOARD_CARDS:
        return nothing
    hands, common, rest = cards
    best = _best(ranking)
    ahead = _leaders(best, hands, common)
    found: list[list[Card]] = [[] for _ in hands]
    for card in sorted(rest, reverse=True):
        leads = _leaders(best, hands, (*common, card))
        if len(leads) == 1 and leads[0] not in ahead:
            found[leads[0]].append(_FACE[card])
    return tuple(map(tuple, found))


def _leaders(best: "_Best", hands: Sequence[Numbers], board: Numbers) -> list[int]:
    ranks = [best(hand, board) for hand in hands]
    least = min(ranks)
    return [place for place, rank in enumerate(ranks) if rank == least]


_Best = Callable[[Numbers, Numbers], int]


def _best(ranking: str) -> _Best:
    return _holdem if ranking == "high" else _omaha


def _holdem(hand: Numbers, board: Numbers) -> int:
    rank: int = _BY_NUMBER[len(board)](*hand, *board)
    return rank


def _omaha(hand: Numbers, board: Numbers) -> int:
    if len(board) == BOARD_CARDS:
        rank: int = native.evaluate_omaha_cards(*board, *hand)
        return rank
    five = native.evaluate_5cards
    return min(int(five(*two, *three)) for two in combinations(hand, 2) for three in combinations(board, 3))


_BY_NUMBER: Final[Mapping[int, Callable[..., int]]] = (
    {}
    if native is None
    else {3: native.evaluate_5cards, 4: native.evaluate_6cards, 5: native.evaluate_7cards}
)


def _numbers(
    ranking: str, holes: Sequence[Faces], board: Faces, dead: Faces
) -> tuple[list[Numbers], Numbers, Numbers] | None:
    """Hands, board and what may come as the evaluator counts; None for what it cannot rank."""
    seen = [*board, *dead, *(face for hole in holes for face in hole)]
    whole = (
        covered(ranking) and all(len(hole) == _HOLE[ranking] for hole in holes) and len(board) <= BOARD_CARDS
    )
    if not whole or len(set(seen)) < len(seen) or any(face not in _NUMBER for face in seen):
        return None
    numbers = {_NUMBER[face] for face in seen}
    rest = tuple(number for number in map(_NUMBER.__getitem__, DECK_52) if number not in numbers)
    return (
        [tuple(_NUMBER[face] for face in hole) for hole in holes],
        tuple(_NUMBER[face] for face in board),
        rest,
    )
