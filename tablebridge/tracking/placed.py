"""Where the entries of a hand put its cards, in any game."""

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Burn, Deal, Draw, Entry, Muck, Seen, Street, Undo
from tablebridge.model.places import BOARD, BURN, MUCK, Place, seat_place


class PlacedCards:
    """The cards of one hand that lie at the seats, by its entries so far."""

    def __init__(self) -> None:
        self._holds: dict[int, list[Card]] = {}
        self._deals: dict[int, Deal] = {}

    def placed(self, entry: Entry) -> list[tuple[Card, Place]]:
        """The cards that an entry puts somewhere, with their new places, but for those without a face."""
        match entry.event:
            case Undo(entry=undone) if undone in self._deals:
                deal = self._deals.pop(undone)
                self._take(deal.seat, (deal.card,))
            case Deal(seat=seat, card=card) as deal:
                self._holds.setdefault(seat, []).append(card)
                self._deals[entry.id] = deal
                return _known((card,), seat_place(seat))
            case Burn(card=card) if card is not None:
                return _known((card,), BURN)
            case Street(cards=cards):
                return _known(cards, BOARD)
            case Draw(seat=seat, cards=cards):
                self._take(seat, cards)
                return _known(cards, MUCK)
            case Muck(seat=seat):
                return _known(tuple(self._holds.pop(seat, [])), MUCK)
            case Seen(card=card, place=place):
                return _known((card,), place)
        return []

    def _take(self, seat: int, cards: tuple[Card, ...]) -> None:
        held = self._holds.get(seat, [])
        self._holds[seat] = [card for card in held if card not in cards]


def _known(cards: tuple[Card, ...], place: Place) -> list[tuple[Card, Place]]:
    return [(card, place) for card in cards if card != UNKNOWN]
