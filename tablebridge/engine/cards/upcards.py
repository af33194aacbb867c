"""Who opens a round by the cards that lie open: the bring-in of stud, and the high or low hand showing after
it. And who shows at the end, and when all must.

Suits rank clubs, diamonds, hearts, spades, but only here and for odd chips. A card whose face is not known
counts for nothing. Of equal hands the one whose highest card has the higher suit opens (TDA RP-10-D).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tablebridge.engine.hand import Hand
from tablebridge.model.cards import RANKS, SUITS, Card, face, is_known

_LOW: Final = "A" + RANKS[:-1]


def _named(cards: Iterable[Card]) -> list[str]:
    return [face(card) for card in cards if is_known(card)]


def _strength(card: str, *, low_ace: bool) -> tuple[int, int]:
    return (_LOW if low_ace else RANKS).index(card[0]), SUITS.index(card[1])


def by_card(shown: Mapping[int, Sequence[Card]], *, highest: bool, low_ace: bool) -> int | None:
    """The seat whose open card is the lowest or highest, by suit if two are equal; None if no card is
    known.
    """
    strengths = {
        seat: max(_strength(card, low_ace=low_ace) for card in _named(cards))
        for seat, cards in shown.items()
        if _named(cards)
    }
    if not strengths:
        return None
    return (max if highest else min)(strengths, key=strengths.__getitem__)


def by_hand(shown: Mapping[int, Sequence[Card]], *, low: bool, low_ace: bool) -> int | None:
    """The seat with the highest or lowest hand showing; None if no card is known. Straights and flushes do
    not count.
    """
    known = {seat: _named(cards) for seat, cards in shown.items() if _named(cards)}
    if not known:
        return None
    values = {seat: _value(cards, low_ace=low_ace) for seat, cards in known.items()}
    best = (min if low else max)(values.values())
    equal = [seat for seat, value in values.items() if value == best]
    return max(equal, key=lambda seat: max(_strength(card, low_ace=low_ace) for card in known[seat]))


def pair(cards: Iterable[Card]) -> bool:
    """Whether two of these cards are of one rank."""
    ranks = [card[0] for card in _named(cards)]
    return len(set(ranks)) < len(ranks)


def order(hand: Hand) -> tuple[int, ...]:
    """The order in which hands must be shown (17-A): the last aggressor of the final round first, else who
    would open one: the seat left of the button, in stud the high hand showing, in razz the low one.
    """
    live = hand.live_order()
    if not live or hand.street != "showdown":
        return live
    first = hand.round.aggressor if hand.round.aggressor in hand.live else None
    if first is None and hand.form.shows == "opener" and hand.round.opener in hand.live:
        first = hand.round.opener
    place = 0 if first is None else live.index(first)
    return live[place:] + live[:place]


def face_up(hand: Hand) -> bool:
    """Whether all live hands must be face up: one is all-in and no more betting is possible (16). Before a
    draw it is not, nor while hand-for-hand play holds them.
    """
    return (
        hand.time.stops not in ("on", "held")
        and hand.house.get("hand-for-hand") != "yes"
        and all_in_and_called(hand)
    )


def all_in_and_called(hand: Hand) -> bool:
    """Whether one is all-in and no more betting is possible, and no draw is to come."""
    if hand.over or hand.round.to_act is not None or len(hand.live) < 2:
        return False
    stacks = [hand.chips.stack[seat] for seat in hand.live]
    all_in = stacks.count(0)
    if not all_in or (len(stacks) - all_in > 1 and hand.street != "showdown"):
        return False
    coming = hand.form.next(hand.street)
    return coming is None or not coming.draw


def suit_order(hands: Mapping[int, Iterable[Card]]) -> list[int]:
    """Seats by their highest card, suits deciding between equal ranks: who comes first for odd chips (TDA
    20-B).
    """
    highest = {
        seat: max((_strength(card, low_ace=False) for card in _named(cards)), default=(-1, -1))
        for seat, cards in hands.items()
    }
    return sorted(highest, key=highest.__getitem__, reverse=True)


def _value(cards: Sequence[str], *, low_ace: bool) -> tuple[list[int], list[int]]:
    """Comparable strength of up to five cards: how often ranks come, then which."""
    ranks = Counter(_strength(card, low_ace=low_ace)[0] for card in cards)
    ordered = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    return [ranks[rank] for rank in ordered], ordered
