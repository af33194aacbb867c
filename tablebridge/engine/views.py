"""What people are shown of a table: the same picture for three readers, who may see different faces.

| view | faces | names | lines |
| --- | --- | --- | --- |
| staff | cards that lie open, as they were read or typed there | as at the table | yes |
| public | the same | for the public | no |
| overlay | all that are known, read ones as read; folded hands too, marked by their state | the same | no |
"""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from tablebridge.engine import expect
from tablebridge.engine.cards import dealing
from tablebridge.engine.chips.inventory import worth
from tablebridge.engine.on_air import on_air
from tablebridge.engine.setup import Stakes
from tablebridge.engine.table import Table
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.instant import Instant
from tablebridge.model.overlay import OverlayView
from tablebridge.model.presence import SeatRead
from tablebridge.model.views import (
    FactView,
    LineView,
    NoticeView,
    Question,
    SeatState,
    SeatView,
    TableView,
    TrayView,
)

View = TypeVar("View", bound=TableView)


def staff_view(
    table: Table,
    at: Instant,
    rev: int = 0,
    lines: tuple[LineView, ...] = (),
    questions: tuple[Question, ...] = (),
    notices: tuple[NoticeView, ...] = (),
    facts: tuple[FactView, ...] = (),
) -> TableView:
    """For dealer and floor: no hidden face, with the lines of the hand, the questions to the floor, and what
    the dealer is to know and may take back.
    """
    names = table.setup.names
    view = msgspec.structs.replace(
        _view(table, at, rev, lines, names, faces=False), questions=questions, notices=notices, facts=facts
    )
    tray = tray_view(table)
    return view if tray is None else msgspec.structs.replace(view, tray=tray)


def tray_view(table: Table) -> TrayView | None:
    """What the chip tray holds, once it was read."""
    account = table.setup.tray
    if account is None:
        return None
    return TrayView(dict(sorted(account.held.items())), worth(account.held), account.variance)


def public_view(table: Table, at: Instant, rev: int = 0, lines: tuple[LineView, ...] = ()) -> TableView:
    """For anybody: no hidden face, no lines whatever was given."""
    return _view(table, at, rev, (), table.setup.public_names, faces=False)


def overlay_view(table: Table, at: Instant, rev: int = 0, *, hole_cards: bool = True) -> OverlayView:
    """For the broadcast, after its delay. `hole_cards`: also those that lie face down."""
    return on_air(table, _view(table, at, rev, (), table.setup.public_names, faces=hole_cards))


def with_reads(view: View, reads: Mapping[int, SeatRead]) -> View:
    """The same view with what antennas see before the seats, which no record has."""
    if not reads:
        return view
    return msgspec.structs.replace(
        view,
        seats=tuple(
            msgspec.structs.replace(seat, read=reads[seat.seat]) if seat.seat in reads else seat
            for seat in view.seats
        ),
    )


def _view(
    table: Table,
    at: Instant,
    rev: int,
    lines: tuple[LineView, ...],
    names: Mapping[int, str],
    *,
    faces: bool,
) -> TableView:
    setup, hand, to_act = table.setup, table.hand, table.acting
    stakes = setup.stakes if hand is None or hand.over else hand.stakes
    seats = sorted({*setup.seats, *(() if hand is None else hand.order)})
    return TableView(
        table=table.name,
        rev=rev,
        at_wall_ns=at.wall_ns,
        hand=table.hand_number,
        game=setup.form.name,
        rulebook=setup.book.name,
        stakes=_stakes(stakes),
        street=table.street,
        board=table.board,
        first_board=table.first_board,
        pot=table.pot,
        pots=table.pots,
        button=table.button,
        to_act=to_act,
        to_call=0 if to_act is None else table.to_call(to_act),
        min_raise=None if to_act is None else table.min_raise(to_act),
        max_raise=None if to_act is None else table.max_raise(to_act),
        may=() if to_act is None else tuple(sorted(table.may(to_act))),
        expects=expect.sentence(hand),
        turn=table.turn,
        dealing=table.to_act is not None and to_act is None,
        stage=expect.stage(setup, hand),
        due=() if hand is None or hand.over else dealing.due(hand),
        in_doubt=table.in_doubt,
        doubted=table.doubted,
        incomplete=table.incomplete,
        seats=tuple(_seat(table, seat, names, faces=faces) for seat in seats),
        lines=lines,
    )


def _stakes(stakes: Stakes) -> tuple[int, int]:
    """The blinds, or the bets in a game without blinds."""
    return (stakes.small, stakes.big) if stakes.big else (stakes.small_bet, stakes.big_bet)


def _seat(table: Table, seat: int, names: Mapping[int, str], *, faces: bool) -> SeatView:
    cards = table.cards_of(seat)
    shown = tuple(card for card in (cards if faces else table.open_of(seat)) if card != UNKNOWN)
    return SeatView(
        seat=seat,
        name=names.get(seat, ""),
        state=_state(table, seat),
        stack=table.stack(seat),
        bet=table.bet(seat),
        cards=len(cards),
        faces=shown,
        last="" if table.hand is None else table.hand.round.last.get(seat, ""),
        won=table.won(seat),
        in_doubt=seat in table.doubtful_seats,
    )


def _state(table: Table, seat: int) -> SeatState:
    hand = table.hand
    if hand is None or seat not in hand.felt.cards:
        return "out" if seat in table.setup.seats else "empty"
    if table.won(seat):
        return "won"
    if seat not in hand.live:
        return "folded"
    return "all-in" if hand.chips.stack[seat] == 0 and not hand.over else "in"
