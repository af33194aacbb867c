"""The history that holds: the journal's entries with undone ones left out, amended ones replaced and those
that were left out inserted.

Corrections are entries like others, so they can be undone too. A correction comes after what it corrects;
read from the last entry to the first, each is therefore known to hold or not before its target is met.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from tablebridge.model.events import Amend, Basis, Entry, Hand, Insert, TableEvent, Undo

CORRECTIONS: Final = (Undo, Amend, Insert)


def effective(log: Sequence[Entry]) -> list[Entry]:
    """The entries that hold, in their order, without the corrections themselves."""
    undone = taken_back(log)
    # Who amends an entry says what it is: a person's face stays a person's.
    instead: dict[int, tuple[TableEvent, Basis]] = {}
    before: dict[int, list[Entry]] = {}
    held: list[Entry] = []

    def hold(entry: Entry) -> None:
        """From the last to the first: what was inserted before an entry follows it."""
        if entry.id not in undone:
            replacement = instead.get(entry.id)
            held.append(
                entry
                if replacement is None
                else msgspec.structs.replace(entry, event=replacement[0], basis=replacement[1])
            )
        for inserted in before.get(entry.id, ()):
            hold(inserted)

    for entry in reversed(log):
        event = entry.event
        if isinstance(event, CORRECTIONS):
            if entry.id in undone or event.entry >= entry.id:
                continue
            if isinstance(event, Amend):
                instead.setdefault(event.entry, (event.instead, entry.basis))
            elif isinstance(event, Insert) and may_be_inserted(event.inserted):
                before.setdefault(event.entry, []).append(
                    msgspec.structs.replace(entry, event=event.inserted)
                )
        else:
            hold(entry)
    held.reverse()
    return held


def may_be_inserted(event: TableEvent) -> bool:
    """Whether it can have been left out: not the beginning of a hand, and no correction."""
    return not isinstance(event, (Hand, *CORRECTIONS))


def taken_back(log: Sequence[Entry]) -> dict[int, Entry]:
    """The entries that do not hold, corrections among them, each with the undo that holds against it. To redo
    is to undo an undo.
    """
    undone: dict[int, Entry] = {}
    for entry in reversed(log):
        event = entry.event
        if isinstance(event, Undo) and event.entry < entry.id and entry.id not in undone:
            undone.setdefault(event.entry, entry)
    return undone


def amended(log: Sequence[Entry]) -> dict[int, Entry]:
    """The entries that hold in another form, each with the amendment that holds."""
    undone = taken_back(log)
    changes: dict[int, Entry] = {}
    for entry in reversed(log):
        event = entry.event
        if isinstance(event, Amend) and event.entry < entry.id and entry.id not in undone:
            changes.setdefault(event.entry, entry)
    return changes


def place_of(log: Sequence[Entry], entry: int) -> int:
    """The place of an entry in the history: that of what it corrects, or its own number."""
    about = {kept.id: kept.event.entry for kept in log if isinstance(kept.event, CORRECTIONS)}
    while entry in about and about[entry] < entry:
        entry = about[entry]
    return entry
