"""Chips that are pushed forward say by themselves what is meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.model.errors import ConfigError
from tablebridge.sim.chips import DENOMINATIONS, Bank, chips_for


@given(st.integers(1, 20_000_000))
def test_chips_make_up_the_amount(amount: int) -> None:
    chips = chips_for(amount)
    assert sum(chips) == amount and set(chips) <= set(DENOMINATIONS) and chips == sorted(chips, reverse=True)


@given(st.integers(1, 1_000_000), st.integers(1, 1_000_000))
def test_a_raise_could_spare_its_smallest_chip(call: int, spare: int) -> None:
    chips = chips_for(call + spare, spare)
    assert sum(chips) == call + spare and len(chips) > 1 and chips[-1] <= spare


def test_a_raise_that_is_none_is_an_error() -> None:
    with pytest.raises(ValueError, match="exceeds the call"):
        chips_for(100, 0)


def test_a_chip_that_comes_back_is_given_out_last_and_the_bank_is_not_endless() -> None:
    bank = Bank({f"{value}-{number}": value for value in DENOMINATIONS for number in range(3)})
    first = bank.take([100, 100])
    bank.back(tuple(first))
    assert bank.take([100]) == ["100-2"]
    bank.take([100] * 2)
    with pytest.raises(ConfigError, match="--bets console"):
        bank.take([100])
