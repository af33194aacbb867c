"""What the reports of a table mean for the room: the events that make the room agree with it.

A report says who sits where with which stack, and where button and blinds stood. A player who sits at another
table of the room than before has moved; one whom two tables report sits twice, which is a clash: it changes
nothing until one of them reports otherwise. Who had chips when the hand began and has none when it is over is
out. Seats without a name are taken as they are.
"""

from collections.abc import Iterator, Mapping

import msgspec

from tablebridge.model.bounds import Amount, Count, Seat, Word
from tablebridge.room import events as ev
from tablebridge.room.room import Room


class Sitting(msgspec.Struct, frozen=True):
    """A player at a table."""

    name: Word
    stack: Amount


class Report(msgspec.Struct, frozen=True):
    """A table as it reports itself. `over`: its hand is over, or none has begun. `button`, `small`, `big`:
    of its hand, None if nobody is there.
    """

    table: Word
    hand: Count
    over: bool
    seats: dict[Seat, Sitting]
    button: Seat | None = None
    small: Seat | None = None
    big: Seat | None = None


def meaning(room: Room, report: Report, others: Mapping[str, Report]) -> Iterator[ev.Event]:
    """The events of a report, in order. `others`: the last report of each other table. Each is to be applied
    before the next is asked for.
    """
    if report.table not in room.tables.tables:
        yield ev.Seated(report.table, ())
    known = room.tables.tables[report.table]
    yield from _out(room, report)
    for seat, sitting in sorted(report.seats.items()):
        player = known.players.get(seat)
        if player is None and sitting.stack:
            yield from _sits_down(room, report.table, seat, sitting, others)
        elif player is not None and not player.name and sitting.name not in ("", *room.tables.named):
            yield ev.Called(report.table, seat, sitting.name)
    if (report.button, report.small, report.big) != (known.button, known.small, known.big) and report.big:
        yield ev.Positions(report.table, report.button, report.small, report.big)
    if report.over:
        stacks = {
            seat: sitting.stack
            for seat, sitting in sorted(report.seats.items())
            if (player := known.players.get(seat)) is not None and player.stack != sitting.stack
        }
        if stacks:
            yield ev.Chips(report.table, stacks)


def clashes(room: Room, reports: Mapping[str, Report]) -> list[str]:
    """What the tables report that cannot be: a name at two of them, another name than the room knows."""
    found: list[str] = []
    at: dict[str, tuple[str, int]] = {}
    for report in reports.values():
        for seat, sitting in sorted(report.seats.items()):
            if sitting.name and sitting.name in at:
                other, place = at[sitting.name]
                found.append(
                    f"{sitting.name} is reported at seat {place} of {other} and at seat {seat} of "
                    f"{report.table}: correct the names of one of them."
                )
            at[sitting.name] = report.table, seat
            table = room.tables.tables.get(report.table)
            player = None if table is None else table.players.get(seat)
            if player is not None and player.name and sitting.name not in ("", player.name):
                found.append(
                    f"Seat {seat} of {report.table} is {player.name}'s; the table calls the player "
                    f"{sitting.name}."
                )
    return found


def _out(room: Room, report: Report) -> Iterator[ev.Event]:
    """Those who lost their last chips in the hand that is over."""
    if not report.over:
        return
    players = room.tables.tables[report.table].players
    broke: dict[int, int | None] = {
        seat: players[seat].stack
        for seat, sitting in sorted(report.seats.items())
        if seat in players and not sitting.stack and (players[seat].stack or 0) > 0
    }
    if broke:
        yield ev.Busts(report.table, broke)


def _sits_down(
    room: Room, table: str, seat: int, sitting: Sitting, others: Mapping[str, Report]
) -> Iterator[ev.Event]:
    before = room.tables.named.get(sitting.name) if sitting.name else None
    if before is None:
        yield ev.Sits(table, seat, sitting.name, sitting.stack)
        return
    from_table, from_seat = before
    report = others.get(from_table)
    there = None if report is None else report.seats.get(from_seat)
    if from_table == table or there is None or there.name != sitting.name:
        yield ev.Moves(from_table, from_seat, table, seat)
