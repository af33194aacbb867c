"""Made hands: the kind, the ranks that name it and the cards that make it."""

import pytest

from tablebridge.model.cards import Card
from tablebridge.odds.made import made


@pytest.mark.parametrize(
    ("ranking", "hole", "board", "kind", "ranks", "playing"),
    [
        ("high", "As Kd", "Ah Kc 7d", "two-pair", "AK", "As Ah Kd Kc 7d"),
        ("high", "As Kd", "Qh Jc Td 2s 2c", "straight", "A", "As Kd Qh Jc Td"),
        ("high", "As 2d", "3h 4c 5d Kd Kc", "straight", "5", "As 5d 4c 3h 2d"),
        ("high", "As Ks", "Qs Js Ts", "straight-flush", "A", "As Ks Qs Js Ts"),
        ("high", "9s 2s", "Qs Js 4s Ad", "flush", "Q", "Qs Js 9s 4s 2s"),
        ("high", "9s 9d", "Qs Qd 9c Qc", "full", "Q9", "Qs Qd Qc 9s 9d"),
        ("high", "9s 9d", "9h Qd 9c Qc", "four", "9", "Qd 9s 9h 9d 9c"),
        ("high", "9s 8d", "Qs Jd 2c", "high", "Q", "Qs Jd 9s 8d 2c"),
        ("high", "Ts Td Kc 4h 2c", "", "pair", "T", "Kc Ts Td 4h 2c"),
        ("short-deck-high", "As 6d", "7h 8c 9d Kd Kc", "straight", "9", "As 9d 8c 7h 6d"),
        ("omaha-high", "As Ks Qd Jd", "Ts 9s 2s", "flush", "A", "As Ks Ts 9s 2s"),
        ("omaha-high", "As Kd Qd 2d", "Js Ts 9h 3s", "straight", "K", "Kd Qd Js Ts 9h"),
        ("omaha-low8", "As 2d Qd Jd", "Ts 8s 5c 3s", "low", "8532A", "As 8s 5c 3s 2d"),
        ("low-a5", "As 2s 3s 4s 5s Kd Kc", "", "low", "5432A", "As 5s 4s 3s 2s"),
        ("low-27", "7s 5d 4c 3s 2s", "", "low", "75432", "7s 5d 4c 3s 2s"),
        ("badugi", "As 2d 3c 4h", "", "badugi", "432A", "As 4h 3c 2d"),
        ("badugi", "As 2s 3c 4h", "", "badugi", "43A", "As 4h 3c"),
    ],
)
def test_a_made_hand_has_its_name_and_its_cards(
    ranking: str, hole: str, board: str, kind: str, ranks: str, playing: str
) -> None:
    hand = made(ranking, tuple(map(Card, hole.split())), tuple(map(Card, board.split())), 1)
    assert hand is not None and (hand.kind, hand.ranks) == (kind, ranks)
    assert set(hand.cards) == set(map(Card, playing.split()))


@pytest.mark.parametrize(
    ("ranking", "hole", "board"),
    [
        ("high", "As Kd", ""),
        ("high", "As ??", "2c 3c 4c"),
        ("omaha-high", "As Kd", "2c 3c 4c"),
        ("omaha-low8", "As 2d Qd Jd", "Ts 9s 5c 3s"),
        ("three-card", "As Kd Qd", ""),
    ],
)
def test_without_enough_known_cards_or_a_qualifying_hand_there_is_none(
    ranking: str, hole: str, board: str
) -> None:
    assert made(ranking, tuple(map(Card, hole.split())), tuple(map(Card, board.split())), 1) is None
