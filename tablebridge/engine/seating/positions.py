"""The way of button and blinds from hand to hand.

The button is a dead button (TDA 32): what moves is the big blind, to the next seat that plays. The small
blind stands where the big blind stood and the button where the small blind stood, whether anybody sits there
or not. Heads-up the button is the small blind, and nobody is the big blind twice in a row when it comes to
that (TDA 34). Where the button alone posts a blind it simply goes to the next seat.
"""

from bisect import bisect_right
from typing import Final

import msgspec


class Positions(msgspec.Struct, frozen=True):
    """Where button and blinds stand. `small` and `big` are places: nobody need sit at the button's or the
    small blind's. In a game without them they are 0.
    """

    button: int
    small: int
    big: int


NO_BUTTON: Final = Positions(0, 0, 0)


def moved_on(last: Positions, seats: tuple[int, ...]) -> Positions:
    """The positions after `last`, among the seats that play."""
    big = after(last.big, seats)
    if len(seats) == 2:
        other = after(big, seats)
        return Positions(other, other, big)
    if last.button == last.small:
        # Coming from heads-up: the seats before the new big blind take the blinds in their order.
        return Positions(before(before(big, seats), seats), before(big, seats), big)
    return Positions(last.small, last.big, big)


def positions_from(button: int, seats: tuple[int, ...]) -> Positions:
    """The blinds for a button that stands at `button`, dead if nobody sits there."""
    if len(seats) == 2:
        small = button if button in seats else after(button, seats)
        return Positions(small, small, after(small, seats))
    small = after(button, seats)
    return Positions(button, small, after(small, seats))


def before_first(button: int, seats: tuple[int, ...]) -> Positions:
    """The positions of the hand before one that has its button at `button` and its blinds on the first two of
    `seats` after it. Nobody was the button there.
    """
    return Positions(0, button, after(button, seats))


def passed(start: int, stop: int) -> frozenset[int]:
    """The seats that a position passes and reaches on its way from `start` to `stop`, of ten."""
    return frozenset((start + step - 1) % 10 + 1 for step in range(1, (stop - start) % 10 + 1))


def between(button: int, small: int) -> frozenset[int]:
    """The seats strictly between button and small blind."""
    return passed(button, small) - {small}


def after(seat: int, seats: tuple[int, ...]) -> int:
    """The next of these seats, which ascend, clockwise from `seat`."""
    return seats[bisect_right(seats, seat) % len(seats)]


def before(seat: int, seats: tuple[int, ...]) -> int:
    """The next of these seats, which ascend, the other way round."""
    return next((other for other in reversed(seats) if other < seat), seats[-1])


def from_left_of(seat: int, seats: tuple[int, ...]) -> tuple[int, ...]:
    """These seats, which ascend, in order of play, beginning left of `seat`."""
    split = bisect_right(seats, seat)
    return seats[split:] + seats[:split]
