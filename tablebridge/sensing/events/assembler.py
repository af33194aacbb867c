"""From moves of single cards to table events.

**Theory.** The record says where each card is (`record.py`); a move of the card filter is held against it.
What has to wait, for an order, for other cards, for a second look, waits in `deals.py`, `board.py`,
`mucks.py` and `departures.py`; waits are counted in visits, and only if an antenna falls silent does time end
them. A card that was first read at a seat while the deal was under way was dealt, however late it is sure.

| a card came to   | and the record has it      | reported                                              |
| ---------------- | -------------------------- | ----------------------------------------------------- |
| its place        | there                      | nothing                                               |
| a seat           | there, with unknown face   | nothing                                               |
| a seat           | there as a card not read   | `Amend` of the `Deal` without a face                  |
| another seat     | at a seat, cards are due   | `Undo` of the sensed `Deal`, which is reported again  |
| a seat           | nowhere, cards are due     | `Deal`, held as in `deals.py`                         |
| a seat           | nowhere, cards exchanged   | `Deal` after the `Draw` of the seat                   |
| a seat           | nowhere, engine lacks face | `Deal`                                                |
| where a copy is  | anywhere                   | nothing                                               |
| the burns        | nowhere                    | `Burn`, held as in `board.py`                         |
| the burns        | nowhere, read before the   | the same, before it: `late_burns.py`                  |
|                  | street that lies there     |                                                       |
| the burns        | nowhere, its street there  | nothing, if it was concluded from other cards         |
| the board        | nowhere                    | `Street`, held as there; `Seen` on a full board       |
| the board        | nowhere, read with a       | `Amend` of that `Street`                              |
|                  | street, acted since        |                                                       |
| the board        | nowhere, typed as a street | that `Street`                                         |
| the muck         | at a seat                  | `Muck` of the seat, as in `mucks.py`, or `Seen`       |
| the muck         | at a seat, cards exchanged | `Draw` of the seat, as in `exchanges.py`              |
| muck or stub     | on the board, in the burns | nothing from the burns and at showdown, else `Seen`   |
| any other place  | elsewhere                  | `Seen`                                                |

Between hands nothing is reported.
"""

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Amend, Burn, Deal, Doubt, Entry, Muck, Seen, Street, TableEvent, Undo
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_of
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_filter import CardFilter, Move
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import EventWaits, earliest
from tablebridge.sensing.events.board import BoardCards, Released
from tablebridge.sensing.events.deal_order import DealOrder
from tablebridge.sensing.events.deals import HeldDeals
from tablebridge.sensing.events.departures import Departures
from tablebridge.sensing.events.exchanges import Exchanges
from tablebridge.sensing.events.extra_cards import ExtraCards
from tablebridge.sensing.events.late_burns import LateBurns
from tablebridge.sensing.events.mucks import Mucks
from tablebridge.sensing.events.pending import Pending, conclude
from tablebridge.sensing.events.record import CardRecord


