"""Wild cards against every substitution there is, judged by an evaluator of the test's own."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from tablebridge.engine.showdown.ranking import rank
from tablebridge.model.cards import deck_of

DECK = [str(card) for card in deck_of("52")]
VALUES = {rank: value for value, rank in enumerate("23456789TJQKA", 2)}
Key = tuple[object, ...]
Hand = tuple[str, ...]


def shape(values: list[int]) -> tuple[list[int], list[int]]:
    """How often ranks are there, and the ranks, the most frequent and highest first."""
    counts = sorted(Counter(values).items(), key=lambda item: (item[1], item[0]), reverse=True)
    return [count for _, count in counts], [value for value, _ in counts]


def straight_to(values: list[int], *, wheel: bool) -> int:
    """The highest card of a straight; 0 if it is none."""
    ordered = sorted(values)
    if wheel and ordered == [2, 3, 4, 5, 14]:
        return 5
    return ordered[-1] if ordered == list(range(ordered[0], ordered[0] + 5)) else 0


def category(hand: Hand, *, wheel: bool = True) -> Key:
    """Higher is better: five of a kind 9, straight flush 8, and down to high card 0."""
    values = [VALUES[card[0]] for card in hand]
    counts, ranks = shape(values)
    straight = straight_to(values, wheel=wheel)
    flush = len({card[1] for card in hand}) == 1 and len(set(values)) == 5
    if straight:
        return (8 if flush else 4, [straight])
    if flush:
        return (5, ranks)
    kinds = {(5,): 9, (4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return (kinds.get(tuple(counts), 0), ranks)


def high(hand: Hand) -> Key:
    return category(hand)


def deuce_to_seven(hand: Hand) -> Key:
    made, ranks = category(hand, wheel=False)
    return (-made, [-value for value in ranks])  # type: ignore[operator, attr-defined]


def ace_to_five(hand: Hand) -> Key:
    counts, ranks = shape([1 if card[0] == "A" else VALUES[card[0]] for card in hand])
    pairs = [(1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1), (5,)]
    return (-pairs.index(tuple(counts)), [-value for value in ranks])  # type: ignore[arg-type]


def eight_or_better(hand: Hand) -> Key | None:
    key = ace_to_five(hand)
    return key if key[0] == 0 and -key[1][0] <= 8 else None  # type: ignore[index]


JUDGES: dict[str, Callable[[Hand], Key | None]] = {
    "high": high,
    "low-27": deuce_to_seven,
    "low-a5": ace_to_five,
    "low8": eight_or_better,
}


def brute(hand: Hand, kind: str, ranking: str) -> Key | None:
    """The best of all substitutions."""
    judge = JUDGES[ranking]
    wild = {"deuces": {"2c", "2d", "2h", "2s"}}.get(kind, {"joker"})
    found = []
    for stand in product(*(DECK if card in wild else [card] for card in hand)):
        bound = kind == "bug" and ranking == "high" and "joker" in hand
        if bound and stand[hand.index("joker")][0] != "A" and high(stand)[0] not in (4, 5, 8):
            continue
        if (key := judge(stand)) is not None:
            found.append(key)
    return max(found, default=None)


def hands(random: Random, kind: str, ranking: str) -> list[Hand]:
    """Hands with none, one and two wild cards, and such as come near to something."""
    wild = ["2c", "2h"] if kind == "deuces" else ["joker"]
    made = []
    for number in range(24):
        suit = random.choice("cdhs")
        near = [card for card in DECK if card[1] == suit] if number % 2 else DECK
        low = [card for card in near if card[0] in "A345678"] if number % 3 == 0 else near
        used = wild[: number % 3] if kind == "deuces" else wild[: min(1, number % 4)]
        natural = [card for card in low if card not in ("2c", "2d", "2h", "2s")]
        made.append((*used, *random.sample(natural, 5 - len(used))))
    if ranking == "high":
        aces = ("Ac", "Ad", "Ah", "As")
        made += [(wild[0], *aces), (wild[0], "Ac", "Kc", "Qc", "Jc"), (wild[0], "3d", "4d", "5d", "Ad")]
    return made


@pytest.mark.parametrize("kind", ["deuces", "joker", "bug"])
@pytest.mark.parametrize("ranking", JUDGES)
def test_hands_with_wild_cards_are_in_the_order_of_their_best_substitutions(ranking: str, kind: str) -> None:
    made = hands(Random(f"{ranking} {kind}"), kind, ranking)
    keys = [brute(hand, kind, ranking) for hand in made]
    ranks = [rank(f"{ranking}+{kind}", hand) for hand in made]
    assert [one is None for one in keys] == [one is None for one in ranks]
    for key, one in zip(keys, ranks, strict=True):
        for other_key, other in zip(keys, ranks, strict=True):
            if key is not None and other_key is not None and one is not None and other is not None:
                assert (key > other_key, key == other_key) == (one < other, one == other)


@pytest.mark.parametrize(
    ("kind", "better", "worse"),
    [
        ("deuces", "2c Ac Ad Ah As", "Ac Kc Qc Jc Tc"),
        ("deuces", "2c 2d 2h 2s Kd", "2c Ac Kc Qc Jc"),
        ("joker", "joker 9c 9d 9h 9s", "Ac Kc Qc Jc Tc"),
        ("bug", "joker 9c 9d 9h 3s", "9c 9d 9h Ks 3s"),
        ("bug", "joker Kc Kd 4h 3s", "Kc Kd 4h 3s 9d"),
        ("bug", "joker 9c 8d 7h 6s", "9c 9d 9h Ks 3s"),
        ("bug", "joker Ac Ad Ah As", "Ac Kc Qc Jc Tc"),
    ],
)
def test_what_wild_cards_and_a_bug_make(kind: str, better: str, worse: str) -> None:
    first, second = (rank(f"high+{kind}", hand.split()) for hand in (better, worse))
    assert first is not None and second is not None and first < second


def test_a_bug_is_no_king_for_three_kings() -> None:
    ranks = [rank("high+bug", hand.split()) for hand in ("joker Kc Kd 4h 3s", "Ah Kc Kd 4h 3s")]
    assert ranks[0] == ranks[1]
    three = [rank("high+joker", [one, "Kc", "Kd", "4h", "3s"]) for one in ("joker", "Kh")]
    assert three[0] == three[1]


def test_of_seven_cards_the_best_five_play_and_four_deuces_are_no_long_work() -> None:
    assert rank("high+deuces", ["2c", "2d", "2h", "2s", "3c"], ["9d", "Kd"]) == rank(
        "high+deuces", ["2c", "2d", "2h", "2s", "Kd"]
    )
    assert rank("omaha-high+deuces", ["2c", "2d", "9h", "8s"], ["Ac", "Ad", "Ah", "Kd", "4c"]) == 0
