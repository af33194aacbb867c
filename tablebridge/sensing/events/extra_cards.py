"""Cards that were read at a seat which has all of its own, until it is clear whose they are. Pure.

**Theory.** A card at the edge of two fields is read at both. If a seat has a card too many and one beside it
has a card that was not read, then that is most likely the one: to report the card as dealt would be a misdeal
that was none.

| a card too many at a seat | reported |
| --- | --- |
| and each card of the seats beside it was read | its `Deal`: the engine judges it |
| and a seat beside it lacks a face, for `passed_visits` of the antenna | a doubt, once |
| and it comes to the seat that lacks a face | nothing here: it is that seat's |
"""

import msgspec

from tablebridge.model.events import Deal, Doubt
from tablebridge.model.places import seat_of
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.prior import NEIGHBOURS
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import EventWaits
from tablebridge.sensing.events.pending import Pending, conclude
from tablebridge.sensing.events.record import CardRecord


class _Extra(msgspec.Struct):
    """A card too many. `visits`: of the antenna that read it, since it waits."""

    pending: Pending
    visits: int = 0
    doubted: bool = False


class ExtraCards:
    """The cards that a seat has too many."""

    def __init__(self, waits: EventWaits) -> None:
        self._waits = waits
        self._waiting: list[_Extra] = []

    def wait(self, pending: Pending) -> None:
        """A card of the deal came to a seat that has all of its own."""
        self._waiting.append(_Extra(pending))

    def withdraw(self, tag: str) -> bool:
        """The card moved on. Whether it waited."""
        count = len(self._waiting)
        self._waiting = [extra for extra in self._waiting if extra.pending.move.tag != tag]
        return len(self._waiting) < count

    def drop_all(self) -> None:
        """The hand is over."""
        self._waiting.clear()

    def count_visits(self, report: AntennaReport) -> None:
        """An antenna was visited."""
        for extra in self._waiting:
            if extra.pending.place == report.place:
                extra.visits += report.visits

    def release(self, record: CardRecord) -> list[Conclusion]:
        """The cards that clearly are of one seat, and those that are in doubt from now on."""
        released: list[Conclusion] = []
        for extra in list(self._waiting):
            card, place = extra.pending.card, extra.pending.place
            seat = seat_of(place)
            assert seat is not None
            lacking = [beside for beside in NEIGHBOURS[place] if record.lacks_face(seat_of(beside))]
            if not lacking:
                self._waiting.remove(extra)
                record.put(card, place)
                released.append(conclude(Deal(seat, card), extra.pending))
            elif not extra.doubted and extra.visits >= self._waits.passed_visits:
                extra.doubted = True
                share = round(1 / (1 + len(lacking)), 2)
                doubt = Doubt(card, dict.fromkeys((place, *lacking), share))
                released.append(Conclusion(doubt, share, evidence=extra.pending.move.evidence))
        return released
