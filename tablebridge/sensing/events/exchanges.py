"""Cards that are exchanged in a draw, until they are reported. Pure.

**Theory.** A seat that draws throws cards into the muck and gets as many others. Which of its cards went is
known one by one, and each may be read late: so the discards are reported together, once every other card of
the seat is known to lie there or in the muck, or after `partner_visits` of the seat's antenna; then those
that are rather gone are counted without a face. Cards that come to the seat before that wait for it.

| what | reported |
| --- | --- |
| discards of a live seat, after their wait | `Draw`: their number, and those that were read in the muck |
| a discard that a person or an earlier report has counted already | nothing |
| a card for a seat whose discards wait | the `Draw` first, then its `Deal`, as in `deals.py` |
| a card for a seat that threw nothing, and it has waited | its `Deal`: the engine judges it |

That a seat stands pat no antenna reads: a person types it.
"""

from collections.abc import Callable
from typing import Protocol

from tablebridge.model.cards import Card
from tablebridge.model.events import TYPED, Draw, Entry
from tablebridge.model.places import MUCK, Place, seat_of
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import EventWaits
from tablebridge.sensing.events.pending import Pending, conclude
from tablebridge.sensing.events.record import CardRecord

_LIES, _GONE = 0.3, 0.5
"""A card that is gone with less than the one probability lies at its seat; from the other on it is rather
gone: as presence and the end of a hand have it.
"""


class Believed(Protocol):
    """What is asked of the card filter."""

    def place(self, tag: str) -> Place:
        """Where the card is sure to lie."""

    def gone(self, tag: str) -> float:
        """The probability that it does not lie there any more."""


class Exchanges:
    """The discards and new cards that wait. `tag_of`: the tag of a card that ever moved, else None."""

    def __init__(self, cards: Believed, tag_of: Callable[[Card], str | None], waits: EventWaits) -> None:
        self._cards = cards
        self._tag_of = tag_of
        self._waits = waits
        self._thrown: dict[int, list[Pending]] = {}
        self._coming: dict[int, list[Pending]] = {}
        self._visits: dict[int, int] = {}
        self._counted: dict[int, int] = {}

    def note_entry(self, entry: Entry) -> None:
        """An event was entered: discards that a person counted need not be reported any more."""
        event = entry.event
        if isinstance(event, Draw):
            seen = 0 if entry.basis in TYPED else len(event.cards)
            self._counted[event.seat] = self._counted.get(event.seat, 0) + max(0, event.count - seen)

    def take_counted(self, seat: int) -> bool:
        """A discard of the seat was read: whether it was counted before, and none is left to be counted of
        it.
        """
        left = self._counted.get(seat, 0)
        if left:
            self._counted[seat] = left - 1
        return left > 0

    def throw(self, seat: int, pending: Pending) -> None:
        """A card of a live seat came to the muck while cards are exchanged."""
        self._begin(seat)
        self._thrown.setdefault(seat, []).append(pending)

    def hold(self, seat: int, pending: Pending) -> None:
        """A card came to a seat that is due none by what was reported."""
        self._begin(seat)
        self._coming.setdefault(seat, []).append(pending)

    def withdraw(self, tag: str) -> None:
        """The card moved on before it was reported."""
        for waiting in (self._thrown, self._coming):
            for seat, cards in list(waiting.items()):
                waiting[seat] = [card for card in cards if card.move.tag != tag]
                if not waiting[seat]:
                    del waiting[seat]

    def drop_all(self) -> None:
        """The hand is over."""
        self._thrown.clear()
        self._coming.clear()
        self._visits.clear()

    def count_visits(self, report: AntennaReport) -> None:
        """An antenna was visited."""
        seat = seat_of(report.place)
        if seat is not None and seat in self._visits:
            self._visits[seat] += report.visits

    def release(self, record: CardRecord) -> tuple[list[Conclusion], list[Pending]]:
        """The draws that need not wait any more, and the cards that waited for them."""
        drawn: list[Conclusion] = []
        dealt: list[Pending] = []
        for seat in sorted({*self._thrown, *self._coming} if self._visits else ()):
            others = [tag for card in record.cards_at(seat) if (tag := self._tag_of(card)) is not None]
            thrown = self._thrown.get(seat, [])
            others = [tag for tag in others if all(tag != card.move.tag for card in thrown)]
            late = self._visits[seat] >= self._waits.partner_visits
            if not late and not (thrown and all(map(self._is_settled, others))):
                continue
            coming = self._coming.pop(seat, [])
            unread = sum(self._cards.gone(tag) >= _GONE for tag in others)
            count = (
                min(len(thrown) + unread, max(len(thrown), len(coming))) if coming else len(thrown) + unread
            )
            if count:
                for card in thrown:
                    record.put(card.card, MUCK)
                cards = tuple(card.card for card in thrown)
                drawn.append(conclude(Draw(seat, count, cards), *(thrown or coming)))
            dealt += coming
            self._thrown.pop(seat, None)
            del self._visits[seat]
        return drawn, dealt

    def _is_settled(self, tag: str) -> bool:
        return self._cards.gone(tag) < _LIES or self._cards.place(tag) == MUCK

    def _begin(self, seat: int) -> None:
        if seat not in self._thrown and seat not in self._coming:
            self._visits[seat] = 0
