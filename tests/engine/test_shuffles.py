"""Tests of the shuffle: fair ones pass at the stated rate, and each cause is told."""

from collections import Counter
from collections.abc import Callable
from math import factorial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.engine.cards import shuffles
from tablebridge.engine.cards.shuffles import Memory, checked, judge
from tablebridge.model import events as ev
from tablebridge.model.cards import DECK_52
from tablebridge.model.findings import Finding

from .tables import Script

DECK = [str(card) for card in DECK_52]
SEATS = 9
Shuffle = Callable[[Random, list[str]], list[str]]


def groups_of(deck: list[str]) -> list[list[str]]:
    """What lies together after a hand of nine: the seats' cards and the board."""
    board = [*deck[19:22], deck[23], deck[25]]
    return [*([deck[at], deck[SEATS + at]] for at in range(SEATS)), board]


def night(shuffle: Shuffle, hands: int, seed: int) -> Counter[str]:
    """So many hands; the cards are gathered seat by seat, then board, burns and stub."""
    rng, deck, memory, causes = Random(seed), DECK, checked(DECK), Counter[str]()
    for _ in range(hands):
        deck = shuffle(rng, deck)
        groups = groups_of(deck)
        memory, suspicion = judge(memory, tuple(deck[:26]), groups)
        causes[suspicion.cause if suspicion else "fair"] += 1
        gathered = [card for group in groups for card in group]
        deck = gathered + [card for card in deck if card not in gathered]
    return causes


def fair(rng: Random, deck: list[str]) -> list[str]:
    return rng.sample(deck, 52)


def cut(rng: Random, deck: list[str]) -> list[str]:
    at = rng.randrange(10, 42)
    return deck[at:] + deck[:at]


def riffle(rng: Random, deck: list[str]) -> list[str]:
    at = sum(rng.random() < 0.5 for _ in deck)
    left, right, out = deck[:at], deck[at:], []
    while left or right:
        out.append((left if rng.random() * (len(left) + len(right)) < len(left) else right).pop(0))
    return out


def stuck(rng: Random, deck: list[str]) -> list[str]:
    """A shuffler in which one card stays on top."""
    rest = [card for card in deck if card != "As"]
    return ["As", *rng.sample(rest, 51)]


@pytest.mark.parametrize("alarm", [1e-2, 1e-3])
def test_fair_shuffles_are_suspected_no_more_often_than_stated(
    monkeypatch: pytest.MonkeyPatch, alarm: float
) -> None:
    monkeypatch.setattr(shuffles, "ALARM", alarm)
    hands = 4000
    suspected = hands - night(fair, hands, 1)["fair"]
    # Three looks a hand; four standard deviations above the most that is stated.
    most = 3 * alarm * hands
    assert suspected <= most + 4 * most**0.5


def test_the_spread_deck_dealt_without_a_shuffle_is_told_also_when_cut() -> None:
    assert all(night(cut, 1, seed)["order-kept"] for seed in range(50))
    assert all(night(lambda rng, deck: list(reversed(deck)), 1, seed)["order-kept"] for seed in range(2))


def test_one_riffle_of_the_spread_deck_is_told() -> None:
    assert sum(night(riffle, 1, seed)["order-kept"] for seed in range(50)) >= 45


def test_cards_gathered_and_dealt_again_are_told_within_a_few_hands() -> None:
    assert night(cut, 40, 3)["order-kept"] >= 5


def test_the_order_of_the_hand_before_is_told() -> None:
    memory, deck = Memory(), Random(5).sample(DECK, 52)
    memory, first = judge(memory, tuple(deck[:26]), groups_of(deck))
    _, second = judge(memory, tuple(deck[:26]), groups_of(deck))
    assert first is None
    assert second is not None and second.cause == "order-repeated"


def test_a_card_that_comes_every_time_is_told_after_many_hands() -> None:
    causes = night(stuck, shuffles.FIRST_LOOK, 7)
    assert causes["biased"] == 1 and causes["fair"] == shuffles.FIRST_LOOK - 1


def test_few_cards_say_nothing() -> None:
    memory, deck = checked(DECK), tuple(DECK[: shuffles.FEWEST - 1])
    assert judge(memory, deck, []) == (memory, None)


@given(st.permutations(list("abcdefgh")))
def test_rising_sequences_are_counted(order: list[str]) -> None:
    place = {card: at for at, card in enumerate("abcdefgh")}
    by_hand, rest = 0, sorted(order)
    while rest:
        by_hand += 1
        at = -1
        while rest and order.index(rest[0]) > at:
            at = order.index(rest.pop(0))
    assert shuffles.rising_sequences(order, place) == by_hand


def test_the_distributions_are_the_known_ones() -> None:
    assert [round(share * factorial(4)) for share in shuffles._eulerian(4)] == [1, 11, 11, 1]
    assert sum(shuffles._eulerian(52)) == pytest.approx(1)
    assert shuffles._poisson_tail(1, 0.5) == pytest.approx(0.393469, abs=1e-6)
    # A table of chi-squared: 51 degrees, 1 % and 0.1 %.
    assert shuffles.chi_squared_tail(77.386, 51) == pytest.approx(0.01, rel=0.01)
    assert shuffles.chi_squared_tail(87.968, 51) == pytest.approx(0.001, rel=0.02)


def dealt(script: Script, basis: ev.Basis) -> list[Finding]:
    """A hand of five in one certain order, checked down. What was found after it."""
    faces = [card for card in DECK_52 if str(card) in DECK[::5]]
    script.play(ev.Hand(), basis="button")
    for lap in range(2):
        for seat in range(1, 6):
            script.play(ev.Deal(seat, faces[5 * lap + seat - 1]), basis=basis)
    before = len(script.findings())
    script.play(ev.Ruling("misdeal"), basis="operator")
    return script.findings()[before:]


@pytest.mark.parametrize(("basis", "told"), [("rfid", ["order-repeated"]), ("script", [])])
def test_a_hand_that_antennas_read_is_judged_and_one_that_was_typed_is_not(
    basis: ev.Basis, told: list[str]
) -> None:
    script = Script(ev.Game("nlhe", (50, 100)), ev.Seats((1, 2, 3, 4, 5)), ev.Stacks(10_000), ev.Button(5))
    assert [finding.cause for finding in dealt(script, basis) if finding.finding == "shuffle-suspect"] == []
    again = dealt(script, basis)
    assert [finding.cause for finding in again if finding.finding == "shuffle-suspect"] == told
    assert all(not finding.cards for finding in again)
