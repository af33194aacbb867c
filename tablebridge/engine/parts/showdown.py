"""The showdown, and the all-in buttons that point to it."""

from collections.abc import Callable, Iterable

import msgspec

from tablebridge.model.cards import Card


class Showdown(msgspec.Struct):
    """Hands that lie open at the end, and seats that are marked as all-in. Only the methods change them."""

    # Whether this table uses all-in buttons.
    buttons_used: bool = False
    tabled: dict[int, tuple[Card, ...]] = {}
    face_up_reported: bool = False
    # Seats before which the all-in button stands; and the seat whose action the button before it waits for.
    marked: set[int] = set()
    button_waits: int | None = None

    def table(self, seat: int, cards: Iterable[Card]) -> tuple[Card, ...]:
        """These cards of the seat lie open, too. Returns all of its cards that do."""
        shown = self.tabled[seat] = tuple(dict.fromkeys((*self.tabled.get(seat, ()), *cards)))
        return shown

    def rename(self, named: Callable[[Card], Card]) -> None:
        """The tabled cards are called what `named` says."""
        self.tabled = {seat: tuple(map(named, cards)) for seat, cards in self.tabled.items()}

    def report_face_up(self) -> None:
        """That all hands must be turned face up was reported."""
        self.face_up_reported = True

    def mark(self, seat: int) -> None:
        """The all-in button stands before the seat, or was reported as missing there."""
        self.marked.add(seat)

    def wait_for(self, seat: int | None) -> None:
        """The button waits for what this seat does; None: for nobody any more."""
        self.button_waits = seat
