"""Hands as pay tables call them: wild cards against a search over all that they may stand for."""

from itertools import product
from random import Random

import pytest

from tablebridge.engine.house.made_hands import Wild, made, made_wild
from tablebridge.model.cards import DECK_52, JOKER
from tablebridge.model.house_events import MADE

STRENGTH = {word: at for at, word in enumerate(MADE)}


def best_of_all(cards: list[str], stands: set[str]) -> str:
    """The best word over every card that a wild one may be; five of one rank are four."""
    natural = [card for card in cards if card not in stands]
    found = []
    for chosen in product(DECK_52, repeat=len(cards) - len(natural)):
        hand = [*natural, *chosen]
        if len({card[0] for card in hand}) == 1:
            found.append("four")
        elif len(set(hand)) == len(hand):
            found.append(made("high", hand))
    return min(found, key=STRENGTH.__getitem__)


@pytest.mark.parametrize("wild", ["deuces", "jokers"])
def test_wild_cards_make_the_best_hand_that_they_can(wild: Wild) -> None:
    rng = Random(7)
    stands = {"2c", "2d", "2h", "2s"} if wild == "deuces" else {JOKER}
    natural = [card for card in DECK_52 if card not in stands]
    wilds = sorted(stands)
    words = set()
    for _ in range(120):
        number = rng.choice((1, 1, 1, 2)) if wild == "deuces" else 1
        # Near each other in rank or suit, so that straights and flushes are among them.
        near = sorted(rng.sample(natural, 20), key=lambda card: card[rng.random() < 0.5])[: 5 - number]
        cards = [*near, *rng.sample(wilds, number)]
        said, best = made_wild(cards, wild), best_of_all(cards, stands)
        words.add(said)
        # Every pair loses in these forms, so that jacks are no better than other pairs.
        assert said == ("pair" if best == "jacks" else best), cards
    assert len(words) >= 5


def test_without_a_wild_card_both_ways_say_the_same() -> None:
    rng = Random(8)
    for _ in range(3000):
        cards = rng.sample(DECK_52, 5)
        word = made("high", cards)
        assert made_wild(cards, "") == ("high" if word == "ace-king" else word)


@pytest.mark.parametrize(
    ("hand", "word"),
    [
        ("4h 4d 4c", "three"),
        ("2h 3h Ah", "straight-flush"),
        ("Ah Kd Qc", "straight"),
        ("Jh Jd 2c", "jacks"),
        ("Th Td 2c", "pair"),
        ("Ah Kd 2c", "high"),
    ],
)
def test_hands_of_three_cards(hand: str, word: str) -> None:
    assert made("three-card", hand.split()) == word
