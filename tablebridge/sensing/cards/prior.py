"""What is likely before anything is read: which fields touch, and where a card goes that has left its place.

No probability here is zero: what the rules of dealing make unlikely takes more reads to believe, and is
believed in the end.
"""

from collections.abc import Mapping
from typing import Final

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, BURN, MUCK, SEATS, STUB, Place, seat_of, seat_place
from tablebridge.sensing.cards.rates import Kind

_STUB_CARD: Final = 1 / 40
"""Any one card of the stub is the next to leave it."""
_NEXT: Final = 0.6
_LATER: Final = 0.002
_EXTRA: Final = 0.001
"""A card goes to the next seat of the deal; to a later one, since cards before it were not read or out of
order; to a seat that has all its cards.
"""
_PAIRS: Final = (
    *((seat_place(seat), seat_place(seat + 1)) for seat in SEATS if seat + 1 in SEATS),
    (STUB, BURN),
    (STUB, MUCK),
    (BURN, BOARD),
    (MUCK, seat_place(1)),
    (STUB, seat_place(9)),
    (STUB, seat_place(10)),
)
NEAR: Final[dict[Place, tuple[Place, ...]]] = {
    place: tuple(pair[1 - pair.index(place)] for pair in _PAIRS if place in pair)
    for place in (*map(seat_place, SEATS), BOARD, BURN, MUCK, STUB)
}
"""The places whose fields touch."""


def kind_of(place: Place) -> Kind:
    """Which sort of place it is, for how its antenna reads."""
    return "seat" if seat_of(place) is not None else place  # type: ignore[return-value]


def due(expect: Expectation, here: Mapping[int, int]) -> list[int]:
    """The seats to which cards are still to come, in the order of the next one. `here`: how many cards are
    known to lie at each seat, told or not.
    """
    seats: list[int] = []
    waiting = {seat: max(0, count - expect.holds.get(seat, 0)) for seat, count in here.items()}
    for seat in expect.next_seats:
        if waiting.get(seat, 0) > 0:
            waiting[seat] -= 1
        elif seat not in seats:
            seats.append(seat)
    return seats


def dealt(expect: Expectation, here: Mapping[int, int], unread: float) -> dict[Place, float]:
    """Where a card of the stub may have gone. `here`: as in `due`. `unread`: a card that came was not read
    yet when the next one is.
    """
    likely: dict[Place, float] = dict.fromkeys(map(seat_place, SEATS), _EXTRA)
    if expect.next_seats:
        seats = due(expect, here)
        for number, seat in enumerate(seats):
            likely[seat_place(seat)] = max(_LATER, _NEXT * unread**number)
        likely |= {
            BOARD: 0.0005,
            BURN: 0.03 if not seats else 0.03 * unread ** (1 + len(seats)),
            MUCK: 0.0003,
        }
    else:
        likely |= {
            MUCK: 0.0005,
            BURN: 0.03 if expect.burn_due else 0.001,
            BOARD: max(0.001, 0.1 * unread) if expect.burn_due else 0.5 if expect.board_due else 0.001,
        }
    return {place: share * _STUB_CARD for place, share in likely.items()}


def goes(origin: Place, to: Place, dealing: bool) -> float:
    """A card that was taken up at `origin` comes to lie at `to`."""
    if origin == MUCK:
        return 0.001 if to != STUB else 1e-6
    if origin in (BOARD, BURN):
        return 0.05 if to == MUCK else 1e-4 if to == STUB else 1e-5
    if to == MUCK:
        return 0.02 if dealing else 0.45
    return 0.0005 if dealing else 3e-7 if to == STUB else 3e-6
