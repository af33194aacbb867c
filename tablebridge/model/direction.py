"""What the director of a broadcast orders: hole cards and the whole picture off the air and on again, a seat
in focus, a player's lower third, the board of chip counts.

| order | changes |
| --- | --- |
| `hide-hole-cards`, `show-hole-cards` | `Direction.hole_cards` |
| `hide-all`, `show-all` | `Direction.picture` |
| `focus-seat`, `lower-third` | `Direction.focus`, `Direction.third`: a seat, 0 for none |
| `show-chip-counts`, `hide-chip-counts` | `Direction.counts` |
"""

from typing import Final, Literal, get_args

import msgspec

from tablebridge.model.bounds import Nanoseconds, Seat, Word
from tablebridge.model.event import Event

Order = Literal[
    "hide-hole-cards",
    "show-hole-cards",
    "hide-all",
    "show-all",
    "focus-seat",
    "lower-third",
    "show-chip-counts",
    "hide-chip-counts",
]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
OF_A_SEAT: Final[tuple[Order, ...]] = ("focus-seat", "lower-third")
REVEALING: Final[tuple[Order, ...]] = ("show-hole-cards", "show-all")
"""Orders after which more is to be seen than before."""


class Directed(Event, frozen=True, tag="directed"):
    """The director, who is the entry's `by`, ordered this for the overlay. `seat`: of an order that names
    one, 0 for none.
    """

    order: Order
    seat: Seat = 0


class Direction(msgspec.Struct, frozen=True):
    """What the director's orders so far come to. `hole_cards`, `picture`: whether hole cards, or anything at
    all, may be shown. `focus`, `third`: the seat in focus and that of the lower third, 0 for none. `counts`:
    the board of chip counts is shown. `by`, `at_wall_ns`: who gave the last order, and when.
    """

    hole_cards: bool = True
    picture: bool = True
    focus: Seat = 0
    third: Seat = 0
    counts: bool = False
    by: Word = ""
    at_wall_ns: Nanoseconds = 0


CLOSED: Final = Direction(hole_cards=False)
"""What holds if the orders are not known: no hole card is shown before the director says so."""


def after(direction: Direction, order: Order, seat: int, by: str, at_wall_ns: int) -> Direction:
    """What holds once this order is given."""
    changes: dict[Order, dict[str, bool | int]] = {
        "hide-hole-cards": {"hole_cards": False},
        "show-hole-cards": {"hole_cards": True},
        "hide-all": {"picture": False},
        "show-all": {"picture": True},
        "focus-seat": {"focus": seat},
        "lower-third": {"third": seat},
        "show-chip-counts": {"counts": True},
        "hide-chip-counts": {"counts": False},
    }
    return msgspec.structs.replace(direction, **changes[order], by=by, at_wall_ns=at_wall_ns)
