"""Equities of high-low, stud and draw games beside the engine's own rankings; what a sample states."""

from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.engine.games import FORMS
from tablebridge.engine.showdown.ranking import rank
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.overlay import OverlaySeat, OverlayView
from tablebridge.odds.draws import draw_equities
from tablebridge.odds.equity import equities
from tablebridge.odds.picture import with_odds
from tablebridge.odds.stud import stud_equities
from tablebridge.odds.values import NONE, NUMBER, VALUES

OWN = {"high": 7, "low8": 7, "low-a5": 7, "low-27": 5, "badugi": 4, "omaha-high": 4, "omaha-low8": 4}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def split(
    rankings: tuple[str, ...], ends: list[list[tuple[tuple[Card, ...], tuple[Card, ...]]]]
) -> list[float]:
    """The shares over these endings, each ranked by the engine as it ranks a showdown."""
    won = [Fraction(0)] * len(ends[0])
    for hands in ends:
        ranked = [[rank(ranking, *hand) for hand in hands] for ranking in rankings]
        pots = [ranks for ranks in ranked if any(value is not None for value in ranks)]
        for ranks in pots:
            best = min(value for value in ranks if value is not None)
            for place, value in enumerate(ranks):
                won[place] += Fraction(value == best, ranks.count(best) * len(pots))
    return [float(each / len(ends)) for each in won]


@given(st.sampled_from(sorted(OWN)), st.randoms(use_true_random=False))
def test_a_quick_value_orders_hands_as_the_engine_ranks_them(ranking: str, rng: Random) -> None:
    deck = rng.sample(DECK_52, 20)
    board = tuple(deck[:5]) if ranking.startswith("omaha") else ()
    one, two = tuple(deck[5 : 5 + OWN[ranking]]), tuple(deck[12 : 12 + OWN[ranking]])
    slow = [rank(ranking, hand, board) for hand in (one, two)]
    quick = [
        VALUES[ranking](tuple(map(NUMBER.__getitem__, hand)), tuple(map(NUMBER.__getitem__, board)))
        for hand in (one, two)
    ]
    if ranking in ("low8", "omaha-low8"):
        assert [value is None for value in slow] == [value == NONE for value in quick]
    if None not in slow:
        assert (slow[0] < slow[1], slow[0] == slow[1]) == (quick[0] < quick[1], quick[0] == quick[1])


@pytest.mark.parametrize(
    ("one", "two"), [("Ac 5d 4h 3s 2c", "Ad 6d 4c 3h 2s"), ("Ac 5d 4h 3s 2c", "Kc Qd Jh Ts 8c")]
)
def test_a_wheel_is_no_straight_where_aces_are_high(one: str, two: str) -> None:
    quick = [VALUES["low-27"](tuple(NUMBER[card] for card in cards(hand)), ()) for hand in (one, two)]
    slow = [rank("low-27", cards(hand)) for hand in (one, two)]
    assert (quick[0] < quick[1]) == (slow[0] < slow[1])  # type: ignore[operator]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("board", [3, 4, 5])
def test_high_low_is_exact_from_the_flop_on(players: int, board: int) -> None:
    rng = Random(f"{players} {board}")
    deck = rng.sample(DECK_52, 52)
    low = [card for card in deck if card[0] in "A2345678"]
    common = tuple(low.pop() for _ in range(board))
    holes = tuple(tuple(low.pop() for _ in range(4)) for _ in range(players))
    both = ("omaha-high", "omaha-low8")
    ours = equities(both, holes, common, ())
    assert ours is not None and ours.error == 0.0
    rest = [card for card in DECK_52 if card not in {*common, *(card for hole in holes for card in hole)}]
    coming = list(combinations(rest, 5 - board))
    taken = Random(1).sample(coming, min(len(coming), 60))
    if len(taken) == len(coming):
        ends = [[(hole, common + come) for hole in holes] for come in coming]
        assert list(ours.shares) == pytest.approx(split(both, ends), abs=0.0001)
    assert sum(ours.shares) == pytest.approx(1.0, abs=0.001)
    assert ours.boards == len(coming)


@pytest.mark.parametrize("rankings", [("high",), ("high", "low8"), ("low-a5",)])
def test_stud_is_exact_for_the_last_card_of_two_hands(rankings: tuple[str, ...]) -> None:
    deck = Random(str(rankings)).sample(DECK_52, 52)
    holes = tuple(tuple(deck.pop() for _ in range(6)) for _ in range(2))
    dead = tuple(deck.pop() for _ in range(12))
    ours = stud_equities(rankings, holes, dead)
    assert ours is not None and ours.error == 0.0 and ours.boards == 28 * 27
    ends = [
        [((*hole, card), ()) for hole, card in zip(holes, pair, strict=True)]
        for pair in permutations(deck, 2)
    ]
    assert list(ours.shares) == pytest.approx(split(rankings, ends), abs=0.0001)


