"""A stand-in for the hand engine if nobody says what is bet: the order of the deal, then burn and street by
turns.
"""

from typing import Final

from tablebridge.engine.outcome import NOTHING, Outcome
from tablebridge.model.cards import Card
from tablebridge.model.events import Burn, Deal, Entry, Muck, Street, Undo
from tablebridge.model.expectation import Expectation

_STREETS: Final = {0: ("flop", 3), 3: ("turn", 1), 4: ("river", 1)}
"""By the number of cards on the board: the street that comes next, and its number of cards."""


class Follower:
    """Follows one hand of hold'em by its cards alone. `seats` are dealt in from the left of `button`."""

    def __init__(self, seats: tuple[int, ...], button: int) -> None:
        after = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
        self._due = after * 2
        self._live = list(seats)
        self._holds: dict[int, list[Card]] = {}
        self._board: list[Card] = []
        self._burned = False
        self._deals: dict[int, Deal] = {}

    def expectation(self) -> Expectation:
        """What is likely to happen next."""
        holds = {seat: len(cards) for seat, cards in self._holds.items()}
        if self._due:
            return Expectation("deal", tuple(self._due), tuple(self._live), "preflop", holds=holds)
        board = tuple(self._board)
        if len(board) not in _STREETS:
            return Expectation("showdown", (), tuple(self._live), "river", holds=holds, board=board)
        street, count = _STREETS[len(board)]
        return Expectation(
            "street" if self._burned else "burn",
            (),
            tuple(self._live),
            "",
            street,
            count,
            holds,
            not self._burned,
            board,
        )

    def apply(self, entry: Entry) -> Outcome:
        """Follow an entry. It finds nothing."""
        match entry.event:
            case Undo(entry=undone) if undone in self._deals:
                deal = self._deals.pop(undone)
                self._holds[deal.seat].remove(deal.card)
                self._due.insert(0, deal.seat)
            case Deal(seat=seat, card=card) as deal:
                if seat in self._due:
                    self._due.remove(seat)
                self._holds.setdefault(seat, []).append(card)
                self._deals[entry.id] = deal
            case Burn(card=card) if card is not None:
                self._burned = True
            case Street(cards=cards):
                self._due.clear()
                self._burned = False
                self._board += cards
            case Muck(seat=seat):
                self._live = [live for live in self._live if live != seat]
        return NOTHING
