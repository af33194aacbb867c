"""Hands with wild cards: what each may stand for, and the best that it makes.

Theory. A wild card stands for any card, also for one that is held already, so that five of a kind can be
made. A bug stands for an ace, or for what completes a straight or a flush; in low hands it is wild. For the
rank of a hand it matters which ranks the wild cards have, and whether all cards are of one suit. So every
choice of ranks is tried, once with the suit of the other cards and once with another: at most 1,820 for four
wild cards, instead of seven million.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Final, Literal

Wild = Literal["none", "deuces", "joker", "bug"]

CARDS: Final[Mapping[Wild, frozenset[str]]] = {
    "none": frozenset(),
    "deuces": frozenset({"2c", "2d", "2h", "2s"}),
    "joker": frozenset({"joker"}),
    "bug": frozenset({"joker"}),
}
"""Which cards are wild."""

_RANKS: Final = "AKQJT98765432"
_SUITS: Final = "cdhs"


def best(
    cards: tuple[str, ...],
    wild: Wild,
    value: Callable[[tuple[str, ...]], int | None],
    completes: Callable[[tuple[str, ...]], bool] | None = None,
) -> int | None:
    """The best rank that these cards have, `value` being that of cards without wild ones; None if none
    qualifies. `completes`: whether cards are a straight or a flush, for which a bug may be any card.
    """
    natural = tuple(card for card in cards if card not in CARDS[wild])
    if len(natural) == len(cards):
        return value(cards)
    made = []
    for stand in _stands(natural, len(cards) - len(natural)):
        hand = natural + stand
        only_ace = wild == "bug" and completes is not None and stand[0][0] != "A"
        if only_ace and completes is not None and not completes(hand):
            continue
        if (rank := value(hand)) == 0:
            return 0
        if rank is not None:
            made.append(rank)
    return min(made, default=None)


def _stands(natural: tuple[str, ...], count: int) -> Iterator[tuple[str, ...]]:
    """What this number of wild cards may stand for beside the others."""
    suits = {card[1] for card in natural}
    own = next(iter(suits)) if len(suits) == 1 else _SUITS[0]
    other = next(suit for suit in _SUITS if suit != own)
    for ranks in combinations_with_replacement(_RANKS, count):
        yield tuple(rank + own for rank in ranks)
        if len(suits) < 2:
            yield tuple(rank + (own if at else other) for at, rank in enumerate(ranks))
