"""What hands get of the pot on average, from their values in each of many ways in which a hand may end."""

from collections.abc import Sequence
from operator import eq, mul, truediv
from typing import NamedTuple

from tablebridge.model.cards import DECK_52, Card
from tablebridge.odds.values import NONE, NUMBER, Numbers

Faces = tuple[Card, ...]


class Equities(NamedTuple):
    """The share of each hand, over how many endings, and the error of a sample, 0 if all were taken."""

    shares: tuple[float, ...]
    boards: int
    error: float


def shares_of(values: Sequence[Sequence[Sequence[int]]], number: int) -> tuple[float, ...]:
    """The share of each hand. `values`: per ranking, one or two, and hand, its value in each of `number`
    endings. Of two rankings the second gets half of the pot, in those endings in which a hand qualifies.
    """
    if len(values) == 1:
        return tuple(round(won / number, 4) for won in _won(values[0], None))
    low = [0.5 if least < NONE else 0.0 for least in map(min, *values[1])]
    high = [1.0 - each for each in low]
    both = zip(_won(values[0], high), _won(values[1], low), strict=True)
    return tuple(round(sum(won) / number, 4) for won in both)


def _won(values: Sequence[Sequence[int]], weights: Sequence[float] | None) -> list[float]:
    """How many pots each hand won, each of which counts as its weight says."""
    least = list(map(min, *values))
    leads = [list(map(eq, each, least)) for each in values]
    sharing = list(map(sum, zip(*leads, strict=True)))
    parts = [map(truediv, lead, sharing) for lead in leads]
    return [sum(part if weights is None else map(mul, part, weights)) for part in parts]


def numbers_of(
    holes: Sequence[Faces], board: Faces, dead: Faces
) -> tuple[list[Numbers], Numbers, Numbers] | None:
    """Hands, board and what may come as the evaluator counts; None if a card is unknown or there twice."""
    seen = [*board, *dead, *(face for hole in holes for face in hole)]
    if len(set(seen)) < len(seen) or any(face not in NUMBER for face in seen):
        return None
    gone = {NUMBER[face] for face in seen}
    return (
        [tuple(NUMBER[face] for face in hole) for hole in holes],
        tuple(NUMBER[face] for face in board),
        tuple(number for number in map(NUMBER.__getitem__, DECK_52) if number not in gone),
    )
