"""Equities of games with a board: the share of the pot that each hand gets on average over all boards that
may come; and outs.

Hold'em and Omaha with four, five or six cards, for high or for high and low, with one board or two: of two
boards each is worth half of the pot, and the average of a sum is the sum of averages. Where the evaluator is
not installed there are none.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from tablebridge.model.cards import Card
from tablebridge.odds.boards import boards, error_of
from tablebridge.odds.shares import Equities, Faces, numbers_of, shares_of
from tablebridge.odds.values import FACE, VALUES, Numbers, Value

MOST_RANKED: Final = 48_000
"""How many hands are ranked at most for a sample: some 20 ms."""
BOARD_CARDS: Final = 5
_COST: Final[Mapping[str, int]] = {"high": 1, "omaha-high": 1, "low8": 3, "omaha-low8": 3}
"""How long a hand takes, beside one that is ranked for high."""
_MORE_COST: Final = 3
"""As many times longer it takes with more than four cards."""
_HOLE: Final[Mapping[str, tuple[int, ...]]] = {"high": (2,), "omaha-high": (4, 5, 6)}


def covered(rankings: tuple[str, ...]) -> bool:
    """Whether there are equities of games with a board and these rankings."""
    return rankings[0] in _HOLE and all(ranking in VALUES for ranking in rankings)


@lru_cache(maxsize=256)
def equities(
    rankings: tuple[str, ...], holes: tuple[Faces, ...], board: Faces, dead: Faces
) -> Equities | None:
    """The equities of these hands. `rankings`: one, or of a high-low game two. `dead`: other cards that
    cannot come. None if the rankings are not covered, a hand is not whole, or a card is unknown or there
    twice.
    """
    cards = _numbers(rankings, holes, board, dead)
    if cards is None or len(holes) < 2:
        return None
    hands, common, rest = cards
    missing = BOARD_CARDS - len(common)
    cost = len(hands) * sum(map(_COST.__getitem__, rankings)) * (_MORE_COST if len(hands[0]) > 4 else 1)
    coming, number, all_of_them = boards(rest, missing, MOST_RANKED // cost)
    wholes = [common + come for come in coming]
    values = [
        [[value(hand, whole) for whole in wholes] for hand in hands]
        for value in map(VALUES.__getitem__, rankings)
    ]
    return Equities(shares_of(values, number), number, 0.0 if all_of_them else error_of(number))


@lru_cache(maxsize=256)
def outs(ranking: str, holes: tuple[Faces, ...], board: Faces, dead: Faces) -> tuple[Faces, ...]:
    """For each hand the cards that bring it in front of all others if one of them comes next, from the flop
    on; none for a hand that is in front, alone or with others.
    """
    cards = _numbers((ranking,), holes, board, dead)
    nothing: tuple[Faces, ...] = ((),) * len(holes)
    if cards is None or len(holes) < 2 or not 3 <= len(board) < BOARD_CARDS:
        return nothing
    hands, common, rest = cards
    value = VALUES[ranking]
    ahead = _leaders(value, hands, common)
    found: list[list[Card]] = [[] for _ in hands]
    for card in sorted(rest, reverse=True):
        leads = _leaders(value, hands, (*common, card))
        if len(leads) == 1 and leads[0] not in ahead:
            found[leads[0]].append(FACE[card])
    return tuple(map(tuple, found))


def _leaders(value: Value, hands: Sequence[Numbers], board: Numbers) -> list[int]:
    values = [value(hand, board) for hand in hands]
    least = min(values)
    return [place for place, each in enumerate(values) if each == least]


def _numbers(
    rankings: tuple[str, ...], holes: Sequence[Faces], board: Faces, dead: Faces
) -> tuple[list[Numbers], Numbers, Numbers] | None:
    """Hands, board and what may come as the evaluator counts; None for what it cannot rank."""
    if not covered(rankings) or len(board) > BOARD_CARDS:
        return None
    sizes = {len(hole) for hole in holes}
    if len(sizes) > 1 or not sizes <= set(_HOLE[rankings[0]]):
        return None
    return numbers_of(holes, board, dead)
