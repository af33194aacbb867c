"""Where the record has each card of a hand: what antennas read and what people typed, as far as it matters
here.

The record of where cards are is what antennas read: a face that somebody types changes nothing of what is
reported of the card, or the answer would say where it is. Only of the board, where cards lie open, is it kept
which street they were typed as.
"""

from collections.abc import Collection

from tablebridge.model.cards import Card, is_known
from tablebridge.model.events import TYPED, Burn, Deal, Dealt, Entry, Holds, Muck, Seen, Street, Undo
from tablebridge.model.places import BOARD, BURN, MUCK, Place, seat_place
from tablebridge.sensing.events.board import StreetName


class CardRecord:
    """The record of one hand. At its begin nothing is recorded.

    `faceless`: a card was recorded whose face is not known. `dealt_ns`: when a card was dealt last
    (monotonic).
    """

    def __init__(self) -> None:
        self.faceless = False
        self.dealt_ns = 0
        self._places: dict[Card, Place] = {}
        self._typed: dict[Card, StreetName] = {}
        self._deals: dict[Card, int] = {}
        self._unread: dict[int, list[int]] = {}
        self._copies: dict[Card, tuple[Place, Place]] = {}

    # What is recorded.

    def place_of(self, card: Card) -> Place | None:
        """Where the card is recorded; None: nowhere."""
        return self._places.get(card)

    def cards_at(self, seat: int) -> list[Card]:
        """The cards that are recorded at a seat."""
        place = seat_place(seat)
        return [card for card, recorded in self._places.items() if recorded == place]

    def n_on_board(self) -> int:
        """How many cards are recorded on the board."""
        read = [card for card, place in self._places.items() if place == BOARD]
        return len({*read, *self._typed})

    def typed_street(self, cards: Collection[Card]) -> StreetName | None:
        """The street as which all of these cards were typed."""
        if not all(card in self._typed for card in cards):
            return None
        return self._typed[next(iter(cards))]

    def was_sensed(self, card: Card) -> bool:
        """Whether the deal of the card was sensed."""
        return card in self._deals

    @property
    def deals_sensed(self) -> bool:
        """Whether the deal of any card was sensed."""
        return bool(self._deals)

    def lacks_face(self, seat: int | None) -> bool:
        """Whether a card of the seat was reported as dealt without having been read."""
        return bool(self._unread.get(seat or 0))

    @property
    def all_read(self) -> bool:
        """Whether every card that was reported without having been read is known by now."""
        return not any(self._unread.values())

    def has_copy_at(self, card: Card, place: Place) -> bool:
        """Whether the tag of the card is a copied one that answers at this place."""
        return place in self._copies.get(card, ())

    # What changes it.

    def put(self, card: Card, place: Place) -> None:
        """The card is recorded there from now on; an unknown face is not."""
        if is_known(card):
            self._places[card] = place

    def remove(self, card: Card) -> None:
        """The card is recorded nowhere any more."""
        self._places.pop(card, None)

    def remove_deal(self, card: Card) -> int:
        """The sensed deal of the card is to be undone. Returns its entry."""
        del self._places[card]
        return self._deals.pop(card)

    def name_unread(self, seat: int, card: Card) -> int:
        """The first card of the seat that was reported without having been read is this one. Returns the
        entry of its deal.
        """
        entry = self._unread[seat].pop(0)
        self.put(card, seat_place(seat))
        self._deals[card] = entry
        return entry

    def add_copy(self, card: Card, places: tuple[Place, Place]) -> None:
        """The tag of the card answers at two places."""
        self._copies[card] = places

    def note_entry(self, entry: Entry) -> None:
        """An event was entered, whoever entered it."""
        event = entry.event
        match event:
            case Deal():
                self._note_deal(event, entry)
            case Street(street=street, cards=cards) if entry.basis in TYPED:
                self._typed.update(dict.fromkeys(filter(is_known, cards), street))
            case Burn() | Seen() if entry.basis in TYPED:
                pass
            case Dealt() | Holds():
                self.faceless = True
            case Undo(entry=undone):
                self._deals = {card: number for card, number in self._deals.items() if number != undone}
                for unread in self._unread.values():
                    unread[:] = [number for number in unread if number != undone]
            case Burn(card=card) if card is not None:
                self.put(card, BURN)
            case Street(cards=cards):
                for card in cards:
                    self.put(card, BOARD)
            case Muck(seat=seat):
                for card in self.cards_at(seat):
                    self.put(card, MUCK)
            case Seen(card=card, place=place):
                self.put(card, place)
            case _:
                pass

    def _note_deal(self, event: Deal, entry: Entry) -> None:
        if not is_known(event.card) and entry.basis == "rfid":
            self._unread.setdefault(event.seat, []).append(entry.id)
            return
        self.dealt_ns = entry.at.monotonic_ns
        if entry.basis in TYPED:
            self.faceless = True
            return
        self.put(event.card, seat_place(event.seat))
        self.faceless |= not is_known(event.card)
        if entry.basis == "rfid":
            self._deals[event.card] = entry.id
