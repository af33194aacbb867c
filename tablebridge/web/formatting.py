"""How things of the table are written on pages in every language: pure functions, which the templates call by
their names. What differs between languages: `wording`.
"""

import math
from typing import Final, NamedTuple

from tablebridge.model.alerts import Alert, Step
from tablebridge.model.cards import Card, face, is_known
from tablebridge.model.findings import Severity
from tablebridge.model.views import LineView, TableView
from tablebridge.web.console_flags import disagrees, flags_of
from tablebridge.web.floor_acts import act, is_asked

SHAPES: Final[dict[Severity, str]] = {"critical": "◆", "warning": "▲", "notice": "●", "info": "○"}
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Spot(NamedTuple):
    """Where a seat is drawn, in units of a picture of 1000 x 530: the seat itself, and its bet towards the
    middle.
    """

    x: int
    y: int
    bet_x: int
    bet_y: int


def chips(amount: int | None) -> str:
    """An amount with its thousands separated by a narrow space: 12 500; empty for None."""
    return "" if amount is None else f"{amount:,}".replace(",", "\u202f")


def span(seconds: float) -> str:
    """A time as minutes and seconds, or hours and minutes: 0:07, 12:30, 1:05 h."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600}:{whole // 60 % 60:02d} h"
    return f"{whole // 60}:{whole % 60:02d}"


def table_number(name: str) -> str:
    """A table as it is called over the room, in as few signs as possible: `table-9` -> 9, `main` -> main."""
    return name.removeprefix("table-") or name


def rank(card: Card) -> str:
    """The index of a card: 10 for T; ? for a card that is not known."""
    plain = face(card)
    return {"T": "10"}.get(plain[0], plain[0]) if is_known(card) else "?"


def suit(card: Card) -> str:
    """The suit as a letter, empty for a card that is not known."""
    return face(card)[1] if is_known(card) else ""


def suit_sign(card: Card) -> str:
    """The suit as a sign, empty for a card that is not known."""
    return _SUITS.get(suit(card), "")


def is_own(line: LineView, person: str) -> bool:
    """Whether this person wrote the line. `line.by` is the person, perhaps followed by the role."""
    rest = line.by[len(person) :]
    return line.basis == "operator" and line.by.startswith(person) and not rest[:1].isalnum()


def side_pots(view: TableView) -> tuple[int, ...]:
    """The pots, main pot first, if there is more than one for the rest of the hand: once somebody is all-in.
    Empty otherwise.
    """
    return view.pots if len(view.pots) > 1 and any(seat.state == "all-in" for seat in view.seats) else ()


def last_change(alert: Alert) -> tuple[str, int]:
    """Who brought the alert into its present state, and when (nanoseconds since 1970)."""
    for step in reversed(alert.life):
        if step.state == alert.state:
            return step.by, step.at.wall_ns
    return "", alert.raised_at.wall_ns


def heard_of(alert: Alert) -> tuple[Step, ...]:
    """The steps of an alert's life at which somebody did or said something."""
    return tuple(step for step in alert.life if step.by or step.note)


def seat_spot(seat: int, seats: int) -> Spot:
    """Where a seat is drawn. Seat 1 sits at the dealer's left and the dealer is drawn at the bottom, so the
    seats run clockwise from the lower left.
    """
    turn = math.radians(90 + 360 * (seat + 0.15) / (seats + 1.3))
    x, y = math.cos(turn), math.sin(turn)
    return Spot(round(500 + 400 * x), round(268 + 205 * y), round(500 + 252 * x), round(268 + 112 * y))


FUNCTIONS: Final = (
    chips,
    span,
    table_number,
    act,
    is_asked,
    heard_of,
    side_pots,
    rank,
    suit,
    suit_sign,
    is_own,
    last_change,
    seat_spot,
    flags_of,
    disagrees,
)
"""What the templates may call."""