def test_a_whole_stud_hand_is_decided_and_an_early_one_is_a_sample_that_says_so() -> None:
    ours = stud_equities(("high",), (cards("As Ah Kd Kc 2h 3d 4c"), cards("Qs Qh Jd 9c 5h 6d 7c")), ())
    assert ours is not None and (ours.shares, ours.boards, ours.error) == ((1.0, 0.0), 1, 0.0)
    early = (cards("As Ah Kd"), cards("Qs 7h 2d"))
    first = stud_equities(("high",), early, ())
    stud_equities.cache_clear()
    assert first is not None and first == stud_equities(("high",), early, ()), "the same sample each time"
    assert first.error > 0.01 and first.shares[0] > 0.7 and first.boards == 3000
    assert stud_equities(("high",), (cards("As Ah Kd"), cards("Qs 7h")), ()) is None
    assert stud_equities(("americana-high",), early, ()) is None


@pytest.mark.parametrize(
    ("ranking", "one", "two"),
    [
        ("low-27", "7s 5d 4c 3s 2s", "8s 7d 5c 3h 2h"),
        ("badugi", "As 2d 3c 4h", "Ks Qd Jc Th"),
        ("high", "As Ah 4c 4d 9s", "Kd Kc Qs Js 9h"),
    ],
)
def test_a_draw_game_is_exact_without_a_draw_to_come_and_else_a_sample(
    ranking: str, one: str, two: str
) -> None:
    holes = (cards(one), cards(two))
    last = draw_equities(ranking, holes, (), 0)
    assert last is not None and (last.shares, last.error) == ((1.0, 0.0), 0.0)
    for draws in (1, 3):
        ours = draw_equities(ranking, holes, (), draws)
        assert ours is not None and ours.error > 0 and sum(ours.shares) == pytest.approx(1.0, abs=0.001)
        assert ours.shares[0] > 0.5
        draw_equities.cache_clear()
        assert draw_equities(ranking, holes, (), draws) == ours, "the same sample each time"


def test_a_draw_is_what_most_players_would_do() -> None:
    """One card to the wheel of 2-7 draws at nine of the 42 cards that beat a pat 9-8: a share known
    beforehand.
    """
    ours = draw_equities("low-27", (cards("7s 5d 4c 2h Kd"), cards("9s 8d 6c 5h 2c")), (), 1)
    assert ours is not None
    # A 3, 6, 8, or a 9 (9-7) makes the better hand: 4 + 3 + 3 + 3 cards of 42.
    assert abs(ours.shares[0] - 13 / 42) <= ours.error


@pytest.mark.parametrize(
    "game",
    [
        *("stud", "stud8", "razz", "plo8", "flo8", "td27", "badugi", "draw5", "plo8-2b"),
        *("plo5", "plo5-8", "plo6", "plo6-8", "plo5-2b"),
    ],
)
def test_a_picture_of_each_game_has_equities(game: str) -> None:
    form = FORMS[game]
    deck = Random(game).sample(DECK_52, 52)
    street = "third" if not form.board and form.hole == 7 else "preflop"
    dealt = 3 if street == "third" else form.hole
    seats = tuple(
        OverlaySeat(seat, state="in", cards=dealt, faces=tuple(deck.pop() for _ in range(dealt)))
        for seat in (1, 2)
    )
    picture = with_odds(OverlayView("main", hand=1, game=game, street=street, seats=seats, to_act=1))
    shares = [hand.equity for hand in picture.hands]
    assert len(shares) == 2 and sum(share or 0 for share in shares) == pytest.approx(1.0, abs=0.001)
    assert picture.error > 0 and picture.boards > 0


def test_in_a_draw_nobody_has_an_equity_until_all_have_drawn() -> None:
    seats = tuple(
        OverlaySeat(seat, state="in", cards=4, faces=cards(hand))
        for seat, hand in ((1, "As 2d 3c 4h"), (2, "Ks Qd Jc Th"))
    )
    view = OverlayView("main", hand=1, game="badugi", street="draw1", seats=seats)
    assert with_odds(view).boards == 0
    assert (
        with_odds(OverlayView("main", hand=1, game="badugi", street="draw3", seats=seats, to_act=2)).boards
        == 1
    )
