"""Cards that left the place where the record has them, until that is sure. Pure.

What speaks against the record is reported once the antenna of the recorded place has missed the card
`left_visits` times in a row: a copied tag goes on answering there, and is reported as such (`clones.py`).
Waits are counted in visits; only if an antenna falls silent does time end them.
"""

from tablebridge.model.cards import Card
from tablebridge.model.instant import Instant
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.dynamics import EventWaits, earliest, to_ns
from tablebridge.sensing.events.pending import Pending
from tablebridge.sensing.events.record import CardRecord


class Departures:
    """The cards that seem to have left."""

    def __init__(self, waits: EventWaits) -> None:
        self._left_visits = waits.left_visits
        self._settle_ns = to_ns(waits.settle_s)
        self._leaving: list[Pending] = []

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though no antenna is visited any more."""
        return earliest(*[card.since_ns + self._settle_ns for card in self._leaving])

    def watch(self, pending: Pending) -> None:
        """A card seems to lie elsewhere than recorded."""
        self._leaving.append(pending)

    def withdraw(self, tag: str) -> None:
        """The card moved on before it was reported."""
        self._leaving = [card for card in self._leaving if card.move.tag != tag]

    def drop(self, card: Card) -> None:
        """The card answers at both places."""
        self._leaving = [pending for pending in self._leaving if pending.card != card]

    def drop_all(self) -> None:
        """The hand is over."""
        self._leaving.clear()

    def count_visits(self, report: AntennaReport, record: CardRecord) -> None:
        """An antenna was visited."""
        for pending in self._leaving:
            if record.place_of(pending.card) == report.place and report.complete:
                read = pending.move.tag in report.tags
                pending.missed = 0 if read else pending.missed + report.visits_after(pending.since_ns)

    def left(self, now: Instant) -> list[Pending]:
        """The cards that have left for sure; they wait until they are released."""
        if not self._leaving:
            return []
        return [
            pending
            for pending in self._leaving
            if pending.missed >= self._left_visits or now.monotonic_ns >= pending.since_ns + self._settle_ns
        ]

    def release(self, pending: Pending) -> None:
        """The card need not wait any more."""
        self._leaving.remove(pending)
