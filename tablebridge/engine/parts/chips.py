"""The chips of a hand: in the stacks, in front of the seats, in the pots.

Theory. Chips move along one way only: from the stack to the front of the seat, from there into the pot, and
from the pot to whoever wins it or to the house. A chip never comes into being on that way and never is lost.

| until the first pot is paid | for each seat: `stack + paid + dead_chips + removed = start` |
| --- | --- |
| then | over all seats: `stack + paid + dead_chips + removed`, and `raked`, are `start` and `from_house` |

Each verb moves chips and then checks the sum that it has touched. No event can make that check fail: amounts
are bounded here by what lies there.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

import msgspec

from tablebridge.engine.setup import UNKNOWN_STACK


class Stacks(msgspec.Struct):
    """The chips of each seat and of the pots, in the smallest unit. Only the methods change them."""

    start: dict[int, int]
    stack: dict[int, int]
    # What lies in front of the seat for this round; and all that it paid so far, this included.
    bet: dict[int, int]
    paid: dict[int, int]
    # What a seat has in the pots beside its bets: the ante for all, and what it forfeited above the bet.
    dead_chips: dict[int, int] = {}
    # What the house paid in boxes, less what it took.
    from_house: int = 0
    # What left play with a player who was disqualified.
    removed: dict[int, int] = {}
    # What was found behind an all-in and is no part of it so far: beside the chips of the hand.
    behind: dict[int, int] = {}
    won: dict[int, int] = {}
    # What the house takes out of the pots, and what of it they were paid without.
    rake: int = 0
    raked: int = 0
    # How each pot was paid, main pot first: its amount, and what each winner got of it.
    payments: list[tuple[int, dict[int, int]]] = []

    @classmethod
    def of(cls, start: dict[int, int]) -> Self:
        """The chips of a hand that begins with these stacks: nobody has put in any."""
        return cls(start, start.copy(), dict.fromkeys(start, 0), dict.fromkeys(start, 0))

    def join(self, seat: int, stack: int) -> None:
        """A further seat plays, with these chips, before anything happened in the hand."""
        self.start[seat] = self.stack[seat] = stack
        self.bet[seat] = self.paid[seat] = 0

    def leave_out(self, seat: int) -> None:
        """The seat does not play, and has all its chips."""
        for chips in (self.start, self.stack, self.bet, self.paid, self.dead_chips):
            chips.pop(seat, None)

    @property
    def dead_money(self) -> int:
        """Chips in the pots that are no bets."""
        return sum(self.dead_chips.values())

    def put_in(self, seat: int) -> int:
        """All chips of this hand that the seat has put in."""
        return self.paid[seat] + self.dead_chips.get(seat, 0)

    def whole(self, seat: int) -> int:
        """The total of the seat's bet if it puts everything in."""
        return self.bet[seat] + self.stack[seat]

    def pot(self) -> int:
        """Chips in the middle, bets in front included."""
        return sum(self.paid.values()) + self.dead_money

    def known(self, seat: int) -> bool:
        """Whether the stack of the seat is known at all."""
        return self.start.get(seat, 0) < UNKNOWN_STACK

    def after_rake(self, amount: int) -> int:
        """What is left of a pot of this amount after the rake, which the main pot gives first."""
        return amount - min(self.rake - self.raked, amount)

    # Before the seats.

    def pay(self, seat: int, amount: int) -> int:
        """Chips go from the stack in front of the seat, as far as it goes. Returns how many did."""
        if amount <= 0:
            return 0
        stack = self.stack[seat]
        if amount > stack:
            amount = stack
        self.stack[seat] = left = stack - amount
        self.bet[seat] += amount
        self.paid[seat] = paid = self.paid[seat] + amount
        if self.dead_chips or self.removed or left + paid != self.start[seat]:
            self._check(seat)
        return amount

    def pay_dead(self, seat: int, amount: int) -> int:
        """Chips go from the stack into the pot as dead money, as far as it goes: they are no bet, and all of
        them are in the main pot. Returns how many did. A seat that is not in the hand pays nothing.
        """
        amount = min(amount, self.stack.get(seat, 0))
        if amount <= 0:
            return 0
        self.stack[seat] -= amount
        self.dead_chips[seat] = self.dead_chips.get(seat, 0) + amount
        self._check(seat)
        return amount

    def remove(self, seat: int) -> None:
        """The stack of the seat leaves play; what it put in stays."""
        self.removed[seat] = self.removed.get(seat, 0) + self.stack[seat]
        self.stack[seat] = 0
        self._check(seat)

    def find_behind(self, seat: int, amount: int) -> None:
        """These chips were found behind the all-in of the seat, beside those that were found before."""
        self.behind[seat] = self.behind.get(seat, 0) + amount

    def play_behind(self, seat: int, amount: int) -> None:
        """So much of what was found behind the all-in of the seat is a part of it."""
        amount = min(amount, self.behind.get(seat, 0))
        self.behind[seat] -= amount
        self.start[seat] += amount
        self.stack[seat] += amount
        self.pay(seat, amount)

    def collect(self) -> None:
        """The bets in front of the seats go into the pot."""
        self.bet = dict.fromkeys(self.start, 0)

    # What goes back.

    def return_uncalled(self) -> tuple[int, int] | None:
        """What the highest bettor has in front above everybody else goes back to it: seat and amount."""
        bets = [*self.bet.values()]
        most = max(bets)
        if bets.count(most) > 1:
            return None
        excess = most - sorted(bets)[-2]
        seat = max(self.bet, key=self.bet.__getitem__)
        self._give_back(seat, excess)
        return seat, excess

    def take_back_bet(self, seat: int) -> int:
        """What lies in front of the seat goes back to it. Returns how much that is."""
        amount = self.bet[seat]
        self._give_back(seat, amount)
        return amount

    def bring_to(self, seat: int, total: int) -> None:
        """What lies in front of the seat is this much, as far as the stack goes."""
        if total < self.bet[seat]:
            self._give_back(seat, self.bet[seat] - max(total, 0))
        else:
            self.pay(seat, total - self.bet[seat])

    def refund(self, seat: int) -> int:
        """The seat has again what it had at the start. Returns what it had put in."""
        amount = self.put_in(seat)
        self.stack[seat] += amount
        self.paid[seat] = self.bet[seat] = 0
        self.dead_chips.pop(seat, None)
        self._check(seat)
        return amount

    def refund_all(self) -> None:
        """Every seat has again what it had at the start, also if the pots were paid already."""
        self.stack = {seat: chips - self.removed.get(seat, 0) for seat, chips in self.start.items()}
        self.collect()
        self.paid = dict.fromkeys(self.start, 0)
        self.raked = self.from_house = 0
        for record in (self.dead_chips, self.won, self.payments):
            record.clear()

    def forfeit(self, seat: int, put: int, stays: int) -> None:
        """The seat gives up the `put` chips of its bet: `stays` of them are its bet, the rest is dead money.
        What its bet was beyond them goes back to it.
        """
        self._give_back(seat, self.bet[seat] - put)
        self.bet[seat] = stays
        self.paid[seat] -= put - stays
        if put > stays:
            self.dead_chips[seat] = self.dead_chips.get(seat, 0) + put - stays
        self._check(seat)

    # The end.

    def take_rake(self, amount: int) -> None:
        """The house takes this much out of the pots when they are paid."""
        self.rake += max(amount, 0)

    def could_pay(self, payments: Sequence[tuple[int, Mapping[int, int]]]) -> bool:
        """Whether the pots of this hand can be paid so: all of them, to its seats, less the rake."""
        rakes = [amount - sum(won.values()) for amount, won in payments]
        return (
            sum(amount for amount, _ in payments) == self.pot()
            and min(rakes) >= 0
            and sum(rakes) <= self.rake - self.raked
            and all(seat in self.stack and share >= 0 for _, won in payments for seat, share in won.items())
        )

    def settle_with_house(self, net: Mapping[int, int]) -> None:
        """Seats have gained this against the house, as far as their stacks go. Its chips are in the tray: it
        is written as a pot without chips.
        """
        if net:
            self.payments.append((0, dict(net)))
        for seat, gain in net.items():
            if seat in self.stack:
                moved = max(gain, -self.stack[seat])
                self.stack[seat] += moved
                self.from_house += moved

    def award(self, amount: int, won: Mapping[int, int]) -> None:
        """Seats receive the chips of a pot of this amount, what is missing in `won` being its rake. What was
        paid in is gone when all pots are paid.
        """
        rake = amount - sum(won.values())
        assert 0 <= rake <= self.rake - self.raked, (amount, won)
        self.payments.append((amount, dict(won)))
        for seat, share in won.items():
            self.won[seat] = self.won.get(seat, 0) + share
            self.stack[seat] += share
        self.raked += rake
        for chips in (self.paid, self.dead_chips):
            for seat, held in chips.items():
                taken = held if held < amount else amount
                chips[seat] = held - taken
                amount -= taken
        assert not amount, f"{amount} more than there was in the pots"

    def _give_back(self, seat: int, amount: int) -> None:
        """Chips go from the front of the seat to its stack."""
        self.bet[seat] -= amount
        self.paid[seat] -= amount
        self.stack[seat] += amount
        self._check(seat)

    def _check(self, seat: int) -> None:
        """No chip of this seat came into being or was lost."""
        held = self.stack[seat] + self.paid[seat]
        if self.dead_chips or self.removed:
            held += self.dead_chips.get(seat, 0) + self.removed.get(seat, 0)
        assert held == self.start[seat], (seat, held, self.start[seat])


