"""What the director of a broadcast orders: what is shown and what is not, and how it looks.

| order | changes |
| --- | --- |
| `hide-hole-cards`, `show-hole-cards` | `Direction.hole_cards` |
| `hide-all`, `show-all` | `Direction.picture` |
| `focus-seat`, `lower-third` | `Direction.focus`, `Direction.third`: a seat, 0 for none |
| `show-chip-counts`, `hide-chip-counts` | `Direction.counts` |
| `show-history`, `hide-history` | `Direction.history` |
| `show-sponsor`, `hide-sponsor` | `Direction.sponsor` |
| `theme` | `Direction.theme`: its name, `own` for that of each overlay's address |
| `layout` | `Direction.layout` |
"""

from typing import Any, Final, Literal, get_args

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
    "show-history",
    "hide-history",
    "show-sponsor",
    "hide-sponsor",
    "theme",
    "layout",
]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
OF_A_SEAT: Final[tuple[Order, ...]] = ("focus-seat", "lower-third")
THEMES: Final = ("night", "day", "arena", "phone")
"""The themes of the overlay, each a style sheet `theme-NAME.css`."""
LAYOUTS: Final = ("left", "right", "board")
"""Where the seats are: at the left, at the right, or nowhere, so that board and pot are alone."""
CHOICES: Final[dict[Order, tuple[str, ...]]] = {"theme": ("own", *THEMES), "layout": LAYOUTS}
"""What can be chosen by the orders that choose."""
REVEALING: Final[tuple[Order, ...]] = ("show-hole-cards", "show-all")
"""Orders after which more is to be seen than before."""


class Directed(Event, frozen=True, tag="directed"):
    """The director, who is the entry's `by`, ordered this for the overlay. `seat`: of an order that names
    one, 0 for none. `choice`: of an order that chooses.
    """

    order: Order
    seat: Seat = 0
    choice: Word = ""


class Direction(msgspec.Struct, frozen=True):
    """What the director's orders so far come to. `hole_cards`, `picture`: whether hole cards, or anything at
    all, may be shown. `focus`, `third`: the seat in focus and that of the lower third, 0 for none. `counts`,
    `history`: the board of chip counts, and the strip with the hand's history, are shown. `sponsor`: so is
    the sponsor's place. `theme`: of all overlays, `own` for each the theme in its address. `layout`: one of
    `LAYOUTS`. `by`, `at_wall_ns`: who gave the last order, and when.
    """

    hole_cards: bool = True
    picture: bool = True
    focus: Seat = 0
    third: Seat = 0
    counts: bool = False
    history: bool = False
    sponsor: bool = True
    theme: Word = "own"
    layout: Word = "left"
    by: Word = ""
    at_wall_ns: Nanoseconds = 0


CLOSED: Final = Direction(hole_cards=False)
"""What holds if the orders are not known: no hole card is shown before the director says so."""


def after(direction: Direction, ordered: Directed, by: str, at_wall_ns: int) -> Direction:
    """What holds once this order is given."""
    changes: dict[Order, dict[str, Any]] = {
        "hide-hole-cards": {"hole_cards": False},
        "show-hole-cards": {"hole_cards": True},
        "hide-all": {"picture": False},
        "show-all": {"picture": True},
        "focus-seat": {"focus": ordered.seat},
        "lower-third": {"third": ordered.seat},
        "show-chip-counts": {"counts": True},
        "hide-chip-counts": {"counts": False},
        "show-history": {"history": True},
        "hide-history": {"history": False},
        "show-sponsor": {"sponsor": True},
        "hide-sponsor": {"sponsor": False},
        "theme": {"theme": ordered.choice},
        "layout": {"layout": ordered.choice},
    }
    return msgspec.structs.replace(direction, **changes[ordered.order], by=by, at_wall_ns=at_wall_ns)
