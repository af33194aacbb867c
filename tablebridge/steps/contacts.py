"""Buttons and other contacts as a step: what each means is learnt by pressing it, and each press is shown.
Pure; terminal and page both use it.

| state | what happens                                   | then                                      |
| ----- | ---------------------------------------------- | ----------------------------------------- |
| idle  | a meaning is asked for                         | asked                                     |
| asked | a contact without a meaning closes             | idle: it has this meaning                 |
| asked | a contact that has another meaning closes      | asked: `taken`, with that meaning         |
| any   | a contact closes or opens                      | it is shown, and closing is counted       |
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from tablebridge.model.contacts import Contact
from tablebridge.model.readings import ButtonPress

Wire = tuple[str, int]
"""A device and the number of its contact."""


class ContactRow(msgspec.Struct, frozen=True):
    """A contact. `meaning`: empty if it has none yet; `pressed`: it is closed now; `presses`: how often it
    was closed since the step began.
    """

    device: str
    number: int
    meaning: str = ""
    pressed: bool = False
    presses: int = 0


class ContactsView(msgspec.Struct, frozen=True):
    """The contacts as they are shown. `asked`: the meaning whose contact is to be pressed; `said`: the
    contact that was pressed has the meaning `other` already.
    """

    rows: tuple[ContactRow, ...]
    asked: str = ""
    said: Literal["", "taken"] = ""
    other: str = ""


class Contacts:
    """The contacts of a table. `known`: those that have a meaning."""

    def __init__(self, known: Mapping[Wire, Contact] | None = None) -> None:
        self.meanings: dict[Wire, Contact] = dict(known or {})
        self._asked: Contact | None = None
        self._other = ""
        self._pressed: dict[Wire, bool] = {}
        self._presses: dict[Wire, int] = {}

    @property
    def asked(self) -> Contact | None:
        """The meaning whose contact is to be pressed."""
        return self._asked

    @property
    def tested(self) -> bool:
        """Whether each contact that has a meaning was closed at least once."""
        return all(self._presses.get(wire) for wire in self.meanings)

    def of(self, device: str) -> dict[int, Contact]:
        """What the contacts of a device mean, by their numbers."""
        return {number: meaning for (name, number), meaning in self.meanings.items() if name == device}

    def ask(self, meaning: Contact) -> None:
        """The next contact without a meaning that closes has this one; the one that had it loses it."""
        self.meanings = {wire: other for wire, other in self.meanings.items() if other != meaning}
        self._asked, self._other = meaning, ""

    def forget(self, wire: Wire) -> None:
        """This contact has no meaning."""
        self.meanings.pop(wire, None)

    def left(self, device: str) -> None:
        """The device is none of the table's any more."""
        for kept in (self.meanings, self._pressed, self._presses):
            for wire in [wire for wire in kept if wire[0] == device]:
                del kept[wire]

    def press(self, device: str, press: ButtonPress) -> Contact | None:
        """A contact closed or opened. Returns the meaning that it has got by that."""
        wire = device, press.contact
        self._pressed[wire] = press.pressed
        if not press.pressed:
            return None
        self._presses[wire] = self._presses.get(wire, 0) + 1
        asked = self._asked
        if asked is None:
            return None
        self._other = self.meanings.get(wire, "")
        if self._other:
            return None
        self.meanings[wire], self._asked = asked, None
        return asked

    def view(self) -> ContactsView:
        """The contacts as they are shown: those that have a meaning, then those that were only pressed."""
        wires = [*self.meanings, *(wire for wire in sorted(self._pressed) if wire not in self.meanings)]
        rows = tuple(
            ContactRow(
                *wire, self.meanings.get(wire, ""), self._pressed.get(wire, False), self._presses.get(wire, 0)
            )
            for wire in wires
        )
        return ContactsView(rows, self._asked or "", "taken" if self._other else "", self._other)


__all__ = ["ContactRow", "Contacts", "ContactsView", "Wire"]
