"""Irregularities of cards that go where they have no business: out of the muck, out of another deck, or not
out of the box.

They are measured beside those of `irregular.py` and not part of a demonstration: two of them are done before
the hand begins.
"""

from collections.abc import Callable
from typing import Final

from tablebridge.model.places import BOARD, MUCK, Place, seat_place
from tablebridge.sim.dealer import Dealer
from tablebridge.sim.hands import Act, Board, Hand, Step, Street
from tablebridge.sim.irregular import Irregular

_CHECK_S: Final = 3.0
_DONE_S: Final = 1.5


class _FromMuck(Irregular):
    """While the players bet on the flop a folded card comes back. The dealer takes it away again."""

    finding = "card-out-of-place"

    def suits(self, hand: Hand) -> bool:
        flop = next((number for number, step in enumerate(hand.steps) if isinstance(step, Board)), 0)
        return any(isinstance(step, Act) and step.kind == "fold" for step in hand.steps[:flop])

    def place(self, dealer: Dealer) -> Place:
        """Where it comes to lie."""
        raise NotImplementedError

    def after_street(self, dealer: Dealer, street: Street) -> None:
        mucked = dealer.table.lying(MUCK)
        if street == "flop" and mucked:
            dealer.fly([mucked[-1]], self.place(dealer))
            dealer.expect(self.finding)
            dealer.fly([mucked[-1]], MUCK)


class MuckToSeat(_FromMuck):
    """It slides to a player's cards."""

    def place(self, dealer: Dealer) -> Place:
        return seat_place(next(seat for seat, cards in dealer.held.items() if cards))


class MuckToBoard(_FromMuck):
    """It slides onto the board."""

    def place(self, dealer: Dealer) -> Place:
        return BOARD


class FlopTwoCards(Irregular):
    """The flop has two cards; the third comes when that is noticed."""

    finding, cause = "flop-count", "too-few"

    def suits(self, hand: Hand) -> bool:
        return any(isinstance(step, Board) for step in hand.steps)

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if not isinstance(step, Board) or step.street != "flop":
            return True
        dealer.burn()
        dealer.street(2)
        dealer.expect(self.finding)
        dealer.street(1)
        return False


class DeckSwapped(Irregular):
    """The whole deck is another one than that of the table. When it is noticed, all cards are collected.

    `other`: its tags.
    """

    finding, cause = "fouled-deck", "foreign-card"

    def __init__(self, other: list[str]) -> None:
        self._other = other
        self._over = False

    def deck(self, dealer: Dealer, order: list[str]) -> list[str]:
        return list(self._other)

    def pitch(self, dealer: Dealer, number: int, seat: int) -> None:
        if not self._over:
            dealer.fly([dealer.stub.pop(0)], seat_place(seat))
            dealer.expect(self.finding)
            dealer.say("ruling misdeal")
            self._over = True


class DeckShort(Irregular):
    """The deck is spread to be checked, and a card is not there. It is found, and the hand is played.

    A card that is not there and a tag that is not read are the same to an antenna, so the cause is left open.
    """

    finding = "deck-check-failed"

    def deck(self, dealer: Dealer, order: list[str]) -> list[str]:
        dealer.say("deck-check begin")
        dealer.table.put(order[:-1], BOARD, spread=True)
        dealer.pace.wait(_CHECK_S, _CHECK_S)
        dealer.say("deck-check end")
        dealer.pace.wait(_DONE_S, _DONE_S)
        dealer.table.take(order)
        return order


def astray(other: list[str]) -> dict[str, Callable[[], Irregular]]:
    """By name, as `IRREGULAR`. `other`: the tags of a deck that does not belong on the table."""
    return {
        "muck-to-seat": MuckToSeat,
        "muck-to-board": MuckToBoard,
        "flop-two-cards": FlopTwoCards,
        "deck-swapped": lambda: DeckSwapped(other),
        "deck-short": DeckShort,
    }
