"""What the dealer's page shows of a table: pure functions of what is known of it. No face of a card that lies
down is among it: of seats it has numbers of cards.
"""

import math
from typing import Final, Literal, NamedTuple

from tablebridge.model.alerts import Alert
from tablebridge.model.cards import Card
from tablebridge.model.places import seat_place
from tablebridge.model.views import FactView, NoticeView, SeatView
from tablebridge.web.auth import Token
from tablebridge.web.status import TableStatus

MarkKind = Literal["none", "folded", "doubt", "cards"]
_COMPLETE: Final = {"flop": (3,), "turn": (4,), "river": (5,)}
"""How many cards lie on the board when a street is complete; after the last street any of these."""
_AFTER_THE_DEAL: Final = ("betting", "street", "draw")


class Spot(NamedTuple):
    """Where a seat is drawn, in units of a picture of 1000 x 900."""

    x: int
    y: int


class Mark(NamedTuple):
    """A seat of the ring. `cards`: those that are read there, or that the record has where nothing reads;
    `unread`: those that should be read there and are not. `acts`: the seat is to act, or to get the next
    card.
    """

    seat: int
    kind: MarkKind
    cards: int
    unread: int
    acts: bool
    at: Spot


class Caller(NamedTuple):
    """A floor person who has a PIN: the id of the token, and the name."""

    id: str
    name: str


class DealerPicture(NamedTuple):
    """The page at one moment. `blind`: sensing is lost; `call`: the alert of the call that stands; `settled`:
    of the one that was closed last; `awaited`: the alert for which the table is stopped; `persons`: who may
    settle a call here with a PIN; `shows_board`: whether this tablet shows the board;
    `more`: how many notices stand beside these.
    """

    status: TableStatus
    blind: bool
    notices: tuple[NoticeView, ...]
    marks: tuple[Mark, ...]
    board: tuple[Card, ...]
    facts: tuple[FactView, ...]
    call: Alert | None
    settled: Alert | None
    awaited: Alert | None
    persons: tuple[Caller, ...]
    shows_board: bool
    more: int


def picture(status: TableStatus, persons: list[Token], *, shows_board: bool) -> DealerPicture:
    """What is shown of this table."""
    view = status.view
    questions = () if view is None else view.questions
    return DealerPicture(
        status,
        status.blind,
        () if view is None else view.notices,
        marks(status),
        board_of(status) if shows_board else (),
        () if view is None else view.facts,
        _called(status.open_alerts),
        _called(status.closed),
        next((status.alerts[asked.finding] for asked in questions if asked.finding in status.alerts), None),
        tuple(Caller(token.id, token.name) for token in persons),
        shows_board,
        0 if view is None else view.more_notices,
    )


def _called(alerts: list[Alert]) -> Alert | None:
    return next((alert for alert in alerts if alert.finding == "floor-called"), None)


def marks(status: TableStatus) -> tuple[Mark, ...]:
    """The seats of the table, in order."""
    view = status.view
    if view is None:
        return ()
    next_seat = view.due[0] if view.due else view.to_act
    dealt = view.stage in _AFTER_THE_DEAL and not status.blind
    most = max((seat.seat for seat in view.seats), default=9)
    return tuple(
        Mark(
            seat.seat,
            *_read(seat, antenna=status.reads_at(seat_place(seat.seat)), dealt=dealt),
            seat.seat == next_seat,
            _spot(seat.seat, most),
        )
        for seat in view.seats
    )


def _read(seat: SeatView, *, antenna: bool, dealt: bool) -> tuple[MarkKind, int, int]:
    """What is shown of a seat: how, the cards that are there, and those that are not read."""
    if seat.state in ("empty", "out"):
        return "none", 0, 0
    if seat.state == "folded":
        return "folded", 0, 0
    read = seat.read.lying + seat.read.lifted
    cards = min(read, seat.cards) if antenna else seat.cards
    unread = max(0, seat.cards - read) if antenna and dealt and seat.state != "won" else 0
    return "doubt" if seat.in_doubt else "cards", cards, unread


def _spot(seat: int, seats: int) -> Spot:
    """Where a seat is drawn: as at the table, the dealer at the bottom and seat 1 at the dealer's left."""
    turn = math.radians(90 + 360 * (seat + 0.15) / (seats + 1.3))
    return Spot(round(500 + 398 * math.cos(turn)), round(452 + 380 * math.sin(turn)))


def board_of(status: TableStatus) -> tuple[Card, ...]:
    """The board, once its last street is complete; nothing while too few or too many cards lie there."""
    view = status.view
    if view is None or len(view.board) not in _COMPLETE.get(view.street, (3, 4, 5)):
        return ()
    return view.board
