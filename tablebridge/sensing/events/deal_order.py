"""Whether the first card of a hand went to another seat than the first. Pure.

**Theory.** Who deals from the second seat on ends each round with the first seat. So its cards are read after
those of the others, in every round. A card of the first seat that lies badly is read late as well, but
hardly two of them: a round is late if the first seat's card of it was read after `LATE` of the others' cards
of that round, and the deal began elsewhere if all rounds are late.
"""

from typing import Final

from tablebridge.model.places import seat_of
from tablebridge.sensing.events.pending import Pending

LATE: Final = 0.75
"""Of the other seats' cards of a round: set. Six of eight take some eleven visits at the harshest level, in
which a card goes unread once in thirty times.
"""


class DealOrder:
    """The cards of the deal in the order in which they were read, whether they are reported or not."""

    def __init__(self) -> None:
        self._order: tuple[int, ...] = ()
        self._rounds = 0
        self._came: dict[int, list[Pending]] = {}

    @property
    def first(self) -> int:
        """The seat that is due the first card; 0 before the deal."""
        return self._order[0] if self._order else 0

    @property
    def first_card(self) -> Pending | None:
        """The card of the first seat that was read first."""
        return min(self._came.get(self.first, []), key=lambda card: card.move.read_ns, default=None)

    def begin(self, next_seats: tuple[int, ...]) -> None:
        """These seats are due a card, in order, a seat once for each card: no card was dealt yet."""
        self._order = tuple(dict.fromkeys(next_seats))
        self._rounds = next_seats.count(self.first) if next_seats else 0

    def add(self, card: Pending) -> None:
        """A card came to a seat."""
        seat = seat_of(card.place)
        if seat in self._order:
            self._came.setdefault(seat, []).append(card)

    def withdraw(self, tag: str) -> None:
        """The card does not lie there after all."""
        for seat, cards in self._came.items():
            self._came[seat] = [card for card in cards if card.move.tag != tag]

    @property
    def is_late(self) -> bool:
        """Whether the first seat's first card was read after those of the others."""
        return self._round_late(0)

    @property
    def began_elsewhere(self) -> bool:
        """Whether all cards of the first seat were read after those of the others."""
        return self._rounds > 1 and all(map(self._round_late, range(self._rounds)))

    def _round_late(self, number: int) -> bool:
        times = {seat: sorted(card.move.read_ns for card in cards) for seat, cards in self._came.items()}
        own = times.pop(self.first, [])
        others = [at[number] for at in times.values() if len(at) > number]
        wanted = LATE * (len(self._order) - 1)
        return len(own) > number and wanted > 1 and sum(at < own[number] for at in others) >= wanted
