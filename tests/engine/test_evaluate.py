"""Ranks of hands agree with an independent evaluator."""

from random import Random

import pytest
from pokerkit import OmahaHoldemHand, StandardHighHand

from tablebridge.engine.evaluate import best_high
from tablebridge.model.cards import DECK_52, UNKNOWN, Card


def order(values):
    """Each value as its place among the others, so that two scales can be compared."""
    places = {value: n for n, value in enumerate(sorted(set(values)))}
    return [places[value] for value in values]


@pytest.mark.parametrize(("game", "hole", "theirs"), [("nlhe", 2, StandardHighHand), ("plo", 4, OmahaHoldemHand)])
def test_the_better_of_random_hands_is_the_better_of_pokerkit(game, hole, theirs):
    rng = Random(5)
    deals = [rng.sample(DECK_52, hole + 5) for _ in range(300)]
    ours = [best_high(cards[:hole], cards[hole:], game) for cards in deals]
    hands = [theirs.from_game("".join(cards[:hole]), "".join(cards[hole:])) for cards in deals]
    ranked = sorted(set(hands), reverse=True)
    distinct = []
    for hand in ranked:
        if not distinct or hand != distinct[-1]:
            distinct.append(hand)
    assert order(ours) == [distinct.index(hand) for hand in hands]


def test_two_cards_of_one_face_count_once():
    board = [Card(card) for card in ("Ks", "9d", "5c", "3h", "2c")]
    assert best_high([Card("Ks*"), Card("Qd")], board, "nlhe") == best_high([Card("Qd")], board, "nlhe")


@pytest.mark.parametrize(("hole", "board", "game"), [
    ((UNKNOWN, "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "nlhe"),
    (("joker", "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "nlhe"),
    (("Ad", "Ah"), ("Ks", "9d"), "nlhe"),
    (("Ad", "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "plo"),
    (("Ad", "Ah", "Kd", "Ks*"), ("Ks", "9d", "5c", "3h", "2c"), "plo"),
    (("Ad", "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "razz"),
])
def test_what_has_no_rank_is_refused(hole, board, game):
    with pytest.raises(ValueError, match=r"rank|made of"):
        best_high([Card(card) for card in hole], [Card(card) for card in board], game)
