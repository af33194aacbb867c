"""Cards that came to a seat while the deal is under way, until they are reported in the order of the deal.
Pure.

**Theory.** The card filter becomes sure of cards in an order that is not quite the order in which they fell.
A card that comes to another seat than the next of the deal is held until the card of that seat appears, or
until the seat's antenna has been visited `passed_visits` times and read nothing new; then it is reported as
it is, so that a wrong order is seen. That silence goes on: the cards behind it do not wait for the same seat
again until its antenna reads something new. A later street waits for its burn, `burn_s` at most.

A seat that is passed over may have a card that its antenna does not read. With u the probability that what
lies there was not read so often, and p that of a dealer who passes a seat over, it has one with the
probability u / (u + p); u is a product if it lacks two. If that is at least `dealt_unread`, the card is
reported without its face, and with a doubt that asks people to count; read later, it gets its face.

A misdeal stops the hand, so nothing that leads to one is reported sooner than it must be:

| what | waits for |
| --- | --- |
| the hand's first card, if the first seat's is not read | that card; or silence that hardly a card keeps |
| the same, if that card is read when most others are (`deal_order.py`) | all its cards, or an action |
| the card that ends the deal, while a seat lacks all its cards | silence that shows whether they lie there |
| a card for a seat that is due none | the end of the deal (`extra_cards.py`) |

Who acts has seen the deal: then all that is held is reported, and what is still due is there unread, unless
it was passed over. The doubt about it begins when the antenna has kept silent for `passed_visits`. So it is,
too, if nobody acts and a deal that cannot begin has waited for `begin_s`.
"""

from collections import Counter
from collections.abc import Callable

from tablebridge.model.cards import UNKNOWN
from tablebridge.model.events import Deal, Doubt
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import STUB, Place, seat_of, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import EventWaits, to_ns
from tablebridge.sensing.events.deal_order import DealOrder
from tablebridge.sensing.events.extra_cards import ExtraCards
from tablebridge.sensing.events.pending import Pending, conclude
from tablebridge.sensing.events.record import CardRecord


