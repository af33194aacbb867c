"""What people are shown of a table: the same picture for three readers, who may see different faces.

| view | faces | names | lines |
| --- | --- | --- | --- |
| staff | cards that lie open, as they were read or typed there | as at the table | yes |
| public | the same | for the public | no |
| overlay | all that are known, read ones as read; folded hands too, marked by their state | the same | no |
"""

from collections.abc import Mapping
from math import ceil
from typing import TypeVar

import msgspec

from tablebridge.engine import expect
from tablebridge.engine.cards import dealing
from tablebridge.engine.chips.inventory import worth
from tablebridge.engine.floor import clock, levels
from tablebridge.engine.hand import Hand
from tablebridge.engine.on_air import on_air
from tablebridge.engine.setup import Setup, Stakes
from tablebridge.engine.table import Table
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.instant import Instant, later
from tablebridge.model.overlay import OverlayView
from tablebridge.model.presence import SeatRead
from tablebridge.model.views import (
    MOST_BETWEEN,
    MOST_SPECIALS,
    AsideView,
    ClockView,
    FactView,
    LevelView,
    LineView,
    NoticeView,
    Question,
    SeatState,
    SeatView,
    SpecialView,
    StackView,
    TableView,
    TrayView,
)

View = TypeVar("View", bound=TableView)


def _between(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    """The boards that were run between the first and the last."""
    return tuple(tuple(board[:5]) for board in hand.felt.earlier[1:][-MOST_BETWEEN:])


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
        _view(table, at, rev, lines, names, faces=False),
        questions=questions,
        notices=notices,
        facts=facts,
        aside=_aside(table),
    )
    tray = tray_view(table)
    return view if tray is None else msgspec.structs.replace(view, tray=tray)


def _aside(table: Table) -> tuple[AsideView, ...]:
    """Who is away, or waits for cards, by seat."""
    players, absent = table.setup.seating.players, table.setup.absent
    return tuple(
        AsideView(seat, players[seat].state, players[seat].missed, *table.players.owes(seat), seat in absent)
        if seat in players
        else AsideView(seat, "away", absent=True)
        for seat in sorted(players.keys() | absent)
    )


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
        between_boards=() if hand is None else _between(hand),
        pot=table.pot,
        pots=table.pots,
        button=table.button,
        small=None if hand is None else hand.positions.small or None,
        big=None if hand is None else hand.positions.big or None,
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
        substantial=table.substantial_action,
        incomplete=table.incomplete,
        seats=tuple(_seat(table, seat, names, faces=faces) for seat in seats),
        lines=lines,
        clock=_clock(table),
        level=_level(table.setup, at),
        specials=() if hand is None or hand.over else _specials(hand),
    )


def _specials(hand: Hand) -> tuple[SpecialView, ...]:
    """What is special about the hand: what holds for all of it first."""
    bets = hand.blind_bets
    found = [SpecialView("bomb", amount=hand.stakes.ante)] if bets.bomb else []
    if hand.form.boards > 1:
        found.append(SpecialView("two-boards"))
    if bets.kill is not None:
        found.append(SpecialView("half-kill" if hand.house.get("kill") == "half" else "kill", *bets.kill))
    put = [SpecialView("straddle", seat, total) for seat, total in bets.straddles.items()]
    put += [SpecialView("no-look", seat, total) for seat, total in bets.no_looks.items()]
    return (*found, *put[-(MOST_SPECIALS - len(found)) :])


def _clock(table: Table) -> ClockView | None:
    """The clock that runs on a seat."""
    running = None if table.hand is None else clock.running(table.hand)
    if running is None:
        return None
    ends = later(running.since, running.seconds + running.bank)
    return ClockView(running.kind, running.seat, ends.wall_ns, int(running.last), int(running.bank))


def _level(setup: Setup, at: Instant) -> LevelView | None:
    """The level with its clock, a break and hand-for-hand play; None if there is none of them."""
    timer, pause = setup.level_clock, setup.pause
    if timer is None and pause is None and not setup.hand_for_hand:
        return None
    runs = timer is not None and timer.since is not None
    return LevelView(
        stakes=_stakes(setup.stakes),
        timed=timer is not None,
        ends_wall_ns=later(timer.since, timer.left_s).wall_ns if timer and timer.since else 0,
        left_s=ceil(levels.left(setup, at) or 0),
        paused=timer is not None and not runs,
        early=timer is not None and timer.early,
        hand_for_hand=setup.hand_for_hand,
        break_ends_wall_ns=0 if pause is None else later(pause.since, pause.seconds).wall_ns,
        decks_ready=levels.decks_ready(setup),
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
        last="" if table.hand is None else table.hand.round.last_word(seat),
        won=table.won(seat),
        in_doubt=seat in table.doubtful_seats,
        counted=_counted(table, seat),
    )


def _counted(table: Table, seat: int) -> StackView | None:
    """The stack as antennas counted it since the last hand."""
    counted = table.setup.stack_counts.get(seat)
    return None if counted is None else StackView(*counted, differs=seat in table.setup.stack_findings)


def _state(table: Table, seat: int) -> SeatState:
    hand = table.hand
    if hand is None or seat not in hand.felt.cards:
        return "out" if seat in table.setup.seats else "empty"
    if table.won(seat):
        return "won"
    if seat not in hand.live:
        return "folded"
    return "all-in" if hand.chips.stack[seat] == 0 and not hand.over else "in"
