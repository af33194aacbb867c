"""Places of a table, at which antennas read cards and chips."""

from functools import lru_cache
from typing import Final, NewType

Place = NewType("Place", str)

BOARD: Final = Place("board")
MUCK: Final = Place("muck")
BURN: Final = Place("burn")
STUB: Final = Place("stub")
TRAY: Final = Place("tray")
POT: Final = Place("pot")
FLOOR: Final = Place("floor")
SEATS: Final = range(1, 11)
_SINGLE: Final = frozenset({BOARD, MUCK, BURN, STUB, TRAY, POT, FLOOR})


@lru_cache(maxsize=64)
def seat_place(seat: int) -> Place:
    """The place in front of a seat for its cards."""
    return Place(f"seat {seat}")


def bet_place(seat: int) -> Place:
    """The bet spot of a seat."""
    return Place(f"bet {seat}")


def stack_place(seat: int) -> Place:
    """The place of a seat for its stack."""
    return Place(f"stack {seat}")


def up_place(seat: int) -> Place:
    """The place in front of a seat for its up cards, if they have an antenna of their own."""
    return Place(f"up {seat}")


def parse_place(text: str) -> Place:
    """The place that `text` names: `seat 3`, `up 3`, `bet 3`, `stack 3`, `board`, `muck`, `burn`, `stub`,
    `tray`, `pot`, `floor`.

    Raises ValueError if there is no such place.
    """
    kind, _, number = text.partition(" ")
    if (
        kind in ("seat", "up", "bet", "stack")
        and number.isascii()
        and number.isdigit()
        and int(number) in SEATS
    ) or text in _SINGLE:
        return Place(text)
    raise ValueError(
        f"no place is called {text!r}; places are seat 1 to seat 10, up 1 to up 10, bet 1 to "
        f"bet 10, stack 1 to stack 10, {', '.join(sorted(_SINGLE))}"
    )


@lru_cache(maxsize=64)
def seat_of(place: Place) -> int | None:
    """The seat of a place `seat N` or `up N`, else None."""
    kind, _, number = place.partition(" ")
    return int(number) if kind in ("seat", "up") else None


def card_place(place: Place) -> Place:
    """The place at which cards lie that an antenna of `place` reads: `seat N` of `up N`."""
    return seat_place(int(place[3:])) if place.startswith("up ") else place


def bet_seat_of(place: Place) -> int | None:
    """The seat of a place `bet N`, else None."""
    return int(place[4:]) if place.startswith("bet ") else None


def stack_seat_of(place: Place) -> int | None:
    """The seat of a place `stack N`, else None."""
    return int(place[6:]) if place.startswith("stack ") else None


def is_for_chips(place: Place) -> bool:
    """Whether chips are read there: a bet spot, a stack, the pot, the tray."""
    return place in (TRAY, POT) or place.startswith(("bet ", "stack "))
