"""The stack of a seat, counted between hands from the chips that its antenna reads.

**Theory.** The chips that answered are there (`bet_spot.py`). Once the pile was left alone for visits
enough, how many of them are still unread follows from how often the others answered since
(`unread_chips.py`). A chip that answers for the first time after the rarest of the others would hardly
have kept silent for so long has come just now, and so has one that goes: the pile lies otherwise then.
Else it lay there unread. What the stack is worth at least leaves out chips that may not be of it:

- those that another stack or bet spot reads nearly as often;
- those that have been silent for longer than their rate explains well, and are not gone yet.

A stack is counted once after each hand, and again if it changes before the next one. A count rests on nothing
that was read before its hand, so the readings of the hand give it again.
"""

from collections import Counter
from collections.abc import Callable
from math import log

from tablebridge.model.chip_events import StackChips
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.sensing.chips.bet_spot import Chip, Pile
from tablebridge.sensing.chips.unread_chips import unread_chance, unread_worth
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import ChipBounds, to_ns


class Stack:
    """The stack of a seat."""

    def __init__(self, seat: int, bounds: ChipBounds) -> None:
        self._seat = seat
        self._bounds = bounds
        self._counted_ns = to_ns(bounds.counted_s)
        self.pile = Pile(bounds)
        self._answers: Counter[str] = Counter()
        self._visits = 0
        self._changed_ns = 0
        self._counted = False
        self._reported: StackChips | None = None
        self._proof = ""

    def begin_hand(self) -> None:
        """After this hand the stack is counted again."""
        self.pile = Pile(self._bounds)
        self._reported = None
        self._touched(0)

    def read_stack(
        self,
        chips: dict[str, int],
        visits: int,
        complete: bool,
        reading: str,
        now: Instant,
        others: Callable[[str], float],
    ) -> None:
        """The antenna of the stack read tags, each with its denomination. `others`: as in `release_count`."""
        before = dict(self.pile.chips)
        self.pile.count_reads(chips, visits, complete)
        new = [tag for tag in chips if tag not in before and not others(tag)]
        went = [
            tag for tag in before.keys() - self.pile.chips.keys() if before[tag].answering_rate >= others(tag)
        ]
        if went or (new and self._would_have_answered()):
            self._touched(now.monotonic_ns)
        self._counted = self._counted and not new
        if not complete:
            return
        proven = min(visits, self._bounds.report_visits)
        self._visits += proven
        for tag in chips:
            self._answers[tag] += proven
        self._proof = reading

    def release_count(
        self, now: Instant, expect: Expectation, others: Callable[[str], float]
    ) -> list[Conclusion]:
        """The count, once the pile has been left alone between hands. `others(tag)`: how often another place
        for chips reads a chip, at most.
        """
        if (
            self._counted
            or expect.phase != "idle"
            or self._visits < self._bounds.stack_visits
            or now.monotonic_ns < self._changed_ns + self._counted_ns
        ):
            return []
        count = self._count(others)
        if count is None:
            return []
        self._counted = True
        if count == self._reported:
            return []
        self._reported = count
        return [Conclusion(count, 1 - self._bounds.stack_error, evidence=(self._proof,))]

    def _touched(self, at_ns: int) -> None:
        """The chips lie otherwise from now on."""
        self._answers.clear()
        self._visits, self._changed_ns, self._counted = 0, at_ns, False

    def _would_have_answered(self) -> bool:
        """Whether the rarest chip would hardly have kept silent in all visits so far."""
        if not self._answers or not self._visits:
            return True
        rarest = min(1.0, max(self._bounds.rarest, min(self._answers.values()) / self._visits))
        return (1 - rarest) ** self._visits < self._bounds.missed

    def _count(self, others: Callable[[str], float]) -> StackChips | None:
        """The count with its error; None while too many chips may be unread."""
        bounds, mine, unsure, not_mine = self._bounds, [], 0, 0
        answers: list[int] = []
        for tag, chip in self.pile.there().items():
            other = others(tag)
            if other > chip.rate:
                not_mine += chip.value if other < bounds.shared_ratio * chip.rate else 0
                continue
            mine.append(chip.value)
            answered = self._answers[tag]
            if answered >= bounds.reads:
                answers.append(answered)
            if answered < bounds.reads or other * bounds.shared_ratio > chip.rate or self._may_be_gone(chip):
                unsure += chip.value
        chance = unread_chance(answers, self._visits, bounds.reads, bounds.never_read)
        if chance > bounds.most_unread:
            return None
        worth = unread_worth(Counter(mine), chance, bounds.stack_error)
        return StackChips(self._seat, tuple(sorted(mine, reverse=True)), unsure, worth + not_mine)

    def _may_be_gone(self, chip: Chip) -> bool:
        bounds = self._bounds
        return chip.rate < 1 and chip.missed > log(bounds.silent_chance) / log(1 - chip.rate)
