"""Events that set the table up: what the next hand begins with. They never change the hand under way, but for
a button that is put right and a player who arrives in time.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from tablebridge.engine.games import FORMS, variant
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model import events as ev
from tablebridge.model.blind_events import Bomb
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
    try:
        form = variant.parse(event.text, FORMS) if event.text else FORMS.get(event.game)
    except ValueError as error:
        notes.ignored = f"The game {event.game} cannot be played: {error}."
        return
    if form is None:
        notes.ignored = f"The engine does not follow the game {event.game}."
        return
    setup.form = form
    setup.stakes = setup.staked(event.stakes, event.blinds)


def seats(setup: Setup, notes: Notes, event: ev.Seats) -> None:
    """The seats that are taken. Whoever takes one that was free has played no hand here."""
    before = setup.seats
    setup.seats = tuple(sorted(_SEATS.intersection(event.seats)))
    setup.seating = setup.seating.of_seats(frozenset(setup.seats))
    if setup.time_banks:
        setup.time_banks = {seat: left for seat, left in setup.time_banks.items() if seat in setup.seats}
    if setup.hands_dealt:
        stayed = set(before).intersection(setup.seats)
        setup.hands_dealt = {seat: hands for seat, hands in setup.hands_dealt.items() if seat in stayed}


def stacks(setup: Setup, notes: Notes, event: ev.Stacks) -> None:
    """The chips of seats, or of everyone."""
    if event.everyone is not None:
        setup.everyone = max(event.everyone, 0)
        setup.stacks.clear()
    setup.stacks.update(
        {seat: amount if amount > 0 else 0 for seat, amount in event.by_seat.items() if seat in _SEATS}
    )


def bomb(setup: Setup, notes: Notes, event: Bomb) -> None:
    """The next hand is a bomb pot."""
    if not (setup.form.button and setup.form.board) or event.amount <= 0:
        notes.ignored = "A bomb pot wants an ante, and a game with a button and a board."
    elif setup.house.get("betting") == "untold":
        notes.ignored = "Nobody enters the betting of this table: there are no bomb pots."
    else:
        setup.bomb = event.amount, event.boards


def deck(setup: Setup, notes: Notes, event: ev.Deck) -> None:
    """The deck, if it is another than the game's own."""
    try:
        deck_of(event.deck)
    except ValueError as error:
        notes.ignored = f"{error}."
        return
    if event.deck != setup.deck_named:
        setup.cycle = replace(setup.cycle, wash="due" if setup.cycle.wash == "due" else "allowed")
    setup.deck_named = event.deck


def house(setup: Setup, notes: Notes, event: ev.House) -> None:
    """A choice of the house."""
    setup.house[event.key] = event.value


def names(setup: Setup, notes: Notes, event: ev.Names) -> None:
    """What to call the players, at the table and in public. Another name is another player."""
    before = setup.names
    setup.hands_dealt = {
        seat: hands
        for seat, hands in setup.hands_dealt.items()
        if before.get(seat) in (None, event.by_seat.get(seat))
    }
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
