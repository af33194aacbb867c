"""What a chip tray should hold, as arithmetic.

Theory. The tray is counted now and then, and between two counts chips move: fills come from the cage, credits
go to it, seats are paid and lose. A movement is reported by a person and seen by the tray in either order and
not at the same moment, so what was reported is *open* until a count shows it. A count *fits* if its value is
that of the tray before and of any of the open movements together; if several choices of them give that value,
all are kept in mind until a later count decides between them. Chips of the same value may have become others
in between: that is change. What no choice of movements explains is the variance. It stands, and is not found
again, until a count fits or differs by another amount.

| what | then |
| --- | --- |
| a count that fits | it is what is expected from now on; movements that it proves are no longer open |
| a count that fits but for the variance that stands | the same, the variance still standing |
| any other count | a new variance: the smallest that some choice of open movements leaves |
| a movement is open for too long, or too many are | it is expected from now on |
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import and_
from typing import Final

import msgspec

from tablebridge.model.findings import Counted

Counts = Mapping[int, int]
"""Denomination to number of chips; of a movement, below 0 for what leaves the tray."""

MOST_OPEN: Final = 8
"""More movements than a tray sees in two hands."""
_NONE_SHOWN: Final = frozenset({0})


class Movement(msgspec.Struct, frozen=True):
    """Chips that were reported to come or go in this hand."""

    chips: Counts
    hand: int


class Account(msgspec.Struct, frozen=True):
    """A tray. `held`: what the last count found; `expected`: what it was to find; `due`: the last count that
    fitted.

    `base`: the value of the tray without the open movements; `shown`: which choices of them, as bits, it may
    have shown.
    """

    held: Counts
    expected: Counts
    due: Counts
    base: int
    open: tuple[Movement, ...] = ()
    shown: frozenset[int] = _NONE_SHOWN
    variance: int = 0

    @classmethod
    def opened(cls, held: Counts) -> "Account":
        """A tray that was verified to hold these chips."""
        return cls(held, held, held, worth(held))

    def read(self, held: Counts) -> "Account":
        """The tray was counted."""
        return msgspec.structs.replace(self, held=held)._fitted()

    def moved(self, movement: Movement) -> "Account":
        """Chips were reported to come or go."""
        account = self if len(self.open) < MOST_OPEN else self._must_show(1)._fitted()
        return msgspec.structs.replace(account, open=(*account.open, movement))._fitted()

    def overdue(self, hand: int) -> "Account":
        """Movements of hands before this one should have shown by now."""
        late = sum(1 << bit for bit, movement in enumerate(self.open) if movement.hand < hand)
        return self._must_show(late)._fitted() if late else self

    @property
    def breakdown(self) -> tuple[Counted, ...]:
        """Of which denominations there is another number than expected, the lowest first."""
        expected, held = self.expected, self.held
        return tuple(
            Counted(value, expected.get(value, 0), held.get(value, 0))
            for value in sorted({*expected, *held})
            if expected.get(value, 0) != held.get(value, 0)
        )

    def _must_show(self, late: int) -> "Account":
        """These movements should have been shown by now. If no count may have shown them, they are added to
        what is due.
        """
        due = (
            self.due
            if any(bits & late == late for bits in self.shown)
            else added(self.due, self._chosen(late))
        )
        return msgspec.structs.replace(self, due=due, shown=frozenset(bits | late for bits in self.shown))

    def _chosen(self, bits: int) -> Iterable[Movement]:
        return (movement for bit, movement in enumerate(self.open) if bits >> bit & 1)

    def _fitted(self) -> "Account":
        """Which choices of open movements explain what is held. None may take back what was shown before."""
        rests = {
            bits: worth(self.held) - self.base - sum(worth(movement.chips) for movement in self._chosen(bits))
            for bits in range(1 << len(self.open))
            if any(bits & shown == shown for shown in self.shown)
        }
        for variance in dict.fromkeys((0, self.variance)):
            fitting = frozenset(bits for bits, rest in rests.items() if rest == variance)
            if fitting:
                expected = self.held if variance == 0 else self._grown(min(fitting))
                return msgspec.structs.replace(
                    self, expected=expected, due=expected, shown=fitting, variance=variance
                )._without_the_certain()
        nearest = min(rests, key=lambda bits: abs(rests[bits]))
        return msgspec.structs.replace(
            self, expected=self._grown(nearest), variance=rests[nearest]
        )._without_the_certain()

    def _grown(self, bits: int) -> Counts:
        """What is due with this choice of movements, as far as no count has shown them."""
        before = max((shown for shown in self.shown if bits & shown == shown), key=int.bit_count)
        return added(self.due, self._chosen(bits & ~before))

    def _without_the_certain(self) -> "Account":
        certain = reduce(and_, self.shown)
        if not certain:
            return self
        left = [bit for bit in range(len(self.open)) if not certain >> bit & 1]
        shown = frozenset(
            sum(1 << place for place, bit in enumerate(left) if bits >> bit & 1) for bits in self.shown
        )
        base = self.base + sum(worth(movement.chips) for movement in self._chosen(certain))
        return msgspec.structs.replace(
            self, base=base, open=tuple(self.open[bit] for bit in left), shown=shown
        )


def counts(chips: Iterable[int]) -> dict[int, int]:
    """How many chips there are of each denomination."""
    found: dict[int, int] = {}
    for chip in chips:
        if chip > 0:
            found[chip] = found.get(chip, 0) + 1
    return found


def added(chips: Counts, movements: Iterable[Movement]) -> dict[int, int]:
    """These chips and what came and went."""
    total = dict(chips)
    for movement in movements:
        for value, number in movement.chips.items():
            total[value] = total.get(value, 0) + number
    return {value: number for value, number in total.items() if number}


def worth(chips: Counts) -> int:
    """The value of these chips."""
    return sum(value * number for value, number in chips.items())
