"""The showdown, and the all-in buttons that point to it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tablebridge.model.cards import Card


@dataclass(slots=True)
class Showdown:
    """Hands that lie open at the end."""

    tabled: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    face_up_reported: bool = False
    # Seats before which the all-in button stands.
    marked: set[int] = field(default_factory=set)
    # Whether this table uses the buttons, and the seat whose action the button before it waits for.
    buttons_used: bool = False
    button_waits: int | None = None

    def rename(self, named: Callable[[Card], Card]) -> None:
        """The hand calls cards otherwise from now on."""
        self.tabled = {seat: tuple(map(named, cards)) for seat, cards in self.tabled.items()}
