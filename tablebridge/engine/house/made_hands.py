"""What a hand is called by a pay table, and hands with wild cards."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from tablebridge.engine.showdown.ranking import category, playing
from tablebridge.model.cards import JOKER

Wild = Literal["", "deuces", "jokers"]

_NAMES: Final = {"five": "four", "full": "full-house"}
_VALUES: Final = {rank: at for at, rank in enumerate("23456789TJQKA", 2)}
_ACE: Final = 14
_TEN: Final = 10
_JACK: Final = 11
_FIVE: Final = 5


def made(ranking: str, hole: Iterable[str], board: Iterable[str] = ()) -> str:
    """The word of a pay table for the best hand of these cards, without a wild one. Raises ValueError for
    too few or too many.
    """
    best = playing(ranking, hole, board)
    word = category(ranking, best)
    word = _NAMES.get(word, word)
    ranks = {card[0] for card in best}
    if word == "straight-flush" and ranks == set("TJQKA"):
        return "royal"
    if word == "pair":
        return "jacks" if _paired(best) >= _JACK else "pair"
    return "ace-king" if word == "high" and ranks >= set("AK") and len(best) == _FIVE else word


def made_wild(cards: Sequence[str], wild: Wild) -> str:
    """The word for five cards; deuces or jokers among them may stand for any card. Five of one rank are
    four.
    """
    stands = {"": (), "deuces": tuple("2" + suit for suit in "cdhs"), "jokers": (JOKER,)}[wild]
    natural = [card for card in cards if card not in stands]
    wilds = len(cards) - len(natural)
    counts = sorted(Counter(card[0] for card in natural).values(), reverse=True)
    most = (counts[0] if counts else 0) + wilds
    values = {_VALUES[card[0]] for card in natural}
    flush = len({card[1] for card in natural}) <= 1
    straight = len(values) == len(natural) and any(values <= run for run in _RUNS)
    if flush and straight:
        return "royal" if all(value >= _TEN for value in values) else "straight-flush"
    if most >= 4:
        return "four"
    if len(counts) == 2:
        return "full-house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    if most == 3:
        return "three"
    if counts[:2] == [2, 2]:
        return "two-pair"
    if most < 2:
        return "high"
    return "pair" if wild else "jacks" if _paired(natural) >= _JACK else "pair"


_RUNS: Final = (
    *(frozenset(range(low, low + _FIVE)) for low in range(2, _TEN + 1)),
    frozenset({_ACE, 2, 3, 4, 5}),
)
"""The ranks of each straight; the one with ten to ace is the last of the ascending ones."""


def _paired(cards: Iterable[str]) -> int:
    """The value of the most frequent rank."""
    return _VALUES[Counter(card[0] for card in cards).most_common(1)[0][0]]
