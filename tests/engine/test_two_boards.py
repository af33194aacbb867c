"""A hand with two boards pays what the same hand pays with either board alone, half of each."""

from random import Random

import pytest

from tablebridge.engine.games import FORMS
from tablebridge.engine.showdown.ranking import rank
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


@pytest.mark.parametrize("runs", [2, 3, 4])
def test_a_pot_that_is_run_several_times_is_divided_into_parts_that_differ_by_a_chip(runs: int) -> None:
    random = Random(runs)
    for _ in range(40):
        cards = list(deck_of("52"))
        random.shuffle(cards)
        stack = random.randrange(100, 2_000)
        script = Script(
            ev.Game("nlhe", (5, 10)),
            ev.Chips((5,)),
            ev.Seats((1, 2)),
            ev.Button(1),
            ev.Stacks(stack),
            ev.Hand(),
        )
        hands = {seat: (cards.pop(), cards.pop()) for seat in (1, 2)}
        script.play(*(ev.Deal(seat, hands[seat][at]) for at in (0, 1) for seat in (2, 1)))
        script.play(ev.Action("allin", 1), ev.Action("call", 2), ev.RunAgain(runs))
        boards = []
        for _ in range(runs):
            boards.append([cards.pop() for _ in range(5)])
            for name, street in (("flop", slice(3)), ("turn", slice(3, 4)), ("river", slice(4, 5))):
                script.play(ev.Burn(cards.pop()), ev.Street(name, tuple(boards[-1][street])))  # type: ignore[arg-type]
        script.play(*(ev.Tabled(seat, hands[seat]) for seat in (1, 2)), ev.End())
        least = 2 * stack // (runs * 5) * 5
        won = {1: 0, 2: 0}
        for board in boards:
            ranks = {seat: rank("high", hands[seat], board) or 0 for seat in (1, 2)}
            best = [seat for seat in ranks if ranks[seat] == min(ranks.values())]
            for seat in best:
                won[seat] += least // len(best)
        assert sum(script.table.won(seat) for seat in (1, 2)) == 2 * stack
        # Odd chips of boards and of equal hands, and what is less than a chip.
        assert all(0 <= script.table.won(seat) - won[seat] + 5 * runs <= 15 * runs for seat in (1, 2))


def test_a_board_is_run_as_often_as_the_deck_has_cards_for_and_only_if_there_is_one() -> None:
    def all_in(game: str) -> Script:
        script = Script(
            ev.Game(game, (5, 10)), ev.Seats((1, 2)), ev.Button(1), ev.Stacks(100), ev.Hand(), ev.Dealt()
        )
        while (seat := script.table.to_act) is not None:
            script.play(ev.Action("call" if script.table.to_call(seat) == 90 else "allin", seat))
        return script

    script = all_in("nlhe")
    for runs in (-1, 0, 1, 7, 10):
        assert "cards for 6 runs" in script.play(ev.RunAgain(runs)).ignored
    assert script.play(ev.RunAgain(6)).ignored == ""
    assert "One board is run again" in all_in("nlhe-2b").play(ev.RunAgain(2)).ignored
