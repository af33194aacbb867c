"""Cards of a seat that came to the muck, until it is clear whether the seat has mucked. Pure.

A seat has mucked when one of its cards lies in the muck and the others lie there too. If they do not follow
within `partner_visits` of the seat's antenna, the card was seen in the muck, and that is all.
"""

from collections.abc import Callable

from tablebridge.model.cards import Card
from tablebridge.model.events import Muck, Seen
from tablebridge.model.places import MUCK, Place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import EventWaits
from tablebridge.sensing.events.pending import Pending, conclude
from tablebridge.sensing.events.record import CardRecord


class Mucks:
    """The cards that wait for the others of their seat. `place_of(tag)`: where the card filter has a card."""

    def __init__(self, place_of: Callable[[str], Place], waits: EventWaits) -> None:
        self._place_of = place_of
        self._waits = waits
        self._tags: dict[Card, str] = {}
        self._arrived: dict[int, list[Pending]] = {}
        self._partner_visits: dict[int, int] = {}

    def tag_of(self, card: Card) -> str | None:
        """The tag of a card that ever moved."""
        return self._tags.get(card)

    def note_tag(self, card: Card, tag: str) -> None:
        """The card has this tag."""
        self._tags[card] = tag

    def wait_for_partner(self, seat: int, pending: Pending) -> None:
        """A card of the seat came to the muck."""
        self._arrived.setdefault(seat, []).append(pending)

    def withdraw(self, tag: str) -> None:
        """The card moved on before it was reported."""
        for seat, arrived in list(self._arrived.items()):
            self._arrived[seat] = [card for card in arrived if card.move.tag != tag]
            if not self._arrived[seat]:
                del self._arrived[seat]

    def drop_seat(self, seat: int) -> None:
        """The seat is known to have mucked."""
        self._arrived.pop(seat, None)

    def drop_all(self) -> None:
        """The hand is over."""
        self._arrived.clear()

    def count_visits(self, seat: int, report: AntennaReport) -> None:
        """The antenna of a seat was visited."""
        if seat in self._arrived:
            visits = report.visits_after(self._arrived[seat][0].since_ns)
            self._partner_visits[seat] = self._partner_visits.get(seat, 0) + visits

    def release(self, record: CardRecord) -> list[Conclusion]:
        """The seats that have mucked, and the cards whose partners stay away."""
        released: list[Conclusion] = []
        for seat, arrived in list(self._arrived.items()):
            if self._all_in_muck(seat, arrived, record):
                for card in record.cards_at(seat):
                    record.put(card, MUCK)
                released.append(conclude(Muck(seat), *arrived))
            elif self._partner_visits.get(seat, 0) < self._waits.partner_visits:
                continue
            else:
                for pending in arrived:
                    record.put(pending.card, pending.place)
                    released.append(conclude(Seen(pending.card, MUCK), pending))
            self._arrived.pop(seat)
            self._partner_visits.pop(seat, None)
        return released

    def _all_in_muck(self, seat: int, arrived: list[Pending], record: CardRecord) -> bool:
        came = [pending.card for pending in arrived]
        others = [
            self._tags[card] for card in record.cards_at(seat) if card in self._tags and card not in came
        ]
        return all(self._place_of(tag) == MUCK for tag in others)
