"""Hands to be played: who sits where with what, which cards come, and every step from the first action to the
showdown.

`Betting` keeps just enough account of a hand to know whose turn it is and what a call costs; it judges
nothing, the engine does. `random_hand` invents a hand that plausible people could have played.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal

import msgspec

from tablebridge.model.cards import DECK_52, Card

Kind = Literal["fold", "check", "call", "bet", "raise"]
Street = Literal["flop", "turn", "river"]
STREETS: Final[tuple[Street, ...]] = ("flop", "turn", "river")


HOLES: Final = {"nlhe": 2, "flhe": 2, "plo": 4, "plo8": 4, "flo8": 4}
"""The cards that a seat gets, by game."""
INVENTED: Final = ("nlhe", "plo", "plo8")


class Act(msgspec.Struct, frozen=True):
    """A seat acts. `amount`: its total for the round, for bet and raise. `all_in`: with the last of its
    chips.
    """

    seat: int
    kind: Kind
    amount: int = 0
    all_in: bool = False


class Board(msgspec.Struct, frozen=True):
    """The dealer burns a card and puts a street on the board."""

    street: Street
    cards: tuple[Card, ...]


class Show(msgspec.Struct, frozen=True):
    """A seat tables its cards."""

    seat: int


class GiveUp(msgspec.Struct, frozen=True):
    """A seat mucks its cards at the showdown."""

    seat: int


Step = Act | Board | Show | GiveUp


class Hand(msgspec.Struct, frozen=True):
    """One hand of hold'em or Omaha. `stacks` and `holes` by seat; `order`: seats in the order in which they
    get cards.

    `bets`: the small and the big bet of a limit hand, else None.
    """

    order: tuple[int, ...]
    button: int
    blinds: tuple[int, int]
    stacks: dict[int, int]
    holes: dict[int, tuple[Card, ...]]
    steps: tuple[Step, ...]
    ante: int = 0
    bb_ante: int = 0
    bets: tuple[int, int] | None = None
    game: str = "nlhe"

    @property
    def deal(self) -> list[tuple[int, Card]]:
        """The cards of the deal, each with its seat, in order: one to each seat, then the next round."""
        rounds = range(len(self.holes[self.order[0]]))
        return [(seat, self.holes[seat][number]) for number in rounds for seat in self.order]

    def known_cards(self) -> set[Card]:
        """All cards that the hand names."""
        board = {card for step in self.steps if isinstance(step, Board) for card in step.cards}
        return board | {card for hole in self.holes.values() for card in hole}


class Betting:
    """The account of one hand's betting, in no-limit or pot-limit."""

    def __init__(
        self,
        order: Sequence[int],
        blinds: tuple[int, int],
        stacks: dict[int, int],
        ante: int = 0,
        bb_ante: int = 0,
        *,
        pot_limit: bool = False,
    ) -> None:
        self._order = list(order)
        self.live = list(order)
        self.stacks = dict(stacks)
        self.bets = dict.fromkeys(order, 0)
        self._pot_limit = pot_limit
        self._pot = 0
        self._step = blinds[1]
        small, big = (order[-1], order[0]) if len(order) == 2 else (order[0], order[1])
        for seat in order:
            self._pay(seat, ante)
        self._pay(big, bb_ante)
        self.bets = dict.fromkeys(order, 0)
        self._pay(small, blinds[0])
        self._pay(big, blinds[1])
        self._price = blinds[1]
        after = self._order.index(big) + 1
        self._pending = [seat for seat in self._order[after:] + self._order[:after] if self.stacks[seat] > 0]

    @property
    def to_act(self) -> int | None:
        """Whose turn it is; None when the round is over."""
        if len(self.live) == 1 or not self._pending:
            return None
        seat = self._pending[0]
        alone = all(self.stacks[other] == 0 for other in self.live if other != seat)
        return None if alone and self.to_call(seat) <= 0 else seat

    @property
    def run_out(self) -> bool:
        """Whether nobody can bet any more and the board is dealt to its end."""
        return sum(self.stacks[seat] > 0 for seat in self.live) <= 1

    def to_call(self, seat: int) -> int:
        """What the seat has to add."""
        return self._price - self.bets[seat]

    def least_raise(self) -> int:
        """The smallest full bet or raise, as a total for the round."""
        return self._price + self._step

    def most(self, seat: int) -> int:
        """The seat's total for the round if it goes all-in."""
        return self.bets[seat] + self.stacks[seat]

    def limit(self, seat: int) -> int:
        """The seat's total for the round if it bets or raises as much as it may."""
        pot = self._price + self._pot + self.to_call(seat)
        return min(self.most(seat), pot) if self._pot_limit else self.most(seat)

    def worth_raising(self, seat: int) -> bool:
        """Whether anybody else could pay more than the present price."""
        return any(self.most(other) > self._price for other in self.live if other != seat)

    def called(self, seat: int) -> Act:
        """A check or a call by the seat, whichever it is."""
        price = self.to_call(seat)
        return Act(seat, "call", all_in=price >= self.stacks[seat]) if price > 0 else Act(seat, "check")

    def raised(self, seat: int, total: int) -> Act:
        """A bet or a raise to `total`, whichever it is."""
        return Act(seat, "raise" if self._price else "bet", total, all_in=total >= self.most(seat))

    def play(self, act: Act) -> None:
        """Takes an action into account."""
        seat = act.seat
        if seat in self._pending:
            self._pending.remove(seat)
        if act.kind == "fold":
            self.live.remove(seat)
        elif act.kind == "call":
            self._pay(seat, self.to_call(seat))
        elif act.kind in ("bet", "raise"):
            self._pay(seat, act.amount - self.bets[seat])
            self._step = max(self._step, act.amount - self._price)
            self._price = max(self._price, act.amount)
            at = self._order.index(seat)
            self._pending = [
                other
                for other in self._order[at + 1 :] + self._order[:at]
                if other in self.live and self.stacks[other] > 0
            ]

    def next_round(self, big_blind: int) -> None:
        """The street's cards are on the board."""
        self.bets = dict.fromkeys(self._order, 0)
        self._price, self._step = 0, big_blind
        self._pending = [seat for seat in self._order if seat in self.live and self.stacks[seat] > 0]

    def _pay(self, seat: int, amount: int) -> None:
        paid = min(amount, self.stacks[seat])
        self.stacks[seat] -= paid
        self.bets[seat] += paid
        self._pot += paid


