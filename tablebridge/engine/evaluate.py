"""Ranks of hands. The evaluator behind it can be replaced: cards in, a number out."""

from collections.abc import Iterable
from typing import Final

from phevaluator import evaluate_cards, evaluate_omaha_cards

from tablebridge.model.cards import Card, face, is_known

# Any five of the cards make the hand; in Omaha exactly two of the hand and three of the board do.
ANY_FIVE: Final = frozenset({"nlhe", "plhe", "flhe", "stud", "stud8", "draw5"})
OMAHA: Final = frozenset({"plo", "flo", "plo8", "flo8"})


def best_high(hole: Iterable[Card], board: Iterable[Card], game: str) -> int:
    """The rank of the best high hand of these cards, from 1 (royal flush) to 7462; a lower rank is better.

    `game`: a word of the table script. A face that is there twice counts once. Raises ValueError for a card whose face is not
    known, for too few or too many cards, and for a game in which the standard high hand does not decide.
    """
    own, common = _faces(hole), _faces(board)
    if game in ANY_FIVE:
        cards = tuple(dict.fromkeys(own + common))
        if not 5 <= len(cards) <= 7:
            raise ValueError(f"a hand of {game} is made of 5 to 7 cards, not of {len(cards)}")
        return int(evaluate_cards(*cards))
    if game in OMAHA:
        if len(own) != 4 or len(common) != 5 or set(own) & set(common):
            raise ValueError(f"a hand of {game} is made of 4 own cards and 5 of the board")
        return int(evaluate_omaha_cards(*common, *own))
    raise ValueError(f"high hands of {game!r} are not ranked here")


def _faces(cards: Iterable[Card]) -> tuple[Card, ...]:
    known = tuple(dict.fromkeys(face(card) for card in cards))
    if not all(map(is_known, known)):
        raise ValueError("a hand with a card whose face is not known has no rank")
    return known
