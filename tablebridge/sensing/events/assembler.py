"""From moves of single cards to table events.

**Theory.** The filter tells moves in the order in which it became sure, which is not quite the order in which
cards fell. A card that comes to another seat than the next of the deal is held until the card of that seat
appears, or until the seat's antenna has been visited `SILENT_VISITS` times and read nothing new; then it is
told as it is, so that a wrong order is seen. That silence goes on: the cards behind it do not wait for the
same seat again until its antenna reads something new. A seat that is passed over so in the last round, and
lacks just that card, may have a card that its antenna does not read. Where that is far likelier than a dealer
who passes a seat over (`PASSED_OVER`), the card is told without its face, and with a doubt that asks people
to count; read later, it gets its face. What speaks against the record, a card that has left the place where
it is recorded, is told once the antenna of that place has missed the card `LEFT_VISITS` times in a row: a
copied tag goes on answering there, and is told as such (`twins.py`). What comes to the board and the burns
waits in `streets.py`. A card that was first read at a seat while the deal was under way was dealt, however
late it is sure. A seat has mucked when one of its cards lies in the muck and the others lie there too or are
gone from the seat. Waits are counted in visits; only where an antenna falls silent does time end them. The
record of where cards are is what antennas read: a face that somebody types changes nothing of what is told of
the card, or the answer would say where it is. Only of the board, where cards lie open, is it kept which
street they were typed as.

| a card came to   | and the record has it       | told                                                         |
| ---------------- | --------------------------- | ------------------------------------------------------------ |
| its place        | there                       | nothing                                                      |
| a seat           | there, with unknown face    | nothing                                                      |
| a seat           | there as a card not read    | `Amend` of the `Deal` without a face                         |
| another seat     | at a seat, cards are due    | `Undo` of the sensed `Deal`, which is told anew              |
| a seat           | nowhere, cards are due      | `Deal`, held as above                                        |
| the other place of a copied tag | anywhere     | nothing                                                      |
| the burns        | nowhere                     | `Burn`, held as in `streets.py`; nothing where it was        |
|                  |                             | concluded after its street                                   |
| the board        | nowhere                     | `Street`, held as there; `Seen` on a full board              |
| the board        | nowhere, typed as a street  | that `Street`                                                |
| the muck         | at a seat                   | `Muck` of the seat, as above; `Seen` when its partner stays  |
| muck or stub     | on the board, in the burns  | nothing from the burns and at showdown, else `Seen`          |
| any other place  | elsewhere                   | `Seen`                                                       |

Between hands nothing is told.
"""

from collections.abc import Sequence
from typing import Final

from tablebridge.model.cards import UNKNOWN, Card, is_known
from tablebridge.model.events import (
    TYPED,
    Amend,
    Burn,
    Deal,
    Dealt,
    Doubt,
    Entry,
    Holds,
    Muck,
    Seen,
    Street,
    TableEvent,
    Undo,
)
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_of, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_filter import CardFilter, Move
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.events.board import HOLD_NS, SETTLE_NS, BoardCards, Name, Pending, Told

SILENT_VISITS: Final = 8
PARTNER_VISITS: Final = 20
LEFT_VISITS: Final = 4
PASSED_OVER: Final = 2e-4
"""The share of a deal's cards that a dealer forgets: one in three hundred hands (assumed)."""
LIKELY: Final = 0.9
MOST_DOUBTED: Final = 0.98
"""What is surer is no doubt."""


