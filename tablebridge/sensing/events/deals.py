"""Cards that came to a seat while the deal is under way, until they are reported in the order of the deal.
Pure.

**Theory.** The card filter becomes sure of cards in an order that is not quite the order in which they fell.
A card that comes to another seat than the next of the deal is held until the card of that seat appears, or
until the seat's antenna has been visited `passed_visits` times and read nothing new; then it is reported as
it is, so that a wrong order is seen. That silence goes on: the cards behind it do not wait for the same seat
again until its antenna reads something new. A later street waits for its burn, `burn_s` at most.

A seat that is passed over so in the last round, and lacks just that card, may have a card that its antenna
does not read. With u the probability that a card there would not have been read so often, and p that of a
dealer who passes a seat over, it has one with the probability u / (u + p). If that is at least
`dealt_unread`, the card is reported without its face, and with a doubt that asks people to count; read later,
it gets its face.
"""

from collections.abc import Callable

from tablebridge.model.cards import UNKNOWN
from tablebridge.model.events import Deal, Doubt
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import STUB, Place, seat_of, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import EventWaits, to_ns
from tablebridge.sensing.events.pending import Pending, conclude
from tablebridge.sensing.events.record import CardRecord


class HeldDeals:
    """The cards of a deal that wait for their turn. `unread(place, visits)`: how likely a card that lies
    there was read in none of `visits` visits. `burns_watched`: an antenna looks at the burns.
    """

    def __init__(
        self, unread: Callable[[Place, int], float], waits: EventWaits, *, burns_watched: bool
    ) -> None:
        self._unread = unread
        self._waits = waits
        self._hold_ns = to_ns(waits.hold_s)
        self._burn_ns = to_ns(waits.burn_s) if burns_watched else 0
        self._held: list[Pending] = []
        self._quiet_visits: dict[int, int] = {}

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though no antenna is visited any more."""
        return self._held[0].since_ns + self._hold_ns if self._held else None

    def hold(self, pending: Pending) -> None:
        """A card came to a seat."""
        self._held.append(pending)

    def withdraw(self, tag: str) -> None:
        """The card moved on before it was reported."""
        self._held = [card for card in self._held if card.move.tag != tag]

    def drop_all(self) -> None:
        """The hand is over."""
        self._held.clear()

    def count_visits(self, seat: int, report: AntennaReport, coming: bool) -> None:
        """The antenna of a seat was visited. `coming`: it read a card that is not yet sure to lie there."""
        if coming:
            self._quiet_visits.pop(seat, None)
        elif self._held:
            visits = report.visits_after(self._held[0].move.read_ns)
            self._quiet_visits[seat] = self._quiet_visits.get(seat, 0) + visits

    def release(self, expect: Expectation, record: CardRecord, now: Instant) -> list[Conclusion]:
        """The deals that need not wait any more."""
        if not expect.next_seats:
            self._quiet_visits.clear()
        if not self._held or self._waits_for_burn(expect, now):
            return []
        released: list[Conclusion] = []
        due: list[int] = list(expect.next_seats)
        passed: list[int] = []
        while self._held:
            fits = next((card for card in self._held if due and seat_of(card.place) == due[0]), None)
            if fits is None and due:
                if not self._is_passed(due[0], now):
                    break
                passed.append(due.pop(0))
                continue
            dealt = fits or self._held[0]
            self._held.remove(dealt)
            seat = seat_of(dealt.place)
            assert seat is not None
            if fits is not None:
                if expect.next_seats.count(due[0]) == 1:
                    for other in passed:
                        released += self._deal_unread(other, expect)
                passed.clear()
                due.pop(0)
                self._quiet_visits.pop(seat, None)
            record.put(dealt.card, dealt.place)
            released.append(conclude(Deal(seat, dealt.card), dealt))
        return released

    def _waits_for_burn(self, expect: Expectation, now: Instant) -> bool:
        """Whether a street of the seats waits for its burn."""
        return expect.phase == "burn" and now.monotonic_ns < self._held[0].since_ns + self._burn_ns

    def _is_passed(self, seat: int, now: Instant) -> bool:
        """Whether the deal does not wait for this seat any more."""
        return (
            self._quiet_visits.get(seat, 0) >= self._waits.passed_visits
            or now.monotonic_ns >= self._held[0].since_ns + self._hold_ns
        )

    def _deal_unread(self, seat: int, expect: Expectation) -> list[Conclusion]:
        """The deal went on behind a seat whose antenna read nothing: its card, if it lacks just one and more
        likely has it.
        """
        place = seat_place(seat)
        unread = self._unread(place, self._quiet_visits.get(seat, 0))
        likely = round(unread / (unread + self._waits.passed_over), 2)
        if expect.next_seats.count(seat) > 1 or not expect.holds.get(seat):
            return []
        if likely < self._waits.dealt_unread:
            return []
        there = min(likely, self._waits.most_doubted)
        return [
            Conclusion(Deal(seat, UNKNOWN), likely, "rfid"),
            Conclusion(Doubt(UNKNOWN, {place: there, STUB: round(1 - there, 2)}), likely),
        ]
