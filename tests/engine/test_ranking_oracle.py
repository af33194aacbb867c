"""Every ranking of five cards gives the order of pokerkit, over all their classes; of more cards the best
five play.

A class of five cards is its ranks and whether it is of one suit; there are 7462, and nothing else matters to
any ranking of five cards. What is made of more cards must be the best of its fives, which are checked by
trying them all.
"""

from itertools import combinations, combinations_with_replacement
from random import Random

import pytest
from pokerkit import (
    EightOrBetterLowHand,
    RegularLowHand,
    RhodeIslandHoldemHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    StandardLowHand,
)
from pokerkit.lookups import ShortDeckHoldemLookup
from pokerkit.utilities import Rank

from tablebridge.engine.showdown.ranking import rank
from tablebridge.model.cards import DECK_52, RANKS, deck_of


class AmericanaLookup(ShortDeckHoldemLookup):
    rank_order = tuple(Rank(one) for one in "789TJQKA")


class AmericanaHand(ShortDeckHoldemHand):
    lookup = AmericanaLookup()


THEIRS = {
    "high": StandardHighHand,
    "short-deck-high": ShortDeckHoldemHand,
    "americana-high": AmericanaHand,
    "low8": EightOrBetterLowHand,
    "low-a5": RegularLowHand,
    "low-27": StandardLowHand,
}
DECKS = {"short-deck-high": deck_of("36"), "americana-high": deck_of("32")}


def classes(count, ranks):
    """One hand of each class of `count` cards of these ranks."""
    for chosen in combinations_with_replacement(ranks, count):
        if max(map(chosen.count, chosen)) > 4:
            continue
        # Suits in turn by card, so that equal ranks differ and no five are of one suit.
        mixed = [
            one + "cdhs"[(chosen[:at].count(one) + (at == 0 and len(set(chosen)) == count)) % 4]
            for at, one in enumerate(chosen)
        ]
        yield mixed
        if len(set(chosen)) == count:
            yield [one + "c" for one in chosen]


def strength(theirs, cards):
    """Their order as a number, the lower the better; None where they have no such hand."""
    hand = theirs.from_game_or_none("".join(cards))
    if hand is None:
        return None
    return hand.entry.index if theirs.low else -hand.entry.index


def order(values):
    """Each value as its place among the others, so that two scales can be compared."""
    places = {value: n for n, value in enumerate(sorted(set(values) - {None}))} | {None: None}
    return [places[value] for value in values]


@pytest.mark.parametrize("ranking", THEIRS)
def test_every_class_of_five_cards_stands_where_pokerkit_has_it(ranking):
    ranks = sorted({card[0] for card in DECKS.get(ranking, DECK_52)}, key=RANKS.index)
    hands = list(classes(5, ranks))
    assert len(hands) == {13: 7462, 9: 1404, 8: 840}[len(ranks)]
    ours = [rank(ranking, hand, ()) for hand in hands]
    assert order(ours) == order([strength(THEIRS[ranking], hand) for hand in hands])


def test_every_three_cards_stand_where_pokerkit_has_them():
    hands = list(classes(3, RANKS))
    assert order([rank("three-card", hand, ()) for hand in hands]) == order(
        [strength(RhodeIslandHoldemHand, hand) for hand in hands]
    )


def best(ranking, fives):
    return min((found for five in fives if (found := rank(ranking, five, ())) is not None), default=None)


@pytest.mark.parametrize("ranking", THEIRS)
@pytest.mark.parametrize("count", [6, 7])
def test_more_cards_are_as_good_as_the_best_five_of_them(ranking, count):
    rng = Random(7)
    for _ in range(1000):
        cards = rng.sample(DECKS.get(ranking, DECK_52), count)
        assert (
            rank(ranking, cards[:2], cards[2:])
            == rank(ranking, cards, ())
            == best(ranking, combinations(cards, 5))
        ), cards


@pytest.mark.parametrize(("ranking", "of_five"), [("omaha-high", "high"), ("omaha-low8", "low8")])
def test_omaha_is_the_best_of_two_own_cards_and_three_of_the_board(ranking, of_five):
    rng = Random(9)
    for own in (4,) * 400 + (3, 5, 6) * 100:
        cards = rng.sample(DECK_52, own + 5)
        hole, board = cards[:own], cards[own:]
        fives = ([*two, *three] for two in combinations(hole, 2) for three in combinations(board, 3))
        assert rank(ranking, hole, board) == best(of_five, fives), cards
