"""What binds a seat in the betting round beside the bet: its words, its chips, a ruling."""

from dataclasses import dataclass, field
from typing import Literal

import msgspec

from tablebridge.engine.parts.round import Standing

Motion = Literal["words", "chips"]


class Answer(msgspec.Struct, frozen=True, gc=False):
    """Chips with which `seat` called a bet of `bettor` that the floor has to fix first."""

    bettor: int
    seat: int
    chips: tuple[int, ...]


@dataclass(slots=True)
class Bindings:
    """What words, rulings and pulled-back chips take from a seat's choices. Only the methods change them."""

    no_raise: set[int] = field(init=False, default_factory=set)
    no_fold: set[int] = field(init=False, default_factory=set)
    must_bet: set[int] = field(init=False, default_factory=set)
    pulled: set[int] = field(init=False, default_factory=set)
    # Seats that may not raise in the whole round, since their time to draw ran out.
    pat: frozenset[int] = field(init=False, default=frozenset())
    # Who declared a bet without its amount.
    declared: int | None = field(init=False, default=None)
    # An undercall on which the floor is to rule: seat and chips.
    undercall: tuple[int, int] | None = field(init=False, default=None)
    # What stood before the bet that was said last; and the chips that called it, if the floor has to fix it.
    said: Standing | None = field(init=False, default=None)
    answer: Answer | None = field(init=False, default=None)
    # Who acted last, and whether by words or by silent chips.
    motion: tuple[int, Motion] | None = field(init=False, default=None)

    def passive(self, seat: int) -> None:
        """The seat may not raise."""
        self.no_raise.add(seat)

    def stand_pat(self, seats: frozenset[int]) -> None:
        """These seats may not raise in this round."""
        self.pat = seats
        self.no_raise |= seats

    def pull_back(self, seat: int) -> None:
        """The seat pulled chips of its bet back: it may not fold (46-B)."""
        self.pulled.add(seat)
        self.no_fold.add(seat)

    def declare(self, seat: int) -> None:
        """The seat declared a bet without its amount: it must bet."""
        self.must_bet.add(seat)
        self.declared = seat

    def put_less(self, seat: int, put: int) -> None:
        """The seat put in less than the call, and the floor is to rule on it."""
        self.undercall = (seat, put)

    def ruled(self) -> None:
        """The floor ruled on the undercall."""
        self.undercall = None

    def say(self, before: Standing) -> None:
        """A seat said how much it bets. `before`: what stood before that."""
        self.said = before

    def wait_for_ruling(self, answer: Answer) -> None:
        """The bet that was said is the floor's to fix; these chips called it."""
        self.said, self.answer = None, answer

    def take_answer(self, bettor: int) -> Answer | None:
        """The chips that called the bet of this seat, which is fixed now."""
        answer = self.answer
        if answer is None or answer.bettor != bettor:
            return None
        self.answer = None
        return answer

    def act(self, seat: int) -> None:
        """The seat acted: its choices are its own again."""
        if self.no_raise or self.no_fold or self.must_bet:
            if seat not in self.pat:
                self.no_raise.discard(seat)
            self.no_fold.discard(seat)
            self.must_bet.discard(seat)

    def complete(self, seat: int, motion: Motion) -> None:
        """The action of the seat is complete, by words or by chips."""
        self.motion = (seat, motion)
        if self.pulled:
            self.pulled.discard(seat)
        if self.declared == seat:
            self.declared = None

    def clear(self) -> None:
        """A round begins: nothing binds anybody."""
        if self.no_raise or self.no_fold or self.must_bet or self.pulled:
            for seats in (self.no_raise, self.no_fold, self.must_bet, self.pulled):
                seats.clear()
        self.pat = frozenset()
        self.declared = self.undercall = self.motion = self.said = self.answer = None