def order_from(button: int, seats: Sequence[int]) -> tuple[int, ...]:
    """The seats in the order in which they get cards: from the button's left, the button last."""
    return tuple(sorted(seats, key=lambda seat: (seat - button - 1) % 10))


def random_hand(
    rng: Random,
    seats: Sequence[int],
    button: int,
    blinds: tuple[int, int],
    stacks: dict[int, int],
    game: str = "nlhe",
) -> Hand:
    """A hand of an invented game as people might play it: most fold before the flop, few hands are shown."""
    order = order_from(button, seats)
    deck = list(DECK_52)
    rng.shuffle(deck)
    holes = {seat: tuple(deck.pop() for _ in range(HOLES[game])) for seat in order}
    steps: list[Step] = []
    betting = Betting(order, blinds, stacks, pot_limit=game != "nlhe")
    raises = 0
    for street in (None, *STREETS):
        if street is not None:
            cards = tuple(deck.pop() for _ in range(3 if street == "flop" else 1))
            steps.append(Board(street, cards))
            betting.next_round(blinds[1])
            raises = 0
        while (seat := betting.to_act) is not None:
            act = _decide(rng, betting, seat, preflop=street is None, raises=raises)
            raises += act.kind in ("bet", "raise")
            betting.play(act)
            steps.append(act)
        if len(betting.live) == 1:
            break
    else:
        steps += _showdown(rng, betting)
    return Hand(order, button, blinds, dict(stacks), holes, tuple(steps), game=game)


def _showdown(rng: Random, betting: Betting) -> Iterator[Step]:
    """Who shows and who gives up. A side pot has somebody who claims it, though who shows first is all-in."""
    first, *others = betting.live
    shows = {first, *(seat for seat in others if betting.run_out or rng.random() < 0.6)}
    with_chips = [seat for seat in betting.live if betting.stacks[seat] > 0]
    if with_chips and shows.isdisjoint(with_chips):
        shows.add(with_chips[0])
    return (Show(seat) if seat in shows else GiveUp(seat) for seat in betting.live)


def _decide(rng: Random, betting: Betting, seat: int, *, preflop: bool, raises: int) -> Act:
    price, luck = betting.to_call(seat), rng.random()
    if price > 0 and luck < (0.62 if preflop else 0.35):
        return Act(seat, "fold")
    least, most = betting.least_raise(), betting.limit(seat)
    if luck > (0.85 if price > 0 else 0.6) and raises < 3 and most >= least and betting.worth_raising(seat):
        size = rng.choice((1, 1.5, 2, 3)) * least
        total = round(size / 50) * 50 if size < most * 0.6 else most
        return betting.raised(seat, max(least, total))
    return betting.called(seat)
