"""Pots are built from what was put in, and divided without losing a chip."""

import warnings
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tablebridge.engine.chips.pots import Award, Pot, build_pots, divide

seats = st.integers(1, 10)
contributions = st.dictionaries(seats, st.integers(0, 5000), min_size=1, max_size=10)


@st.composite
def hands(draw):
    paid = draw(contributions)
    return paid, draw(st.sets(st.sampled_from(sorted(paid))))


@given(hands())
def test_pots_hold_every_chip_and_nest(hand):
    paid, live = hand
    pots = build_pots(paid, live)
    assert sum(pot.amount for pot in pots) == sum(paid.values())
    assert all(pot.amount > 0 for pot in pots)
    for wider, narrower in pairwise(pots):
        assert set(narrower.seats) < set(wider.seats)
    assert all(set(pot.seats) <= live for pot in pots)


@given(hands())
def test_no_seat_can_win_more_than_it_put_in_from_another(hand):
    paid, live = hand
    highest = max((paid[seat] for seat in live), default=0)
    pots = build_pots(paid, live)
    for seat in live:
        can_win = sum(pot.amount for pot in pots if seat in pot.seats)
        covered = sum(min(amount, paid[seat]) for amount in paid.values())
        # Dead money above every live seat is the deepest seats' to win.
        dead = sum(max(amount - highest, 0) for amount in paid.values()) if paid[seat] == highest else 0
        assert can_win == covered + dead


@given(hands(), st.data(), st.sampled_from([1, 25, 100]))
def test_every_chip_is_given_out_to_the_best(hand, data, unit):
    paid, live = hand
    assume(live)
    order = data.draw(st.permutations(sorted(paid)))
    ranks = {seat: data.draw(st.integers(1, 3)) for seat in live}
    for pot in build_pots(paid, live):
        result = divide(pot, (ranks,), (order,), unit)
        best = min(ranks[seat] for seat in pot.seats)
        assert sum(result.won.values()) == pot.amount
        assert set(result.won) == {seat for seat in pot.seats if ranks[seat] == best}
        for seat, amount in result.odd:
            assert 0 < amount < 2 * unit
            assert result.won[seat] >= amount


def test_side_pots_of_three_all_ins():
    pots = build_pots({1: 500, 2: 1500, 3: 3000, 4: 3000}, {1, 2, 3, 4})
    assert pots == (Pot(2000, (1, 2, 3, 4)), Pot(3000, (2, 3, 4)), Pot(3000, (3, 4)))


def test_dead_money_is_in_the_main_pot():
    assert build_pots({1: 50, 2: 400, 3: 400}, {2, 3}) == (Pot(850, (2, 3)),)


def test_dead_money_above_every_live_seat_is_in_the_last_pot():
    assert build_pots({1: 900, 2: 400, 3: 100}, {2, 3}) == (Pot(300, (2, 3)), Pot(1100, (2,)))


def test_chips_nobody_is_left_to_win_are_a_pot_without_seats():
    assert build_pots({1: 100, 2: 50}, set()) == (Pot(150, ()),)
    assert build_pots({1: 0}, {1}) == ()


def test_odd_chips_go_out_one_each_in_order():
    assert divide(Pot(200, (1, 2, 3)), ({1: 7, 2: 7, 3: 7},), ((2, 3, 1),), 25) == Award(
        {2: 75, 3: 75, 1: 50}, ((2, 25), (3, 25))
    )


def test_less_than_a_chip_goes_with_the_first_odd_chip():
    assert divide(Pot(110, (1, 2)), ({1: 1, 2: 1},), ((1, 2),), 100) == Award({1: 110, 2: 0}, ((1, 110),))


def test_each_pot_goes_to_the_best_of_its_own_seats():
    ranks, order = {1: 1, 2: 3, 3: 2}, (1, 2, 3)
    assert divide(Pot(40, (1, 2, 3)), (ranks,), (order,), 1) == Award({1: 40})
    assert divide(Pot(90, (2, 3)), (ranks,), (order,), 1) == Award({3: 90})