class Assembler:
    """Makes events of moves, hand after hand.

    `cards` is asked where a card lies and whether a card may lie unread. `burns_watched`, `board_watched`: an
    antenna looks at the burns, at the board.
    """

    def __init__(
        self, cards: CardFilter, waits: EventWaits, *, burns_watched: bool, board_watched: bool
    ) -> None:
        self._cards = cards
        self._waits = waits
        self._burns_watched = burns_watched
        self._board_watched = board_watched
        self.begin_hand()

    def begin_hand(self) -> None:
        """All cards are back in the stub, nothing is recorded."""
        self._record = CardRecord()
        self._order = DealOrder()
        self._extra = ExtraCards(self._waits)
        self._deals = HeldDeals(
            self._cards.unread, self._waits, self._order, self._extra, burns_watched=self._burns_watched
        )
        self._board = BoardCards(self._cards, self._waits, burns_watched=self._burns_watched)
        self._late_burns = LateBurns(self._waits)
        self._mucks = Mucks(self._cards.place, self._waits)
        self._exchanges = Exchanges(self._cards, self._mucks.tag_of, self._waits)
        self._departures = Departures(self._waits)

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though no antenna is visited any more."""
        return earliest(self._deals.wake_ns, self._departures.wake_ns, self._board.wake_ns)

    def note_entry(self, entry: Entry) -> None:
        """An event was entered, whoever entered it."""
        self._board.note_entry(entry)
        self._late_burns.note_entry(entry)
        self._exchanges.note_entry(entry)
        if isinstance(entry.event, Muck):
            self._mucks.drop_seat(entry.event.seat)
        self._record.note_entry(entry)

    def card_moved(self, move: Move, card: Card, expect: Expectation, now: Instant) -> list[Conclusion]:
        """A card came to lie elsewhere: what is concluded at once."""
        if expect.phase == "idle":
            return []
        self._mucks.note_tag(card, move.tag)
        waited = self._extra.withdraw(move.tag)
        for waiting in (self._deals, self._board, self._departures, self._mucks, self._exchanges):
            waiting.withdraw(move.tag)  # it did not lie where it was believed to
        before, place = self._record.place_of(card), move.place
        if before == place or self._record.has_copy_at(card, place):
            return []
        pending = Pending(move, card, place, now.monotonic_ns)
        if before is None and waited and seat_of(place) is None:
            self._record.put(card, place)  # it belonged to a seat
            return []
        if before is None:
            return self._came_from_nowhere(pending, expect, now)
        from_seat = seat_of(before)
        if from_seat is not None and place == MUCK:
            self._left_for_the_muck(from_seat, pending, expect)
        elif place in (MUCK, STUB) and (
            before == BURN or (before in (BOARD, MUCK) and expect.phase == "showdown")
        ):
            self._record.put(card, place)
        else:
            self._departures.watch(pending)
        return []

    def _left_for_the_muck(self, seat: int, pending: Pending, expect: Expectation) -> None:
        """A card of a seat came to the muck: folded, or thrown away in a draw."""
        if seat in expect.live and self._exchanges.take_counted(seat):
            self._record.put(pending.card, MUCK)
        elif seat in expect.drawing:
            self._exchanges.throw(seat, pending)
        else:
            self._mucks.wait_for_partner(seat, pending)

    def add_copy(self, card: Card, places: tuple[Place, Place]) -> None:
        """The tag of the card answers at two places: that it comes to either of them says nothing more."""
        self._record.add_copy(card, places)
        self._departures.drop(card)

    def on_board(self, card: Card) -> bool:
        """Whether the record has the card on the board; while it waits for its street it is not there."""
        return self._record.place_of(card) == BOARD

    def take_back(self, card: Card) -> None:
        """The card lies in the stub again, by a ruling."""
        self._record.remove(card)

    def count_visits(self, report: AntennaReport, coming: bool) -> None:
        """An antenna was visited. `coming`: it read a card that is not yet sure to lie there."""
        self._board.count_visits(report, coming)
        self._departures.count_visits(report, self._record)
        self._exchanges.count_visits(report)
        self._extra.count_visits(report)
        seat = seat_of(report.place)
        if seat is not None:
            self._deals.count_visits(seat, report, coming)
            self._mucks.count_visits(seat, report)

    def before_action(self, expect: Expectation) -> list[Conclusion]:
        """Somebody is about to act. Whoever acts while cards are due has seen them."""
        dealt = self._deals.release_for_action(expect, self._record)
        return dealt + self._report_board(
            self._board.release_for_action(expect, self._record.n_on_board()), expect
        )

    def release(self, expect: Expectation, now: Instant) -> list[Conclusion]:
        """What has waited for long enough, or need not wait any more."""
        if expect.phase == "idle":
            for waiting in (
                self._deals,
                self._extra,
                self._board,
                self._mucks,
                self._departures,
                self._exchanges,
            ):
                waiting.drop_all()
            return []
        released: list[Conclusion] = []
        for pending in self._departures.left(now):
            self._departures.release(pending)
            dealing = seat_of(pending.place) is not None and expect.next_seats
            if dealing and self._record.was_sensed(pending.card):
                undone = Undo(self._record.remove_deal(pending.card))
                self._deals.hold(pending)
                # The expectation is out of date after an Undo: the rest is released later.
                return [*released, conclude(undone, pending)]
            released.append(self._report(Seen(pending.card, pending.place), pending))
        drawn, dealt = self._exchanges.release(self._record)
        for pending in dealt:
            self._deals.hold(pending)
        if drawn:
            return [*released, *drawn]  # the expectation is out of date
        released += self._deals.release(expect, self._record, now)
        released += self._extra.release(self._record)
        if self._board.anything_waits:
            released += self._report_board(
                self._board.release(expect, self._record.n_on_board(), now), expect
            )
        return released + self._mucks.release(self._record)

    def _came_from_nowhere(self, pending: Pending, expect: Expectation, now: Instant) -> list[Conclusion]:
        """A card that is recorded nowhere came to a place."""
        card, place, record = pending.card, pending.place, self._record
        seat = seat_of(place)
        if seat is not None:
            if record.lacks_face(seat):
                return self._name_unread(seat, pending)
            if record.faceless and len(record.cards_at(seat)) < expect.holds.get(seat, 0):
                record.put(card, place)
                return []
            if seat in expect.drawing:
                self._exchanges.hold(seat, pending)
                return []
            if expect.next_seats:
                self._deals.hold(pending)
                return []
            if expect.phase == "betting" and len(record.cards_at(seat)) < expect.holds.get(seat, 0):
                return [self._report(Deal(seat, card), pending)]
            if expect.phase == "betting" and pending.move.read_ns <= record.dealt_ns:
                self._extra.wait(pending)
                return []
        elif place == BURN and not pending.move.evidence and not self._board.street_waits:
            record.put(card, place)  # concluded, when its street was reported already
            return []
        elif place in (BOARD, BURN):
            self._board.wait(pending, now)
            return []
        elif place == STUB:
            return []
        elif place == MUCK and expect.phase == "showdown" and not self._board_watched:
            record.put(card, place)  # it may come from the board
            return []
        return [self._report(Seen(card, place), pending)]

    def _name_unread(self, seat: int, pending: Pending) -> list[Conclusion]:
        """The card that was reported without having been read is this one."""
        entry = self._record.name_unread(seat, pending.card)
        named = [conclude(Amend(entry, Deal(seat, pending.card)), pending)]
        if self._record.all_read:
            named.append(conclude(Doubt(UNKNOWN, {pending.place: 1.0}), pending))
        self._order.add(pending)
        return [*named, *self._began_elsewhere(seat)]

    def _began_elsewhere(self, seat: int) -> list[Conclusion]:
        """If the last card of the first seat shows that the deal began elsewhere, its first card is taken
        back and dealt again, after the others.
        """
        first = self._order.first_card
        if seat != self._order.first or first is None or not self._order.began_elsewhere:
            return []
        if not self._record.was_sensed(first.card):
            return []
        undone = conclude(Undo(self._record.remove_deal(first.card)), first)
        return [undone, self._report(Deal(seat, first.card), first)]

    def _report_board(self, released: list[Released], expect: Expectation) -> list[Conclusion]:
        concluded = []
        for event, pending in released:
            for card in pending:
                self._record.put(card.card, card.place)
            concluded.append(conclude(self._as_dealt(event, pending, expect), *pending))
        return concluded

    def _as_dealt(
        self, event: Amend | Burn | Street | Seen, pending: tuple[Pending, ...], expect: Expectation
    ) -> TableEvent:
        """A street has the name under which its cards were typed; a burn that comes late is of its street."""
        if isinstance(event, Street):
            self._late_burns.note_street(pending)
            typed = self._record.typed_street(event.cards)
            if typed is not None:
                return Street(typed, event.cards)
        elif isinstance(event, Burn):
            return self._late_burns.in_place(event, pending[0], expect)
        return event

    def _report(self, event: Deal | Seen, pending: Pending) -> Conclusion:
        self._record.put(pending.card, pending.place)
        return conclude(event, pending)