class Assembler:
    """`cards` is asked where a card lies and whether one may lie unread. `burns_watched`, `board_watched`: an
    antenna looks at the burns, at the board.
    """

    def __init__(self, cards: CardFilter, *, burns_watched: bool, board_watched: bool) -> None:
        self._cards = cards
        self._board_watched = board_watched
        self._streets = BoardCards(cards, burns_watched=burns_watched)
        self.begin_hand()

    def begin_hand(self) -> None:
        """All cards are back in the stub, nothing is recorded."""
        self._recorded: dict[Card, Place] = {}
        self._typed: dict[Card, Name] = {}
        self._tags: dict[Card, str] = {}
        self._deals: dict[Card, int] = {}
        self._unread: dict[int, int] = {}
        self._dealt_ns = 0
        self._faceless = False
        self._held: list[Pending] = []
        self._silent: dict[int, int] = {}
        self._leaving: list[Pending] = []
        self._copies: dict[Card, tuple[Place, Place]] = {}
        self._streets.begin_hand()
        self._mucking: dict[int, list[Pending]] = {}
        self._partner_visits: dict[int, int] = {}

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though no antenna is visited any more."""
        waits = [self._held[0].since + HOLD_NS] if self._held else []
        waits.extend(one.since + SETTLE_NS for one in self._leaving)
        if self._streets.wake_ns is not None:
            waits.append(self._streets.wake_ns)
        return min(waits, default=None)

    def record(self, entry: Entry) -> None:
        """The record says where cards are, whoever entered it."""
        event = entry.event
        self._streets.record(entry)
        match event:
            case Deal(seat=seat, card=card) if not is_known(card) and entry.basis == "rfid":
                self._unread[seat] = entry.id
            case Deal() if entry.basis in TYPED:
                self._dealt_ns = entry.at.monotonic_ns
                self._faceless = True
            case Street(street=street, cards=cards) if entry.basis in TYPED:
                self._typed.update(dict.fromkeys(filter(is_known, cards), street))
            case Burn() | Seen() if entry.basis in TYPED:
                pass
            case Deal(seat=seat, card=card):
                self._put(card, seat_place(seat))
                self._dealt_ns = entry.at.monotonic_ns
                self._faceless |= not is_known(card)
                if entry.basis == "rfid":
                    self._deals[card] = entry.id
            case Dealt() | Holds():
                self._faceless = True
            case Undo(entry=undone):
                self._deals = {card: number for card, number in self._deals.items() if number != undone}
                self._unread = {seat: number for seat, number in self._unread.items() if number != undone}
            case Burn(card=card) if card is not None:
                self._put(card, BURN)
            case Street(cards=cards):
                for card in cards:
                    self._put(card, BOARD)
            case Muck(seat=seat):
                self._mucking.pop(seat, None)
                for card in self._cards_at(seat):
                    self._put(card, MUCK)
            case Seen(card=card, place=place):
                self._put(card, place)
            case _:
                pass

    def moved(self, move: Move, card: Card, expect: Expectation, now: Instant) -> list[Conclusion]:
        """A card came to lie elsewhere."""
        if expect.phase == "idle":
            return []
        self._tags[card] = move.tag
        self._withdraw(move.tag)
        before, place = self._recorded.get(card), move.place
        if before == place or place in self._copies.get(card, ()):
            return []
        pending = Pending(move, card, place, now.monotonic_ns)
        seat = seat_of(place)
        if before is None:
            if seat in self._unread:
                return self._named(seat, pending)
            if seat is not None and self._faceless and len(self._cards_at(seat)) < expect.holds.get(seat, 0):
                self._put(card, place)
                return []
            if seat is not None and expect.next_seats:
                self._held.append(pending)
                return []
            if seat is not None and expect.phase == "betting" and move.read_ns <= self._dealt_ns:
                return [self._tell(Deal(seat, card), pending)]
            if place == BURN and not move.evidence and not self._streets.waiting:
                self._put(card, place)  # concluded, when its street was told already
                return []
            if place in (BOARD, BURN):
                self._streets.came(pending, now)
                return []
            if place == STUB:
                return []
            if place == MUCK and expect.phase == "showdown" and not self._board_watched:
                self._put(card, place)  # it may come from the board
                return []
        elif (from_seat := seat_of(before)) is not None and place == MUCK:
            self._mucking.setdefault(from_seat, []).append(pending)
            return []
        elif place in (MUCK, STUB) and (
            before == BURN or (before in (BOARD, MUCK) and expect.phase == "showdown")
        ):
            self._put(card, place)
            return []
        if before is None:
            return [self._tell(Seen(card, place), pending)]
        self._leaving.append(pending)
        return []

    def copied(self, card: Card, places: tuple[Place, Place]) -> None:
        """The tag of the card answers at two places: that it comes to either of them says nothing more."""
        self._copies[card] = places
        self._leaving = [one for one in self._leaving if one.card != card]

    def on_board(self, card: Card) -> bool:
        """Whether the record has the card on the board; one that still waits for its street is not there."""
        return self._recorded.get(card) == BOARD

    def taken_back(self, card: Card) -> None:
        """The card lies in the stub again, by a ruling."""
        self._recorded.pop(card, None)

    def visited(self, look: AntennaReport, coming: bool) -> None:
        """An antenna was visited. `coming`: it read a card that is not yet sure to lie there."""
        self._streets.visited(look, coming)
        for one in self._leaving:
            if self._recorded.get(one.card) == look.place and look.complete:
                one.missed = 0 if one.move.tag in look.tags else one.missed + look.after(one.since)
        seat = seat_of(look.place)
        if seat is not None:
            if coming:
                self._silent.pop(seat, None)
            elif self._held:
                self._silent[seat] = self._silent.get(seat, 0) + look.after(self._held[0].move.read_ns)
            if seat in self._mucking:
                visits = look.after(self._mucking[seat][0].since)
                self._partner_visits[seat] = self._partner_visits.get(seat, 0) + visits

    def acted(self, expect: Expectation) -> list[Conclusion]:
        """Somebody is about to act. Whoever acts while a street is due has seen it."""
        return self._streets_told(self._streets.acted(expect, self._lying()))

    def release(self, expect: Expectation, now: Instant) -> list[Conclusion]:
        """What has waited for long enough, or need not wait any more."""
        if expect.phase == "idle":
            self._held.clear()
            self._streets.clear()
            self._mucking.clear()
            self._leaving.clear()
            return []
        told: list[Conclusion] = []
        for one in [
            one
            for one in self._leaving
            if one.missed >= LEFT_VISITS or now.monotonic_ns >= one.since + SETTLE_NS
        ]:
            self._leaving.remove(one)
            if seat_of(one.place) is not None and expect.next_seats and one.card in self._deals:
                del self._recorded[one.card]
                self._held.append(one)
                # The expectation is out of date after an Undo: the rest is released with the next reading.
                return [
                    *told,
                    Conclusion(Undo(self._deals.pop(one.card)), one.move.sure, "rfid", one.move.evidence),
                ]
            told.append(self._tell(Seen(one.card, one.place), one))
        if not expect.next_seats:
            self._silent.clear()
        if self._held:
            self._release_deals(expect, now, told)
        told += self._streets_told(self._streets.due(expect, self._lying(), now))
        for seat in list(self._mucking):
            self._release_muck(seat, told)
        return told

    def _named(self, seat: int, pending: Pending) -> list[Conclusion]:
        """The card that was told as not read is this one."""
        move, entry = pending.move, self._unread.pop(seat)
        self._put(pending.card, pending.place)
        self._deals[pending.card] = entry
        told = [Conclusion(Amend(entry, Deal(seat, pending.card)), move.sure, "rfid", move.evidence)]
        if not self._unread:
            told.append(Conclusion(Doubt(UNKNOWN, {pending.place: 1.0}), move.sure, evidence=move.evidence))
        return told

    def _passed(self, seat: int, expect: Expectation) -> list[Conclusion]:
        """The deal went on behind a seat whose antenna read nothing: its card, where it lacks one and more
        likely has it.
        """
        place = seat_place(seat)
        unread = self._cards.unread(place, self._silent.get(seat, 0))
        likely = round(unread / (unread + PASSED_OVER), 2)
        if expect.next_seats.count(seat) > 1 or not expect.holds.get(seat) or likely < LIKELY:
            return []
        there = min(likely, MOST_DOUBTED)
        return [
            Conclusion(Deal(seat, UNKNOWN), likely, "rfid"),
            Conclusion(Doubt(UNKNOWN, {place: there, STUB: round(1 - there, 2)}), likely),
        ]

    def _release_deals(self, expect: Expectation, now: Instant, told: list[Conclusion]) -> None:
        due, passed = list(expect.next_seats), []
        while self._held:
            fits = next((held for held in self._held if due and seat_of(held.place) == due[0]), None)
            if fits is None and due:
                if (
                    self._silent.get(due[0], 0) >= SILENT_VISITS
                    or now.monotonic_ns >= self._held[0].since + HOLD_NS
                ):
                    passed.append(due.pop(0))
                    continue
                return
            released = fits or self._held[0]
            self._held.remove(released)
            seat = seat_of(released.place)
            assert seat is not None
            if fits is not None:
                if expect.next_seats.count(due[0]) == 1:
                    told.extend(one for other in passed for one in self._passed(other, expect))
                passed.clear()
                due.pop(0)
                self._silent.pop(seat, None)
            told.append(self._tell(Deal(seat, released.card), released))

    def _lying(self) -> int:
        """How many cards the record has on the board."""
        read = [card for card, place in self._recorded.items() if place == BOARD]
        return len({*read, *self._typed})

    def _streets_told(self, told: list[Told]) -> list[Conclusion]:
        for one in (one for _, pending in told for one in pending):
            self._put(one.card, one.place)
        return [_sensed(self._as_typed(event), pending) for event, pending in told]

    def _as_typed(self, event: TableEvent) -> TableEvent:
        """A street is the one as which its cards were typed."""
        if isinstance(event, Street) and all(card in self._typed for card in event.cards):
            return Street(self._typed[event.cards[0]], event.cards)
        return event

    def _release_muck(self, seat: int, told: list[Conclusion]) -> None:
        arrived = self._mucking[seat]
        others = [
            self._tags[card]
            for card in self._cards_at(seat)
            if card in self._tags and all(one.card != card for one in arrived)
        ]
        if all(self._cards.place(tag) == MUCK for tag in others):
            for card in self._cards_at(seat):
                self._put(card, MUCK)
            told.append(_sensed(Muck(seat), arrived))
        elif self._partner_visits.get(seat, 0) < PARTNER_VISITS:
            return
        else:
            told.extend(self._tell(Seen(one.card, MUCK), one) for one in arrived)
        self._mucking.pop(seat)
        self._partner_visits.pop(seat, None)

    def _withdraw(self, tag: str) -> None:
        """A card moved on before it was told: it did not lie where it was believed to."""
        self._held = [one for one in self._held if one.move.tag != tag]
        self._streets.withdraw(tag)
        self._leaving = [one for one in self._leaving if one.move.tag != tag]
        for seat, arrived in list(self._mucking.items()):
            self._mucking[seat] = [one for one in arrived if one.move.tag != tag]
            if not self._mucking[seat]:
                del self._mucking[seat]

    def _tell(self, event: Deal | Seen, pending: Pending) -> Conclusion:
        self._put(pending.card, pending.place)
        return Conclusion(event, pending.move.sure, "rfid", pending.move.evidence)

    def _put(self, card: Card, place: Place) -> None:
        if is_known(card):
            self._recorded[card] = place

    def _cards_at(self, seat: int) -> list[Card]:
        place = seat_place(seat)
        return [card for card, lies in self._recorded.items() if lies == place]


def _sensed(event: TableEvent, pending: Sequence[Pending]) -> Conclusion:
    """It is as sure as the least sure of what it rests on."""
    proofs = dict.fromkeys(proof for one in pending for proof in one.move.evidence)
    return Conclusion(event, min(one.move.sure for one in pending), "rfid", tuple(proofs))
