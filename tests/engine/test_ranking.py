"""Ranks of hands agree with an independent evaluator; where there is none, with the order that the rules
name.
"""

from collections.abc import Callable
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from pokerkit import (
    BadugiHand,
    EightOrBetterLowHand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    RhodeIslandHoldemHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    StandardLowHand,
)

from tablebridge.engine.showdown.ranking import WITHOUT_TABLES, playing, qualifies, rank
from tablebridge.model.cards import deck_of

# Ranking, own cards, cards of the board, deck, pokerkit's class.
ORACLE: list[tuple[str, int, int, str, Any]] = [
    ("high", 2, 5, "52", StandardHighHand),
    ("high", 5, 0, "52", StandardHighHand),
    ("high", 7, 0, "52", StandardHighHand),
    ("omaha-high", 4, 5, "52", OmahaHoldemHand),
    ("omaha-low8", 4, 5, "52", OmahaEightOrBetterLowHand),
    ("omaha-high", 5, 5, "52", OmahaHoldemHand),
    ("omaha-low8", 5, 5, "52", OmahaEightOrBetterLowHand),
    ("omaha-high", 6, 5, "52", OmahaHoldemHand),
    ("omaha-low8", 6, 5, "52", OmahaEightOrBetterLowHand),
    ("short-deck-high", 2, 5, "36", ShortDeckHoldemHand),
    ("low8", 7, 0, "52", EightOrBetterLowHand),
    ("low-a5", 7, 0, "52", RegularLowHand),
    ("low-27", 5, 0, "52", StandardLowHand),
    ("badugi", 4, 0, "52", BadugiHand),
    ("three-card", 3, 0, "52", RhodeIslandHoldemHand),
]


def compared(values: list[Any], better: Callable[[Any, Any], bool]) -> list[int]:
    """For each pair of neighbours: which of the two is the better, 0 where they are equal."""
    return [better(one, other) - better(other, one) for one, other in pairwise(values)]


@pytest.mark.parametrize(("ranking", "own", "board", "deck", "theirs"), ORACLE)
def test_the_better_of_two_hands_is_the_better_of_pokerkit(
    ranking: str, own: int, board: int, deck: str, theirs: Any
) -> None:
    rng, cards = Random(ranking), deck_of(deck)
    deals = [rng.sample(cards, own + board) for _ in range(1500)]
    ours = [rank(ranking, deal[:own], deal[own:]) for deal in deals]
    hands = [theirs.from_game_or_none("".join(deal[:own]), "".join(deal[own:])) for deal in deals]
    assert [value is None for value in ours] == [hand is None for hand in hands]
    assert sum(value is not None for value in ours) > 200
    kept = [(value, hand) for value, hand in zip(ours, hands, strict=True) if value is not None]
    assert compared([value for value, _ in kept], lambda one, other: one < other) == compared(
        [hand for _, hand in kept], lambda one, other: one > other
    )


@pytest.mark.parametrize(("ranking", "own", "board", "deck", "theirs"), ORACLE)
def test_the_cards_that_play_make_the_hand(
    ranking: str, own: int, board: int, deck: str, theirs: Any
) -> None:
    rng, cards = Random(own), deck_of(deck)
    for _ in range(60):
        deal = rng.sample(cards, own + board)
        best = playing(ranking, deal[:own], deal[own:])
        value = rank(ranking, deal[:own], deal[own:])
        if value is None:
            assert best == ()
        elif not ranking.startswith("omaha"):
            assert set(best) <= set(deal) and rank(ranking, best) == value
        else:
            assert len(set(best) & set(deal[:own])) == 2


def ordered(ranking: str, hands: list[str]) -> None:
    """These hands, each better than the next."""
    values = [rank(ranking, [hand[at : at + 2] for at in range(0, len(hand), 2)]) for hand in hands]
    assert None not in values
    assert values == sorted(set(values)), values  # type: ignore[type-var]


def test_deuce_to_seven_counts_straights_and_flushes_and_aces_are_high() -> None:
    ordered(
        "low-27",
        ["7c5d4h3s2c", "7c6d5h4s2c", "8c6d4h3s2c", "Ac5d4h3s2c", "2c2d5h4s3c", "6c5d4h3s2c", "7c5c4c3c2c"],
    )


def test_badugi_counts_cards_first() -> None:
    ordered("badugi", ["4s3h2dAc", "KsQhJdTc", "3h2dAc3c", "KsQhJdJh", "2hAcAh2c", "KsKhKdKc"])


def test_americana_has_flush_over_full_house_and_the_wheel_from_seven() -> None:
    ordered(
        "americana-high",
        [
            "AsKsQsJsTs",
            "TsAs9s8s7s",
            "7c7d7h7sAc",
            "AhKhQhJh9h",
            "AcAdAhKsKc",
            "AcKdQhJsTc",
            "TcAd9h8s7c",
            "9c9d9hAcKc",
        ],
    )


