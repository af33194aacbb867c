"""What is likely before anything is read: how antennas answer, and where a card goes that has left its place.

All figures are for one visit of one antenna. They are assumptions in the middle of what builders of tables report; a filter
that counts evidence is not sensitive to them. No probability here is zero: what the rules of dealing make unlikely takes more
reads to believe, and is believed in the end.
"""

from typing import Final

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_of, seat_place

OVER_READ: Final = 0.45
"""A card in flight above an antenna is read."""
OVER_STAYS: Final = 0.3
"""A card in flight that was above an antenna is still there at its next visit."""
AIR_READ: Final = 0.001
NEAR_READ: Final = 0.02
LIFTED_READ: Final = 0.03
"""A card that was taken up is read: far from the place where it lay, next to it, above it."""
LANDS: Final = 0.5
"""A card in the air has landed by the next visit of where it goes."""
TWO_ANTENNAS_MISS: Final = 0.6
"""A card is missed by one antenna of a place that has several."""
CROSS_NEAR: Final = 0.004
CROSS_FAR: Final = 0.0003
CROSS_EDGE: Final = 0.2
"""A card is read by the antenna of another place: of the next one, of one farther off, of one that it lies at the edge of."""

_MISS: Final = {BOARD: 0.12, MUCK: 0.35, STUB: 0.7}
_SEAT_MISS: Final = 0.15
_LEAVES: Final = {BOARD: 0.003, BURN: 0.003, MUCK: 0.001}
_LEAVES_ELSE: Final = 0.01
_NEAR: Final = {STUB: (BURN, MUCK), MUCK: (STUB, seat_place(1)), BURN: (STUB, BOARD), BOARD: (BURN,)}


def miss(place: Place) -> float:
    """A card that lies there does not answer."""
    return _MISS.get(place, _SEAT_MISS)


def leaves(place: Place) -> float:
    """A card that lies there is taken up between two visits."""
    return _LEAVES.get(place, _LEAVES_ELSE)


def passes(place: Place) -> float:
    """A card in the air is above the antenna of a place that it does not go to."""
    return 0.005 if place == MUCK else 0.05


def crosses(lies: Place, read_at: Place) -> float:
    """A card that lies at one place is read at another in one visit."""
    return CROSS_NEAR if _near(lies, read_at) else CROSS_FAR


def reads_air(origin: Place, read_at: Place) -> float:
    """A card that was taken up at `origin` is read at a place to which it does not go."""
    return LIFTED_READ if origin == read_at else NEAR_READ if _near(origin, read_at) else AIR_READ


def _near(lies: Place, read_at: Place) -> bool:
    """Whether the fields of two places touch. The stub as a whole lies well inside its own."""
    seat, other = seat_of(lies), seat_of(read_at)
    if seat is not None and other is not None:
        return abs(seat - other) == 1
    return lies != STUB and (read_at in _NEAR.get(lies, ()) or lies in _NEAR.get(read_at, ()))


def goes(origin: Place, to: Place, expect: Expectation) -> float:
    """A card that was taken up at `origin` comes to lie at `to`."""
    if origin == STUB:
        return _dealt(to, expect)
    if origin == MUCK:
        return 0.98 if to == MUCK else 0.001
    if origin in (BOARD, BURN):
        return 0.9 if to == origin else 0.05 if to == MUCK else 0.002
    if to == origin:
        return 0.5
    if to == MUCK:
        return 0.02 if expect.next_seats else 0.45
    return 0.01 if to == STUB else 0.002


def _dealt(to: Place, expect: Expectation) -> float:
    """A card off the deck goes to `to`."""
    due = expect.next_seats
    seat = seat_of(to)
    if seat is not None:
        if not due:
            return 0.003
        if seat == due[0]:
            return 0.8
        return 0.08 if seat in due[1:3] else 0.02 if seat in due else 0.005
    if to == STUB:
        return 0.1
    if to == MUCK:
        return 0.01
    if due:
        return 0.005
    if to == BURN:
        return 0.6 if expect.burn_due else 0.1
    return 0.05 if expect.burn_due else 0.8 if expect.board_due else 0.3
