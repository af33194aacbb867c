"""What happens in the hands of one table, as events for other programs: made from entries, with nothing in
them that not everybody at the table sees. No event holds a card, face up or down, or a name.

| event | when |
| --- | --- |
| `hand-started` | the table has another hand |
| `street` | the hand is on another street, also by a correction |
| `action` | a seat acted, and the engine took it |
| `undone` | an entry was taken back; `entry` is its number |
| `hand-ended` | the hand is over or void |
"""

from collections.abc import Iterator
from typing import Final

from tablebridge.bus.messages import HandEvent
from tablebridge.engine.table import Table
from tablebridge.model.events import Action, Entry, Undo

_OVER: Final = ("over", "void")


class HandEvents:
    """The events of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.begin()

    def begin(self) -> None:
        """Begin with the table as it is now: what was folded before makes no event."""
        self._hand, self._street = self._table.hand_number, self._table.street

    def after(self, entry: Entry) -> Iterator[HandEvent]:
        """What happened with this entry, which the engine has just applied."""
        hand, street = self._table.hand_number, self._table.street
        before, self._hand, self._street = (self._hand, self._street), hand, street
        event = entry.event
        if isinstance(event, Action) and not self._table.said_of(entry.id)[1]:
            yield HandEvent(
                "action", entry.at, entry.id, before[0], before[1], event.seat, event.action, event.amount
            )
        elif isinstance(event, Undo):
            yield HandEvent("undone", entry.at, entry.id, hand, street, entry=event.entry)
        if (hand, street) == before:
            return
        if hand > before[0]:
            yield HandEvent("hand-started", entry.at, entry.id, hand, street)
        elif street in _OVER:
            yield HandEvent("hand-ended", entry.at, entry.id, hand, street)
        else:
            yield HandEvent("street", entry.at, entry.id, hand, street)
