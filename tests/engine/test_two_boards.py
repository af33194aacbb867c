"""A hand with two boards pays what the same hand pays with either board alone, half of each."""

from random import Random

import pytest

from tablebridge.engine.games import FORMS
from tablebridge.model import events as ev
from tablebridge.model.cards import Card, deck_of
from tests.engine.tables import Script

# Divides by all that a pot may be divided by, so that no chip is odd: boards, halves, and up to five equal
# hands.
UNIT = 2 * 2 * 60


def _won(
    game: str, stacks: dict[int, int], hands: dict[int, tuple[Card, ...]], boards: list[tuple[Card, ...]]
) -> list[int]:
    seats = tuple(stacks)
    script = Script(
        ev.Game(game, (UNIT, 2 * UNIT)),
        ev.Seats(seats),
        ev.Button(seats[-1]),
        ev.Stacks(None, stacks),
        ev.Hand(),
    )
    for at in range(FORMS[game].hole):
        script.play(*(ev.Deal(seat, hands[seat][at]) for seat in seats))
    while (seat := script.table.to_act) is not None:
        # In pot-limit it takes more than one raise.
        script.play(
            ev.Action("raise", seat, script.table.max_raise(seat))
            if "raise" in script.table.may(seat)
            else ev.Action("call", seat)
        )
    for name, street in (("flop", slice(3)), ("turn", slice(3, 4)), ("river", slice(4, 5))):
        script.play(ev.Burn(), *(ev.Street(name, board[street]) for board in boards))  # type: ignore[arg-type]
        while (seat := script.table.to_act) is not None:
            script.play(ev.Action("check", seat))
    script.play(*(ev.Tabled(seat, hands[seat]) for seat in seats), ev.End())
    assert script.table.street == "over" and not script.table.incomplete
    assert sum(script.table.stack(seat) for seat in seats) == sum(stacks.values())
    return [script.table.won(seat) for seat in seats]


@pytest.mark.parametrize("game", [name for name, form in FORMS.items() if form.boards == 2])
def test_each_board_is_worth_half_of_every_pot(game: str) -> None:
    random = Random(game)
    shared = 0
    for _ in range(60):
        deck = [Card(card) for card in deck_of("52")]
        random.shuffle(deck)
        seats = random.sample(range(1, 10), random.randint(2, 5))
        stacks = {seat: UNIT * random.randint(3, 40) for seat in sorted(seats)}
        hole = FORMS[game].hole
        hands = {seat: tuple(deck[at * hole : (at + 1) * hole]) for at, seat in enumerate(stacks)}
        first, second = tuple(deck[-5:]), tuple(deck[-10:-5])
        alone = [_won(game.removesuffix("-2b"), stacks, hands, [board]) for board in (first, second)]
        both = _won(game, stacks, hands, [first, second])
        assert [2 * won for won in both] == [one + other for one, other in zip(*alone, strict=True)]
        shared += alone[0] != alone[1]
    assert shared > 30
