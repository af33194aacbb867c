"""Who moves to balance tables, where play halts, and when a final table is due.

Theory (TDA 11). From the table with most players moves whoever is big blind next, to the worst seat of the
shortest table: the empty seat that is reached first going clockwise from the seat after the last big blind.
The seat of the last big blind would be the small blind of the next hand and is never filled. In stud the seat
that was opened last is filled, and who moves is the floor's choice. A table three or more players short of
the largest halts once its big blind would fall on an empty seat, in events of eight and nine seats; in others
that is the director's to decide.
"""

from typing import Final

import msgspec

from tablebridge.room.tables import SeatedTable, Tables
from tablebridge.rulebooks import Rulebook

SHORT: Final = 3
"""So many players less than the largest table has halt a table (TDA 11-D)."""
_FULL_RING: Final = (8, 9)
_MOST_AT_A_TABLE: Final = 10


class Balance(msgspec.Struct, frozen=True):
    """A move that is due. `seat`: None if the floor chooses the player."""

    table: str
    seat: int | None
    to: str
    to_seat: int


def balance(tables: Tables, threshold: int) -> Balance | None:
    """The move that is due now, from the first of the largest tables to the first of the shortest that has a
    seat for it; None if there is none.
    """
    playing = [table for table in tables.tables.values() if table.players]
    if not playing:
        return None
    largest = max(playing, key=lambda table: len(table.players))
    for shortest in sorted(playing, key=lambda table: len(table.players)):
        if len(largest.players) - len(shortest.players) < threshold:
            return None
        seat = _opened_last(shortest, tables.size) if tables.stud else _worst(shortest, tables.size)
        if seat is not None:
            mover = None if tables.stud else largest.next_big(tables.size)
            return Balance(largest.name, mover, shortest.name, seat)
    return None


def _worst(table: SeatedTable, size: int) -> int | None:
    if table.big is None:
        return None
    return next(
        (seat for seat in table.after(table.big, size) if seat not in table.players and seat != table.big),
        None,
    )


def _opened_last(table: SeatedTable, size: int) -> int | None:
    if table.opened:
        return table.opened[-1]
    return next((seat for seat in range(1, size + 1) if seat not in table.players), None)


def halts(table: SeatedTable, size: int, largest: int) -> str:
    """Why play is to halt at the table: its `blinds`; the `floor` decides; empty if it goes on. `size`: the
    seats of a table; `largest`: the players of the largest one.
    """
    if not table.players or table.big is None or largest - len(table.players) < SHORT:
        return ""
    if next(table.after(table.big, size)) in table.players:
        return ""
    return "blinds" if size in _FULL_RING else "floor"


def final_table(tables: Tables, book: Rulebook) -> int | None:
    """How many are to be combined at the final table now; None while that is not due."""
    playing = [table for table in tables.tables.values() if table.players]
    wanted = _final_size(tables.size, book)
    return wanted if wanted is not None and len(playing) == 2 and tables.left == wanted else None


def _final_size(size: int, book: Rulebook) -> int | None:
    if book.final_table == "one-more":
        return min(size + 1, _MOST_AT_A_TABLE) if size > 2 else None
    if book.final_table == "nine-or-seven":
        return {9: 9, 8: 9, 7: 7, 6: 7}.get(size)
    return None
