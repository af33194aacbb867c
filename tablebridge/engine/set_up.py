"""Events that set the table up: what the next hand begins with. They never change the hand under way, but for
a button that is put right and a player who arrives in time.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from tablebridge.engine.games import FORMS
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model import events as ev
from tablebridge.model.cards import deck_of
from tablebridge.model.places import SEATS
from tablebridge.rulebooks import load, parse

_SEATS: Final = frozenset(SEATS)


def rules(setup: Setup, notes: Notes, event: ev.Rules) -> None:
    """The rulebook, by name or as a house's own text."""
    try:
        setup.book = parse(event.text, event.rulebook) if event.text else load(event.rulebook)
    except ValueError as error:
        notes.ignored = f"{error}."


def game(setup: Setup, notes: Notes, event: ev.Game) -> None:
    """The game and its stakes."""
    form = FORMS.get(event.game)
    if form is None:
        notes.ignored = f"The engine does not follow the game {event.game}."
        return
    setup.form = form
    _stakes(setup, event.stakes, event.blinds)


def _stakes(setup: Setup, stakes: tuple[int, int], blinds: tuple[int, int] | None) -> None:
    """In limit games the stakes are the bets, and the blinds half the small bet and the small bet unless
    given. Stud has none; if only the button posts a blind it is the second number.
    """
    first, second = max(stakes[0], 0), max(stakes[1], 0)
    form = setup.form
    small, big = blinds or ((first // 2, first) if form.limit == "limit" else stakes)
    if form.forced != "blinds":
        small, big = 0, big if form.button else 0
    setup.stakes = replace(
        setup.stakes, small=max(small, 0), big=max(big, 0), small_bet=first, big_bet=second
    )


def seats(setup: Setup, notes: Notes, event: ev.Seats) -> None:
    """The seats that are taken."""
    setup.seats = tuple(sorted(_SEATS.intersection(event.seats)))


def stacks(setup: Setup, notes: Notes, event: ev.Stacks) -> None:
    """The chips of seats, or of everyone."""
    if event.everyone is not None:
        setup.everyone = max(event.everyone, 0)
        setup.stacks.clear()
    setup.stacks.update(
        {seat: amount if amount > 0 else 0 for seat, amount in event.by_seat.items() if seat in _SEATS}
    )


def level(setup: Setup, notes: Notes, event: ev.Level) -> None:
    """A new level of blinds. After the push it is of the hand after the next by some books (23)."""
    before = setup.stakes
    _stakes(setup, event.stakes, None)
    if setup.pushed and setup.book.push_begins_hand:
        setup.stakes, setup.next_stakes = before, setup.stakes


def deck(setup: Setup, notes: Notes, event: ev.Deck) -> None:
    """The deck, if it is another than the game's own."""
    try:
        deck_of(event.deck)
    except ValueError as error:
        notes.ignored = f"{error}."
        return
    setup.deck_named = event.deck


def house(setup: Setup, notes: Notes, event: ev.House) -> None:
    """A choice of the house."""
    setup.house[event.key] = event.value


def names(setup: Setup, notes: Notes, event: ev.Names) -> None:
    """What to call the players, at the table and in public."""
    setup.names = dict(event.by_seat)
    setup.public_names = setup.names | {
        seat: called for seat, called in event.public.items() if seat in setup.names
    }


def assign(field: str, value: Callable[[Any], Any]) -> Callable[[Setup, Notes, Any], None]:
    """A handler that keeps a value of the event in a field of the setup."""

    def handler(setup: Setup, notes: Notes, event: Any) -> None:
        setattr(setup, field, value(event))

    return handler


def stake(field: str) -> Callable[[Setup, Notes, Any], None]:
    """A handler that keeps the amount of the event as one of the stakes."""

    def handler(setup: Setup, notes: Notes, event: Any) -> None:
        amount = max(event.amount, 0)
        if amount != getattr(setup.stakes, field):
            setup.stakes = replace(setup.stakes, **{field: amount})

    return handler
