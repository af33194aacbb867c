"""How things of the table are written on pages: pure functions, which the templates call by their names."""

import math
from typing import Final, NamedTuple

from tablebridge.engine.games import FORMS
from tablebridge.model.alerts import Alert, AlertState
from tablebridge.model.cards import Card, face, is_known, spoken
from tablebridge.model.findings import Severity
from tablebridge.model.floor_steps import floor_steps
from tablebridge.model.views import LineView, SeatView, TableView
from tablebridge.web.console_flags import disagrees, flags_of

_BOOKS: Final = {
    "tda-2024": "TDA 2024",
    "tda-2022": "TDA 2022",
    "tda-2017": "TDA 2017",
    "fspr": "FSPR",
    "raise-club": "Raise club",
}
_STREETS: Final = {
    "preflop": "Pre-flop",
    "over": "Hand over",
    "void": "Misdeal",
    "draw1": "After the draw",
    "draw2": "After the second draw",
    "draw3": "After the third draw",
    "": "No hand",
}
SHAPES: Final[dict[Severity, str]] = {"critical": "◆", "warning": "▲", "notice": "●", "info": "○"}
STATES: Final[dict[AlertState, str]] = {
    "raised": "raised",
    "acknowledged": "seen",
    "taken": "on the way",
    "ruled": "ruled",
    "closed": "closed",
}
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


def heading(finding: str) -> str:
    """The name of a finding as a heading: `card-out-of-place` -> Card out of place."""
    return finding.replace("-", " ").capitalize()


def table_title(name: str) -> str:
    """A table as people call it: `main` -> Table main, `table-1` -> Table 1."""
    return name.replace("-", " ").capitalize() if name.startswith("table") else f"Table {name}"


def rule(rulebook: str, number: str | None) -> str:
    """Where the rule is written: TDA 2022 rule 35-A(2). Empty if no rule is named."""
    if not number:
        return ""
    return f"{_BOOKS.get(rulebook, rulebook)} rule {number}".strip()


def street(name: str) -> str:
    """The name of a street: `preflop` -> Pre-flop."""
    return _STREETS.get(name, name.capitalize())


def game(view: TableView) -> str:
    """The game with its stakes: No-limit hold'em 100/200."""
    low, high = view.stakes
    form = FORMS.get(view.game)
    title = view.game if form is None else form.title[:1].upper() + form.title[1:]
    return " ".join(part for part in (title, f"{chips(low)}/{chips(high)}" if high else "") if part)


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


def card_name(card: Card) -> str:
    """The card as it is spoken: queen of hearts."""
    return spoken(card)


def is_own(line: LineView, person: str) -> bool:
    """Whether this person wrote the line. `line.by` is the person, perhaps followed by the role."""
    rest = line.by[len(person) :]
    return line.basis == "operator" and line.by.startswith(person) and not rest[:1].isalnum()


def person_of(by: str) -> str:
    """The person without the role: `Boris (operator)` -> Boris."""
    return by.partition(" (")[0] or "the table"


def side_pots(view: TableView) -> tuple[int, ...]:
    """The pots, main pot first, if there is more than one for the rest of the hand: once somebody is all-in.
    Empty otherwise.
    """
    return view.pots if len(view.pots) > 1 and any(seat.state == "all-in" for seat in view.seats) else ()


def last_action(seat: SeatView) -> str:
    """What a seat did last and how many cards it holds: bet 400 · 2 cards. A folded hand holds none, wherever
    its cards are.
    """
    last = seat.last or ("" if seat.state in ("in", "empty") else seat.state)
    cards = f"{seat.cards} card{'s' * (seat.cards != 1)}" if seat.cards and seat.state != "folded" else ""
    return " · ".join(part for part in (last, cards) if part)


def cards_read(seat: SeatView) -> str:
    """What the antennas in front of a seat read: 2 cards read; 1 card read, 1 lifted."""
    read, lifted = seat.read.lying, seat.read.lifted
    parts = [f"{read} card{'s' * (read != 1)} read"] if read or not lifted else []
    return ", ".join([*parts, *([f"{lifted} lifted"] if lifted else [])])


def last_change(alert: Alert) -> tuple[str, int]:
    """Who brought the alert into its present state, and when (nanoseconds since 1970)."""
    for step in reversed(alert.life):
        if step.state == alert.state:
            return step.by, step.at.wall_ns
    return "", alert.raised_at.wall_ns


def seat_spot(seat: int, seats: int) -> Spot:
    """Where a seat is drawn. Seat 1 sits at the dealer's left and the dealer is drawn at the bottom, so the
    seats run clockwise from the lower left.
    """
    turn = math.radians(90 + 360 * (seat + 0.15) / (seats + 1.3))
    x, y = math.cos(turn), math.sin(turn)
    return Spot(round(500 + 400 * x), round(268 + 205 * y), round(500 + 252 * x), round(268 + 112 * y))


FUNCTIONS: Final = (
    chips,
    heading,
    table_title,
    side_pots,
    rule,
    floor_steps,
    street,
    game,
    rank,
    suit,
    suit_sign,
    card_name,
    is_own,
    person_of,
    last_change,
    last_action,
    cards_read,
    seat_spot,
    flags_of,
    disagrees,
)
"""What the templates may call."""