class HeldDeals:
    """The cards of a deal that wait for their turn. `unread(place, visits)`: how likely a card that lies
    there was read in none of `visits` visits. `order`: the cards of the deal as they were read; `extra` takes
    the cards for seats that are due none. `burns_watched`: an antenna looks at the burns.
    """

    def __init__(
        self,
        unread: Callable[[Place, int], float],
        waits: EventWaits,
        order: DealOrder,
        extra: ExtraCards,
        *,
        burns_watched: bool,
    ) -> None:
        self._unread = unread
        self._waits = waits
        self._hold_ns, self._begin_ns = to_ns(waits.hold_s), to_ns(waits.begin_s)
        # When it was asked last what need not wait any more.
        self._asked_ns = 0
        self._burn_ns = to_ns(waits.burn_s) if burns_watched else 0
        self._held: list[Pending] = []
        # By seat: since when a card behind its own is known, and its visits since that read nothing new.
        self._behind_ns: dict[int, int] = {}
        self._quiet_visits: dict[int, int] = {}
        # Seats with cards that were reported unread without a doubt so far, and their visits since.
        self._fresh: dict[int, int] = {}
        self._order = order
        self._extra = extra

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though no antenna is visited any more."""
        if not self._held:
            return None
        ends = (self._held[0].since_ns + wait_ns for wait_ns in (self._hold_ns, self._begin_ns))
        return next((end_ns for end_ns in ends if end_ns > self._asked_ns), None)

    def hold(self, pending: Pending) -> None:
        """A card came to a seat."""
        self._held.append(pending)
        self._order.add(pending)

    def withdraw(self, tag: str) -> None:
        """The card moved on before it was reported."""
        self._order.withdraw(tag)
        self._held = [card for card in self._held if card.move.tag != tag]

    def drop_all(self) -> None:
        """The hand is over."""
        self._held.clear()
        self._fresh.clear()

    def count_visits(self, seat: int, report: AntennaReport, coming: bool) -> None:
        """The antenna of a seat was visited. `coming`: it read a card that is not yet sure to lie there."""
        if coming:
            self._quiet_visits.pop(seat, None)
        elif self._held or seat in self._behind_ns:
            since_ns = self._behind_ns.get(seat)
            visits = report.visits_after(self._held[0].move.read_ns if since_ns is None else since_ns)
            self._quiet_visits[seat] = self._quiet_visits.get(seat, 0) + visits
        if seat in self._fresh:
            self._fresh[seat] += report.visits

    def release(self, expect: Expectation, record: CardRecord, now: Instant) -> list[Conclusion]:
        """The deals that need not wait any more."""
        self._asked_ns = now.monotonic_ns
        released = self._doubts(record)
        if not expect.holds and expect.next_seats:
            self._order.begin(expect.next_seats)
        if not expect.next_seats:
            self._behind_ns.clear()
            self._quiet_visits.clear()
        if not self._held or self._waits_for_burn(expect, now):
            return released
        return released + self._in_order(expect, record, now)

    def release_for_action(self, expect: Expectation, record: CardRecord) -> list[Conclusion]:
        """Somebody is about to act, so that the deal is over: what is held, and what is due and unread."""
        if expect.phase != "deal" or not (self._held or record.deals_sensed):
            return []
        if not expect.holds and self._order.began_elsewhere:
            return [self._deal(card, record) for card in self._as_read()]
        likely = {seat: self._likely(seat, expect) for seat in expect.next_seats}
        released: list[Conclusion] = []
        for seat in expect.next_seats:
            card = next((card for card in self._held if seat_of(card.place) == seat), None)
            if card is not None:
                released.append(self._deal(card, record))
            elif likely[seat] >= self._waits.dealt_unread:
                sure = min(likely[seat], self._waits.most_doubted)
                released.append(Conclusion(Deal(seat, UNKNOWN), sure, "rfid"))
                self._fresh[seat] = self._quiet_visits.get(seat, 0)
        return released

    def _in_order(self, expect: Expectation, record: CardRecord, now: Instant) -> list[Conclusion]:
        """What is held, as far as the order of the deal lets it go."""
        released: list[Conclusion] = []
        due: list[int] = list(expect.next_seats)
        passed: list[int] = []
        self._note_gaps(due)
        if due and not expect.holds and not self._may_begin(expect):
            if self._order.began_elsewhere:
                return [self._deal(card, record) for card in self._as_read()]
            return self.release_for_action(expect, record) if self._waited_long(now) else []
        while self._held and due:
            fits = next((card for card in self._held if seat_of(card.place) == due[0]), None)
            if fits is None:
                if not self._is_passed(due[0], now):
                    break
                passed.append(due.pop(0))
                continue
            if expect.next_seats.count(due[0]) == 1:
                open_still = len(due) == 1 and any(self._is_open(seat, expect) for seat in passed)
                if open_still and not self._waited_long(now):
                    break
                for other in passed:
                    released += self._deal_unread(other, expect)
            passed.clear()
            released.append(self._deal(fits, record))
            self._behind_ns.pop(due[0], None)
            self._quiet_visits.pop(due.pop(0), None)
        if not expect.next_seats:
            for card in self._held:
                self._extra.wait(card)
            self._held = []
        return released

    def _deal(self, card: Pending, record: CardRecord) -> Conclusion:
        seat = seat_of(card.place)
        assert seat is not None
        self._held.remove(card)
        record.put(card.card, card.place)
        return conclude(Deal(seat, card.card), card)

    def _as_read(self) -> list[Pending]:
        return sorted(self._held, key=lambda card: card.move.read_ns)

    def _note_gaps(self, due: list[int]) -> None:
        """From now on the visits of seats count behind which a card is held."""
        waiting = Counter(seat_of(card.place) for card in self._held)
        gaps: list[int] = []
        for seat in due:
            if waiting[seat]:
                waiting[seat] -= 1
                for gap in gaps:
                    self._behind_ns.setdefault(gap, self._held[0].move.read_ns)
            else:
                gaps.append(seat)

    def _may_begin(self, expect: Expectation) -> bool:
        """Whether the first card of the hand may be reported: the first seat has its card in time, or was
        passed over.
        """
        if self._order.is_late:
            return False
        first = expect.next_seats[0]
        if any(seat_of(card.place) == first for card in self._held):
            return True
        quiet = self._quiet_visits.get(first, 0)
        return quiet > 0 and self._unread(seat_place(first), quiet) <= self._waits.first_unread

    def _waits_for_burn(self, expect: Expectation, now: Instant) -> bool:
        """Whether a street of the seats waits for its burn."""
        return expect.phase == "burn" and now.monotonic_ns < self._held[0].since_ns + self._burn_ns

    def _waited_long(self, now: Instant) -> bool:
        """Whether nothing more is waited for: neither antennas nor people say what holds up the deal."""
        return now.monotonic_ns >= self._held[0].since_ns + self._begin_ns

    def _is_passed(self, seat: int, now: Instant) -> bool:
        """Whether the deal does not wait for this seat any more."""
        return (
            self._quiet_visits.get(seat, 0) >= self._waits.passed_visits
            or now.monotonic_ns >= self._held[0].since_ns + self._hold_ns
        )

    def _likely(self, seat: int, expect: Expectation) -> float:
        """How likely the cards that the seat lacks lie there unread."""
        place, quiet = seat_place(seat), self._quiet_visits.get(seat, 0)
        unread = self._unread(place, quiet)
        held = sum(seat_of(card.place) == seat for card in self._held)
        if expect.next_seats.count(seat) - held > 1:
            unread *= self._unread(place, quiet // 2)  # it came later
        return round(unread / (unread + self._waits.passed_over), 2)

    def _is_open(self, seat: int, expect: Expectation) -> bool:
        """Whether a seat that lacks all its cards may have them or not."""
        if expect.next_seats.count(seat) < 2:
            return False
        return 1 - self._waits.dealt_unread < self._likely(seat, expect) < self._waits.dealt_unread

    def _deal_unread(self, seat: int, expect: Expectation) -> list[Conclusion]:
        """The deal went on behind a seat whose antenna read nothing: its card, if it lacks just one and more
        likely has it.
        """
        likely = self._likely(seat, expect)
        if expect.next_seats.count(seat) > 1 or not expect.holds.get(seat):
            return []
        if likely < self._waits.dealt_unread:
            return []
        return [Conclusion(Deal(seat, UNKNOWN), likely, "rfid"), self._doubt(seat, likely)]

    def _doubts(self, record: CardRecord) -> list[Conclusion]:
        """The doubts about cards that were reported unread and are still not read."""
        begun = []
        for seat, visits in list(self._fresh.items()):
            if not record.lacks_face(seat):
                del self._fresh[seat]
            elif visits >= self._waits.passed_visits:
                del self._fresh[seat]
                unread = self._unread(seat_place(seat), visits)
                begun.append(self._doubt(seat, unread / (unread + self._waits.passed_over)))
        return begun

    def _doubt(self, seat: int, likely: float) -> Conclusion:
        there = min(round(likely, 2), self._waits.most_doubted)
        return Conclusion(Doubt(UNKNOWN, {seat_place(seat): there, STUB: round(1 - there, 2)}), likely)