class CountedChips(msgspec.Struct):
    """Chips as they were counted at the table, which may differ from the record. Only the methods change
    them.

    `odd_reported`: denominations that were reported to be out of play. `pot`: what the pot held when it was
    counted; `variance`: how much that differs from the record, and `finding`: the id of the finding that
    stands for it. `posted`: the chips that a seat posted. `shown`: the chips that a seat put in this round,
    and whether they were for its words.
    """

    # Chips in front that were not changed yet, by seat: those of a post, less what was pulled back.
    fronts: dict[int, list[int]] = {}
    odd_reported: frozenset[int] = frozenset()
    pot: int | None = None
    variance: int = 0
    finding: str = ""
    posted: dict[int, int] = {}
    shown: dict[int, tuple[int, bool]] = {}

    def in_front(self, seat: int, bet: int) -> int:
        """What lies before the seat from this round: the chips as they were counted, else its bet."""
        return sum(self.fronts[seat]) if seat in self.fronts else bet

    # Before a seat.

    def post(self, seat: int, chips: list[int]) -> None:
        """The seat posted these chips."""
        self.fronts[seat] = chips
        self.posted[seat] = sum(chips)

    def pull_back(self, seat: int, bet: int, chips: Iterable[int] | None) -> None:
        """The seat took these of its chips back, all of them if it is None. `bet`: what it has bet."""
        pulled = None if chips is None else sum(chips)
        left = 0 if pulled is None else max(self.in_front(seat, bet) - pulled, 0)
        self.fronts[seat] = [left] if left else []
        if seat in self.shown:
            before, declared = self.shown[seat]
            self.shown[seat] = (0 if pulled is None else max(before - pulled, 0), declared)

    def bet_stands(self, seat: int) -> None:
        """The seat acted: what lies before it is its bet."""
        self.fronts.pop(seat, None)

    def show(self, seat: int, before: int, chips: Iterable[int]) -> None:
        """The seat put these chips before it. `before`: what lay there of its blind if it put in none yet."""
        amount = self.shown[seat][0] if seat in self.shown else before
        self.shown[seat] = (amount + sum(chips), False)

    def for_declaration(self, seat: int) -> None:
        """The chips that the seat put before it just now are those that it declared."""
        self.shown[seat] = (self.shown[seat][0], True)

    def collect(self) -> None:
        """What the seats put before them was judged, and is in the pot."""
        self.shown.clear()

    def begin_round(self) -> None:
        """Nothing lies before the seats."""
        self.fronts.clear()

    # What was found.

    def report_odd(self, denominations: frozenset[int]) -> None:
        """These denominations were reported to be out of play."""
        self.odd_reported |= denominations

    def count_pot(self, amount: int) -> None:
        """The pot was counted."""
        self.pot = amount

    def pot_differs(self, variance: int, finding: str) -> None:
        """The pot differs from the record by this much. `finding`: the id of the finding of it."""
        self.variance, self.finding = variance, finding

    def pot_fits(self) -> None:
        """The pot is what the record says."""
        self.variance, self.finding = 0, ""
