"""Equities and outs beside every board ranked by another evaluator, and the error that a sample states."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.engine.showdown.ranking import rank
from tablebridge.model.cards import DECK_52, Card
from tablebridge.odds import boards, equity
from tablebridge.odds.equity import equities, outs
from tablebridge.odds.values import NUMBER, omaha_high

HOLE = {"high": 2, "omaha-high": 4}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def slow(ranking: str, holes: list[tuple[Card, ...]], board: tuple[Card, ...]) -> list[float]:
    """The shares, each board ranked by the engine as it ranks a showdown."""
    seen = {*board, *(card for hole in holes for card in hole)}
    rest = [card for card in DECK_52 if card not in seen]
    won, number = [Fraction(0)] * len(holes), 0
    for come in combinations(rest, 5 - len(board)):
        ranks = [rank(ranking, hole, board + come) for hole in holes]
        best = min(value for value in ranks if value is not None)
        for place, value in enumerate(ranks):
            won[place] += Fraction(value == best, ranks.count(best))
        number += 1
    return [round(float(each / number), 4) for each in won]


@pytest.mark.parametrize("ranking", HOLE)
@pytest.mark.parametrize(("players", "board"), [(2, 3), (3, 4), (6, 4), (2, 5), (4, 3)])
def test_from_the_flop_on_the_shares_are_exact(ranking: str, players: int, board: int) -> None:
    rng = Random(f"{ranking} {players} {board}")
    deck = rng.sample(DECK_52, 52)
    holes = [tuple(deck.pop() for _ in range(HOLE[ranking])) for _ in range(players)]
    common = tuple(deck.pop() for _ in range(board))
    given = equities((ranking,), tuple(holes), common, ())
    assert given is not None and given.error == 0.0
    assert list(given.shares) == slow(ranking, holes, common)


@pytest.mark.parametrize("hole", [5, 6])
@pytest.mark.parametrize(("players", "board"), [(2, 4), (4, 4), (3, 5)])
def test_with_five_and_six_cards_the_shares_are_exact_from_the_flop_on(
    hole: int, players: int, board: int
) -> None:
    rng = Random(f"{hole} {players} {board}")
    deck = rng.sample(DECK_52, 52)
    holes = [tuple(deck.pop() for _ in range(hole)) for _ in range(players)]
    common = tuple(deck.pop() for _ in range(board))
    given = equities(("omaha-high",), tuple(holes), common, ())
    assert given is not None and given.error == 0.0
    assert list(given.shares) == slow("omaha-high", holes, common)
    flop = equities(("omaha-high", "omaha-low8"), tuple(holes), common[:3], ())
    assert flop is not None and flop.error == 0.0 and sum(flop.shares) == pytest.approx(1.0, abs=0.001)
    before = equities(("omaha-high",), tuple(holes), (), ())
    assert (
        before is not None and 0 < before.error < 0.02 and before.boards * players * 3 <= equity.MOST_RANKED
    )


@given(st.randoms(use_true_random=False), st.sampled_from([5, 6]))
def test_each_hand_of_five_or_six_cards_is_ranked_as_the_engine_ranks_it(rng: Random, hole: int) -> None:
    deck = rng.sample(DECK_52, hole + 5)
    own, board = tuple(deck[:hole]), tuple(deck[hole:])
    assert omaha_high(tuple(NUMBER[card] for card in own), tuple(NUMBER[card] for card in board)) == rank(
        "omaha-high", own, board
    )


# Exact shares of known pairs of hands before the flop, over all 1 712 304 boards.
KNOWN = [
    ("As Ah", "Ks Kh", 0.8236),
    ("As Ks", "Qh Qd", 0.4604),
    ("Ac Kd", "2h 2s", 0.4734),
    ("Jh Th", "Ad Kc", 0.4080),
]


@pytest.mark.parametrize(("one", "two", "share"), KNOWN)
def test_before_the_flop_a_share_is_within_the_error_that_it_states(one: str, two: str, share: float) -> None:
    given = equities(("high",), (cards(one), cards(two)), (), ())
    assert given is not None and given.boards == boards.SAMPLE and 0 < given.error < 0.01
    assert abs(given.shares[0] - share) <= given.error
    assert sum(given.shares) == pytest.approx(1.0, abs=0.001)


@given(st.randoms(use_true_random=False), st.sampled_from(sorted(HOLE)), st.integers(2, 9))
def test_no_sample_ranks_more_hands_than_its_bound_and_none_deals_a_card_twice(
    rng: Random, ranking: str, players: int
) -> None:
    rest = range(52 - HOLE[ranking] * players)
    coming, number, _ = boards.boards(rest, 5, equity.MOST_RANKED // players)
    dealt = list(coming)
    assert number == len(dealt) and number * players <= equity.MOST_RANKED
    board = dealt[rng.randrange(number)]
    assert len(set(board)) == 5 and set(board) <= set(rest)


def test_outs_are_the_cards_that_bring_a_hand_in_front_alone() -> None:
    flush, pair = outs("high", (cards("As Ks"), cards("Qh Qd")), cards("2s 7s Jc 3h"), ())
    assert set(flush) == {
        *cards("Ah Ad Ac Kh Kd Kc"),
        *(card for card in DECK_52 if card[1] == "s" and card not in cards("As Ks 2s 7s")),
    }
    assert pair == ()
    # A card that a folded hand holds cannot come.
    assert "Ah" not in outs("high", (cards("As Ks"), cards("Qh Qd")), cards("2s 7s Jc 3h"), cards("Ah 4d"))[0]
    assert outs("high", (cards("As Ks"), cards("Qh Qd")), (), ()) == ((), ())


def test_omaha_outs_before_the_board_is_whole_count_two_own_cards() -> None:
    """One spade in the hand is no flush draw, however many lie on the board."""
    none, _ = outs("omaha-high", (cards("As Kd 9c 8d"), cards("Qh Qd 2c 3c")), cards("2s 7s Js 4h"), ())
    assert not any(card[1] == "s" and card[0] in "356" for card in none)


@pytest.mark.parametrize(
    ("ranking", "holes", "board"),
    [
        ("low8", ("As Ks", "Qh Qd"), "2s 7s Jc"),
        ("short-deck-high", ("As Ks", "Qh Qd"), "9s 7s Jc"),
        ("high", ("As Ks", "Qh"), "9s 7s Jc"),
        ("high", ("As Ks", "Qh ??"), "9s 7s Jc"),
        ("high", ("As Ks", "As Qd"), "9s 7s Jc"),
        ("high", ("As Ks", "Qh Qd*"), "9s 7s Jc"),
        ("high", ("As Ks", "Qh Qd"), "9s 7s Qh"),
        ("high", ("As Ks",), "9s 7s Jc"),
    ],
)
def test_what_is_not_covered_or_not_whole_has_no_equity(
    ranking: str, holes: tuple[str, ...], board: str
) -> None:
    hands = tuple(map(cards, holes))
    assert equities((ranking,), hands, cards(board), ()) is None
    assert not any(outs(ranking, hands, cards(board), ()))


def test_equal_cards_are_ranked_once() -> None:
    equities.cache_clear()
    for _ in range(3):
        equities(("high",), (cards("As Ks"), cards("Qh Qd")), cards("2s 7s Jc"), ())
    assert equities.cache_info().misses == 1
