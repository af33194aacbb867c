"""Made hands: the best hand of one seat's cards and a board, what it is called, and the cards that make it.

| kind | ranks |
| --- | --- |
| `high`, `straight`, `flush`, `straight-flush` | its highest card; of a straight with a low ace the next |
| `pair`, `three`, `four` | the rank that is there so often |
| `two-pair`, `full` | both, that of which there are more first, else the higher one |
| `low` | all five, the highest first |
| `badugi` | all of different ranks and suits, the highest first |
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final

from tablebridge.engine.showdown.ranking import playing, rank
from tablebridge.model.cards import Card
from tablebridge.model.overlay import MadeHand

Faces = tuple[str, ...]

_ORDER: Final = "23456789TJQKA"
_LOW_ORDER: Final = "A23456789TJQK"
_OMAHA: Final[Mapping[str, str]] = {"omaha-high": "high", "omaha-low8": "low8"}
_HIGH: Final = ("high", "short-deck-high", "americana-high")
_LOW: Final = ("low8", "low-a5", "low-27")
_KINDS: Final[Mapping[tuple[int, ...], str]] = {
    (4, 1): "four",
    (3, 2): "full",
    (3, 1, 1): "three",
    (2, 2, 1): "two-pair",
    (2, 1, 1, 1): "pair",
}
_NAMED_BY: Final = {"full": 2, "two-pair": 2}


@lru_cache(maxsize=1024)
def made(ranking: str, hole: Faces, board: Faces, which: int) -> MadeHand | None:
    """The best hand of this ranking on the board of number `which`; None if there is none yet, or none that
    qualifies, and for cards that are not known.
    """
    try:
        cards = _playing(ranking, hole, board)
    except ValueError:
        return None
    if not cards:
        return None
    kind, ranks = _named(ranking, cards)
    return MadeHand(kind, ranks, tuple(map(Card, cards)), which)


def _playing(ranking: str, hole: Faces, board: Faces) -> Faces:
    if ranking in _OMAHA:
        return _two_and_three(_OMAHA[ranking], hole, board)
    if ranking == "badugi":
        return playing(ranking, hole) if len(hole) == 4 else ()
    if ranking not in _HIGH + _LOW or not 5 <= len(hole) + len(board) <= 7:
        return ()
    return playing(ranking, hole, board)


def _two_and_three(ranking: str, hole: Faces, board: Faces) -> Faces:
    """The best hand of two own cards and three of the board, which may not be whole yet."""
    if len(hole) != 4 or len(board) < 3:
        return ()
    hands = [two + three for two in combinations(hole, 2) for three in combinations(board, 3)]
    ranked = [(value, hand) for hand in hands if (value := rank(ranking, hand)) is not None]
    return playing(ranking, min(ranked)[1]) if ranked else ()


def _named(ranking: str, cards: Faces) -> tuple[str, str]:
    if ranking == "badugi":
        return "badugi", _downwards(cards, _LOW_ORDER)
    counts = Counter(card[0] for card in cards)
    kind = _KINDS.get(tuple(sorted(counts.values(), reverse=True)))
    if kind is not None:
        often = sorted(counts, key=lambda value: (-counts[value], -_ORDER.index(value)))
        return kind, "".join(often[: _NAMED_BY.get(kind, 1)])
    order = _LOW_ORDER if ranking in ("low8", "omaha-low8", "low-a5") else _ORDER
    if order is _LOW_ORDER:
        return "low", _downwards(cards, order)
    flush = len({card[1] for card in cards}) == 1
    top = _straight(ranking, _downwards(cards, order))
    if top:
        return "straight-flush" if flush else "straight", top
    if flush:
        return "flush", _downwards(cards, order)[0]
    return ("low", _downwards(cards, order)) if ranking == "low-27" else ("high", _downwards(cards, order)[0])


def _straight(ranking: str, ranks: str) -> str:
    """The rank that a straight is named by, of five ranks downwards; empty if they are none."""
    if ranks in _ORDER[::-1]:
        return ranks[0]
    lowest = {"high": "5432", "omaha-high": "5432", "short-deck-high": "9876", "americana-high": "T987"}
    return ranks[1] if ranks == "A" + lowest.get(ranking, "-") else ""


def _downwards(cards: Faces, order: str) -> str:
    return "".join(sorted((card[0] for card in cards), key=order.index, reverse=True))