def test_pai_gow_has_five_aces_and_a_joker_that_completes() -> None:
    def of(*cards: str) -> int:
        value = rank("pai-gow-high", cards)
        assert value is not None
        return value

    aces = of("Ac", "Ad", "Ah", "As", "joker")
    royal = of("As", "Ks", "Qs", "Js", "joker")
    quads = of("Kc", "Kd", "Kh", "Ks", "joker")
    flush = of("2c", "4c", "6c", "9c", "joker")
    straight = of("4c", "5d", "6h", "8s", "joker")
    pair = of("4c", "6d", "8h", "Qs", "joker")
    assert aces < royal < quads < flush < straight < pair
    assert royal == of("As", "Ks", "Qs", "Js", "Ts")
    assert pair == of("4c", "6d", "8h", "Qs", "Ac"), "beside no straight and no flush it is an ace"
    assert rank("pai-gow-low", ("joker", "Kc")) == rank("pai-gow-low", ("Ad", "Kc"))
    assert rank("pai-gow-low", ("joker", "Ac")) == rank("pai-gow-low", ("Ad", "Ah"))


def test_of_hands_of_one_rank_the_higher_suit_plays() -> None:
    assert playing("high", ("Ah", "As", "Kd", "Qc", "Jh", "Ts", "2c")) == ("As", "Kd", "Qc", "Jh", "Ts")


@pytest.mark.parametrize(
    ("game", "ranking", "plays", "not_quite"),
    [
        ("three-card", "three-card", ("Qc", "3d", "2h"), ("Jc", "Td", "8h")),
        ("caribbean", "high", ("Ac", "Kd", "4h", "3s", "2c"), ("Ac", "Qd", "Jh", "Ts", "9c")),
        ("uth", "high", ("2c", "2d", "5h", "4s", "3c"), ("Ac", "Kd", "Qh", "Js", "9c")),
    ],
)
def test_the_dealers_hand_plays_from_its_qualification_on(
    game: str, ranking: str, plays: tuple[str, ...], not_quite: tuple[str, ...]
) -> None:
    for cards, expected in ((plays, True), (not_quite, False)):
        value = rank(ranking, cards)
        assert value is not None and qualifies(game, value) is expected


def test_there_are_22100_hands_of_three_cards_in_six_kinds() -> None:
    values = [rank("three-card", cards) for cards in combinations(deck_of("52"), 3)]
    kinds = [value // 16**5 for value in values if value is not None]
    assert [kinds.count(kind) for kind in range(6)] == [48, 52, 720, 1096, 3744, 16440]


def test_two_cards_of_one_face_count_once() -> None:
    board = ("Ks", "9d", "5c", "3h", "2c")
    assert rank("high", ("Ks*", "Qd"), board) == rank("high", ("Qd",), board)


@pytest.mark.parametrize(
    ("hole", "board", "ranking"),
    [
        (("??", "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "high"),
        (("joker", "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "high"),
        (("Ad", "Ah"), ("Ks", "9d"), "high"),
        (("Ad", "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "omaha-high"),
        (("Ad", "Ah", "Kd", "Ks*"), ("Ks", "9d", "5c", "3h", "2c"), "omaha-low8"),
        (("Ad", "Ah", "Ks", "9d", "5c"), (), "badugi"),
        (("Ad", "Ah"), ("Ks", "9d", "5c", "3h", "2c"), "middle"),
    ],
)
def test_what_has_no_rank_is_refused(hole: tuple[str, ...], board: tuple[str, ...], ranking: str) -> None:
    with pytest.raises(ValueError, match=r"rank|made of"):
        rank(ranking, hole, board)


@pytest.mark.parametrize(("ranking", "own", "board"), [("high", 2, 5), ("high", 5, 0), ("omaha-high", 4, 5)])
def test_without_tables_the_usual_hands_have_the_same_order(ranking: str, own: int, board: int) -> None:
    """A processor that phevaluator has no wheel for plays the same showdowns."""
    chance, pairs = Random(11), set()
    how = WITHOUT_TABLES[ranking]
    for _ in range(1500):
        cards = tuple(chance.sample(deck_of("52"), own + board))
        hands = how.hands(cards[:own], cards[own:])
        slow = min(value for hand in hands if (value := how.value(hand)) is not None)
        pairs.add((rank(ranking, cards[:own], cards[own:]), slow))
    fast, slow_ones = zip(*sorted(pairs), strict=True)
    assert len(set(fast)) == len(pairs) == len(set(slow_ones)), "equal in one, equal in the other"
    assert list(slow_ones) == sorted(slow_ones)
