"""What binds the seats in a draw game beside their cards."""

from collections.abc import Iterable

import msgspec

from tablebridge.engine.parts.out_of_turn import Pending
from tablebridge.model.cards import Card


class Draws(msgspec.Struct):
    """Own discards, seats whose time to draw ran out, and bets that came before the draw was over. Only the
    methods change them.
    """

    # The named cards that each seat discarded in this hand: it gets none of them back.
    own: dict[int, set[Card]] = {}
    # Seats that stand pat because their time ran out: they may not raise in the next round.
    pat: set[int] = set()
    # The seats whose folded hands went back into the stub.
    returned: set[int] = set()
    # Actions that wait until all have drawn.
    early: list[Pending] = []

    def begin(self) -> None:
        """A draw begins."""
        self.pat.clear()

    def discard(self, seat: int, cards: Iterable[Card]) -> None:
        """The seat discarded these cards."""
        self.own.setdefault(seat, set()).update(cards)

    def get_back(self, seat: int) -> None:
        """What the seat discarded is in the stub again, and may come back to it."""
        self.own.pop(seat, None)

    def come_back(self, seats: Iterable[int]) -> tuple[int, ...]:
        """The folded hands of these seats go back into the stub: those that had not."""
        new = tuple(seat for seat in seats if seat not in self.returned)
        self.returned.update(new)
        return new

    def stand_pat(self, seat: int) -> None:
        """The time of the seat ran out: it keeps its cards."""
        self.pat.add(seat)

    def wait(self, action: Pending) -> None:
        """The action came before all had drawn, and waits, instead of an earlier one of its seat."""
        self.early = [*(other for other in self.early if other.seat != action.seat), action]

    def take_early(self) -> tuple[Pending, ...]:
        """The actions that waited; none waits any more."""
        waited, self.early = tuple(self.early), []
        return waited
