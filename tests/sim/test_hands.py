"""Invented hands obey the rules, judged by an independent implementation of them."""

from random import Random
from typing import Final

import pokerkit
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.sim.hands import HOLES, Act, Board, Hand, Show, order_from, random_hand

OTHERS: Final = {"nlhe": pokerkit.NoLimitTexasHoldem, "plo": pokerkit.PotLimitOmahaHoldem}


def begun(hand: Hand, game: str) -> pokerkit.State:
    """The hand in pokerkit, before its first card."""
    small, big = hand.blinds
    return OTHERS[game].create_state(
        (
            pokerkit.Automation.ANTE_POSTING,
            pokerkit.Automation.BET_COLLECTION,
            pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
            pokerkit.Automation.HAND_KILLING,
            pokerkit.Automation.CHIPS_PUSHING,
            pokerkit.Automation.CHIPS_PULLING,
        ),
        True,
        0,
        (small, big),
        big,
        tuple(hand.stacks[seat] for seat in hand.order),
        len(hand.order),
    )


def judge(hand: Hand, game: str) -> pokerkit.State:
    """Plays the hand with pokerkit, which raises for anything illegal."""
    state = begun(hand, game)
    for seat in hand.order:
        state.deal_hole("".join(hand.holes[seat]))
    for step in hand.steps:
        match step:
            case Act(seat, kind, amount, all_in):
                assert hand.order[state.actor_index] == seat
                if kind in ("bet", "raise"):
                    state.complete_bet_or_raise_to(amount)
                elif kind == "fold":
                    state.fold()
                else:
                    assert (kind == "call") == (state.checking_or_calling_amount > 0)
                    state.check_or_call()
                assert (
                    all_in == (state.stacks[hand.order.index(seat)] == 0)
                    or kind == "fold"
                    or not state.status
                )
            case Board(_, cards):
                while state.can_show_or_muck_hole_cards():
                    state.show_or_muck_hole_cards(True)
                state.burn_card("??")
                state.deal_board("".join(cards))
            case _:
                if state.can_show_or_muck_hole_cards():
                    state.show_or_muck_hole_cards(isinstance(step, Show))
    while state.can_show_or_muck_hole_cards():
        state.show_or_muck_hole_cards(True)
    return state


@settings(max_examples=100)
@given(
    st.sampled_from(sorted(OTHERS)), st.integers(0, 2**32), st.sets(st.integers(1, 10), min_size=2), st.data()
)
def test_every_invented_hand_is_legal_and_complete(
    game: str, seed: int, seats: set[int], data: st.DataObject
) -> None:
    button = data.draw(st.sampled_from(sorted(seats)))
    stacks = {seat: data.draw(st.integers(150, 12000)) for seat in sorted(seats)}
    hand = random_hand(Random(seed), sorted(seats), button, (50, 100), stacks, game)
    assert hand.order[-1] == button and len(hand.known_cards()) == HOLES[game] * len(seats) + sum(
        len(step.cards) for step in hand.steps if isinstance(step, Board)
    )
    assert not judge(hand, game).status


def test_cards_go_round_from_the_buttons_left() -> None:
    assert order_from(4, (1, 3, 4, 9)) == (9, 1, 3, 4)
    assert order_from(10, (1, 2, 10)) == (1, 2, 10)
