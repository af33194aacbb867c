"""What binds a seat in the betting round beside the bet: its words, its chips, a ruling."""

from dataclasses import dataclass, field
from typing import Literal

Motion = Literal["words", "chips"]


@dataclass(slots=True)
class Bindings:
    """What words, rulings and pulled-back chips take from a seat's choices. Only the methods change them."""

    no_raise: set[int] = field(init=False, default_factory=set)
    no_fold: set[int] = field(init=False, default_factory=set)
    must_bet: set[int] = field(init=False, default_factory=set)
    pulled: set[int] = field(init=False, default_factory=set)
    # Who declared a bet without its amount.
    declared: int | None = field(init=False, default=None)
    # An undercall on which the floor is to rule: seat and chips.
    undercall: tuple[int, int] | None = field(init=False, default=None)
    # Who acted last, and whether by words or by silent chips.
    motion: tuple[int, Motion] | None = field(init=False, default=None)

    def passive(self, seat: int) -> None:
        """The seat may not raise."""
        self.no_raise.add(seat)

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

    def act(self, seat: int) -> None:
        """The seat acted: its choices are its own again."""
        if self.no_raise or self.no_fold or self.must_bet:
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
        for seats in (self.no_raise, self.no_fold, self.must_bet, self.pulled):
            if seats:
                seats.clear()
        self.declared = self.undercall = self.motion = None
