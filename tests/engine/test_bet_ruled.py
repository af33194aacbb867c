"""Chips that mean one thing only need no ruling: none is found."""

import pytest

from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tests.engine.tables import Script

SETUP = (
    ev.Rules("tda-2022"),
    ev.Game("nlhe", (50, 100)),
    ev.Seats((1, 2, 3)),
    ev.Button(3),
    ev.Stacks(10_000),
    ev.Hand(),
    ev.Dealt(),
)
FLOP = ev.Street("flop", (Card("2c"), Card("7d"), Card("Jh")))
LIMPED = (ev.Action("call", 3), ev.Action("call", 1), ev.Action("check", 2), ev.Burn(), FLOP)


@pytest.mark.parametrize(
    ("before", "chips", "ruled"),
    [
        ((), ev.ChipsIn(3, (100,)), ("call", 100)),
        ((*LIMPED, ev.Action("bet", 1, 500)), ev.ChipsIn(2, (500,)), ("call", 500)),
        ((*LIMPED, ev.Action("bet", 1, 500)), ev.ChipsIn(2, (100,) * 5), ("call", 500)),
        (LIMPED, ev.ChipsIn(1, (100,)), ("bet", 100)),
        (LIMPED, ev.ChipsIn(1, (100, 100)), ("bet", 200)),
    ],
    ids=[
        "one chip, the blind",
        "one chip, the bet",
        "five chips, the bet",
        "one chip, the least bet",
        "two chips, no bet",
    ],
)
def test_chips_of_exactly_the_amount_are_not_ruled_on(
    before: tuple[ev.TableEvent, ...], chips: ev.ChipsIn, ruled: tuple[str, int]
) -> None:
    outcome = Script(*SETUP, *before).play(chips)
    assert [(one.action, one.amount) for one in outcome.ruled] == [ruled]
    assert outcome.findings == ()