def test_a_pot_nobody_can_win_is_refused():
    with pytest.raises(ValueError, match="nobody can win"):
        divide(Pot(10, (1,)), ({},), ((1,),), 1)


@given(st.lists(st.tuples(st.integers(1, 400), st.booleans()), min_size=2, max_size=6))
def test_pots_are_those_of_pokerkit(players):
    """The oracle deals all-ins before the flop; seats that folded put in nothing there."""
    assume(sum(in_it for _, in_it in players) >= 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pokerkit import Automation, NoLimitTexasHoldem

        stacks = [stack for stack, in_it in players if in_it]
        state = NoLimitTexasHoldem.create_state(
            tuple(
                one
                for one in Automation
                if one.name in ("ANTE_POSTING", "BET_COLLECTION", "BLIND_OR_STRADDLE_POSTING", "HOLE_DEALING")
            ),
            True,
            0,
            (1, 2),
            2,
            stacks,
            len(stacks),
        )
        while state.actor_index is not None:
            if state.can_complete_bet_or_raise_to(
                state.stacks[state.actor_index] + state.bets[state.actor_index]
            ):
                state.complete_bet_or_raise_to(
                    state.stacks[state.actor_index] + state.bets[state.actor_index]
                )
            else:
                state.check_or_call()
    paid = {
        seat: start - left for seat, (start, left) in enumerate(zip(stacks, state.stacks, strict=True), 1)
    }
    theirs = [(pot.amount, tuple(index + 1 for index in pot.player_indices)) for pot in state.pots]
    assert [(pot.amount, pot.seats) for pot in build_pots(paid, set(paid))] == theirs


def test_whether_there_is_a_low_half_is_decided_for_each_pot():
    """Omaha 8: seat 1 is all-in for 10 with the only low, seat 2 for 40 with the best high, two others have
    more in.
    """
    built = build_pots({1: 10, 2: 40, 3: 100, 4: 100}, {1, 2, 3, 4})
    high, low = {1: 400, 2: 10, 3: 20, 4: 30}, {1: 5}
    won: dict[int, int] = {}
    for pot in built:
        for seat, amount in divide(pot, (high, low), ([1, 2, 3, 4],) * 2, 1).won.items():
            won[seat] = won.get(seat, 0) + amount
    assert won == {1: 20, 2: 110, 3: 120}


def test_the_odd_chip_of_two_halves_goes_to_the_high_side_and_each_half_has_its_own():
    pot = Pot(125, (2, 3))
    assert divide(pot, ({2: 9, 3: 1}, {2: 1}), ([2, 3],) * 2, 25) == Award({3: 75, 2: 50}, ((3, 25),))
    both = {2: 7, 3: 7}
    assert divide(Pot(6600, (2, 3)), (both, both), ([2, 3],) * 2, 100) == Award(
        {2: 3400, 3: 3200}, ((2, 100),)
    )
    assert divide(Pot(6600, (2, 3)), (both, both), ([2, 3],) * 2, 100, together=True) == Award(
        {2: 3300, 3: 3300}
    )


def test_two_halves_that_are_equal_have_no_odd_chip():
    assert divide(Pot(200, (1, 2)), ({1: 1, 2: 9}, {2: 1}), ([1, 2],) * 2, 25) == Award({1: 100, 2: 100})


@given(
    st.integers(1, 10_000),
    st.dictionaries(st.integers(1, 9), st.integers(1, 4), min_size=1),
    st.dictionaries(st.integers(1, 9), st.integers(1, 4)),
    st.sampled_from([1, 5, 25, 100]),
    st.booleans(),
)
def test_every_chip_of_a_high_low_pot_is_given_out(amount, high, low, unit, together):
    pot, order = Pot(amount, tuple(sorted(high))), list(range(1, 10))
    award = divide(pot, (high, low), (order, order[::-1]), unit, together=together)
    assert sum(award.won.values()) == amount
    assert set(award.won) <= set(high)
