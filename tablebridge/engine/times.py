"""What a table shows of time, and of whose exchange of cards it is: questions only."""

from math import ceil

from tablebridge.engine.cards import draws
from tablebridge.engine.floor import clock, levels
from tablebridge.engine.table import Table
from tablebridge.model.instant import Instant


def clock_left(table: Table) -> int | None:
    """The seconds that the clock on a seat showed with the last entry; None if none runs."""
    return None if table.hand is None else _shown(clock.left(table.hand, table.fold.at))


def clock_due(table: Table, at: Instant) -> float | None:
    """The seconds until the clock on a seat does something, if nothing else happens; None if none runs."""
    return None if table.hand is None else clock.due(table.hand, at)


def level_left(table: Table) -> int | None:
    """The seconds that were left in the level with the last entry; None if it has no clock."""
    return _shown(levels.left(table.setup, table.fold.at))


def to_draw(table: Table) -> int | None:
    """Whose exchange of cards it is."""
    return None if table.hand is None else draws.to_draw(table.hand)


def _shown(seconds: float | None) -> int | None:
    """What a clock shows: a second that has begun counts."""
    return None if seconds is None else ceil(round(seconds, 6))
