"""Makes time pass at a table: an entry, and only one, when a clock there has done something.

The engine knows no time but that of its entries. So the record says when a clock ran out, and folds to the
same again; while no clock runs, nothing is entered.
"""

from collections.abc import Callable
from math import ceil

from tablebridge.engine.table import Table
from tablebridge.engine.times import clock_due
from tablebridge.model.clock_events import Tick
from tablebridge.model.instant import Instant


class TableClock:
    """Watches the clock of one table. `note`: enters an event. `wake_ns`: the monotonic time at which the
    clock does something next.
    """

    def __init__(self, table: Table, note: Callable[[Tick, Instant], None]) -> None:
        self._table = table
        self._note = note
        self.wake_ns: int | None = None

    def tick(self, now: Instant, *, behind: bool) -> None:
        """Let time pass, but not while what was read before is still to be entered (`behind`)."""
        due_s = None if behind else clock_due(self._table, now)
        if due_s is not None and due_s < 0:
            self._note(Tick(), now)
            due_s = clock_due(self._table, now)
        self.wake_ns = None if due_s is None else now.monotonic_ns + ceil(due_s * 1e9) + 1
