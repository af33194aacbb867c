"""The history that holds: the journal's entries with undone ones left out and amended ones replaced.

Corrections are entries like others, so they can be undone too. A correction comes after what it corrects;
read from the last entry to the first, each is therefore known to hold or not before its target is met.
"""

from collections.abc import Sequence

import msgspec

from tablebridge.model.events import Amend, Basis, Entry, TableEvent, Undo


def effective(log: Sequence[Entry]) -> list[Entry]:
    """The entries that hold, in their order, without the corrections themselves."""
    undone = taken_back(log)
    # Who amends an entry says what it is: a person's face stays a person's.
    instead: dict[int, tuple[TableEvent, Basis]] = {}
    held: list[Entry] = []
    for entry in reversed(log):
        event = entry.event
        if entry.id in undone or isinstance(event, Undo):
            continue
        if isinstance(event, Amend):
            if event.entry < entry.id:
                instead.setdefault(event.entry, (event.instead, entry.basis))
        else:
            replacement = instead.get(entry.id)
            held.append(
                entry
                if replacement is None
                else msgspec.structs.replace(entry, event=replacement[0], basis=replacement[1])
            )
    held.reverse()
    return held


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
