"""From tags of chips on bet spots to chips that were pushed forward in one motion, or pulled back.

**Theory.** A chip answers at its own rate: a chip in the middle of the field always, at its edge or under
others now and then. So a chip is there from its second answer on, and gone when it has been silent for so
long that at its rate chance is no explanation. Chips that arrive together are reported together, once the
antenna has met no further chip for enough visits that a chip which answers as rarely as the rarest of them
would hardly have kept silent; a chip that is met later comes as chips of its own. A spot's neighbour may read
it too: a chip is of the spot where it answers most.

| chips | reported |
| --- | --- |
| new ones, and it has been quiet | `chips-in` |
| of this round gone, while their seat has to act | `chips-back` |
| gone otherwise: swept, changed, given back | nothing |
"""

import math
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from tablebridge.model.events import ChipsBack, ChipsIn
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import ChipBounds, to_ns

_MOST_CHIPS: Final = 800
"""More chips on one antenna than any reader resolves: beyond that tags are not followed."""


class Chip(msgspec.Struct):
    """A chip at one antenna. `seen`: visits since it answered first; `missed`: those in a row since its last
    answer; `reported`: the street in which it was reported.
    """

    value: int
    reads: int = 0
    seen: int = 0
    missed: int = 0
    reported: str = ""

    @property
    def rate(self) -> float:
        """How often it answers, 0 to 1."""
        return self.reads / self.seen if self.seen else 0.0

    @property
    def answering_rate(self) -> float:
        """How often it answered until its last answer, 0 to 1."""
        return self.reads / max(1, self.seen - self.missed)

    def is_gone(self, bounds: ChipBounds) -> bool:
        """Whether its silence is no chance any more."""
        if self.missed < bounds.gone_visits:
            return False
        # Of few answers in a row no high rate is concluded.
        rate = (self.reads - 1) / (self.seen - self.missed + bounds.few_reads)
        if rate <= 0:
            return True
        return self.missed >= min(math.log(bounds.chance) / math.log(1 - rate), bounds.most_silent_visits)


class Pile:
    """The chips at one antenna."""

    def __init__(self, bounds: ChipBounds) -> None:
        self._bounds = bounds
        self.chips: dict[str, Chip] = {}

    def count_reads(self, read: dict[str, int], visits: int, complete: bool) -> tuple[bool, list[Chip]]:
        """The antenna was visited and read these tags, each with its denomination. Returns whether a chip
        came, and the chips that went.
        """
        came = False
        for tag, value in read.items():
            chip = self.chips.get(tag)
            if chip is None:
                if len(self.chips) >= _MOST_CHIPS:
                    continue
                chip = self.chips[tag] = Chip(value)
            came = came or chip.reads < self._bounds.reads
            chip.reads += visits
            chip.seen += visits
            chip.missed = 0
        return came, self._miss(read, visits) if complete else []

    def there(self) -> dict[str, Chip]:
        """The chips that answered often enough to be there."""
        return {tag: chip for tag, chip in self.chips.items() if chip.reads >= self._bounds.reads}

    def _miss(self, read: dict[str, int], visits: int) -> list[Chip]:
        went: list[Chip] = []
        for tag in [tag for tag in self.chips if tag not in read]:
            chip = self.chips[tag]
            chip.seen += min(visits, self._bounds.report_visits)
            chip.missed += min(visits, self._bounds.report_visits)
            if chip.is_gone(self._bounds):
                went.append(self.chips.pop(tag))
        return went


class BetSpot:
    """The bet spot of a seat."""

    def __init__(self, seat: int, bounds: ChipBounds) -> None:
        self._seat = seat
        self._bounds = bounds
        self._settle_ns, self._further_ns = to_ns(bounds.settle_s), to_ns(bounds.further_s)
        self.pile = Pile(bounds)
        self._quiet_visits = 0
        self._since_ns = 0
        self._visited_ns = 0
        self._waiting = False
        self._proof: list[str] = []

    @property
    def wake_ns(self) -> int | None:
        """When chips are reported though the antenna is visited no more."""
        if not self._waiting:
            return None
        return min(self._visited_ns + self._settle_ns, self._since_ns + self._further_ns)

    def read_spot(
        self,
        chips: Iterable[tuple[str, int]],
        visits: int,
        complete: bool,
        reading: str,
        now: Instant,
        expect: Expectation,
    ) -> list[Conclusion]:
        """The spot's antenna read tags, each with its denomination. Returns chips that were pulled back."""
        came, went = self.pile.count_reads(dict(chips), visits, complete)
        self._visited_ns = now.monotonic_ns
        if came:
            self._waiting, self._since_ns = True, now.monotonic_ns
            self._proof.append(reading)
        self._quiet_visits = 0 if came else self._quiet_visits + min(visits, self._bounds.report_visits)
        back = [chip.value for chip in went if chip.reported and chip.reported == expect.street]
        if not back or expect.phase != "betting" or expect.to_act != self._seat:
            return []
        return [Conclusion(ChipsBack(self._seat, tuple(sorted(back, reverse=True))), evidence=(reading,))]

    def release_bet(
        self, now: Instant, street: str, elsewhere: Callable[[str, float], bool]
    ) -> list[Conclusion]:
        """The chips that came together, once no more come. `elsewhere(tag, rate)`: whether a chip answers
        more often at another spot.
        """
        wake_ns = self.wake_ns
        if wake_ns is None:
            return []
        waits = now.monotonic_ns < wake_ns
        if waits and self._quiet_visits < self._bounds.quiet_visits:
            return []
        fresh = {tag: chip for tag, chip in self.pile.chips.items() if not chip.reported}
        here = {tag: chip for tag, chip in fresh.items() if not elsewhere(tag, chip.rate)}
        rarest = min((chip.rate for chip in here.values()), default=1.0)
        if waits and self._quiet_visits < self._quiet_enough(rarest):
            return []
        # A chip that another spot read better may have come from there just now: it is asked for again.
        self._waiting, self._since_ns = len(here) < len(fresh), now.monotonic_ns
        new = [chip for chip in here.values() if chip.reads >= self._bounds.reads]
        proof, self._proof = tuple(dict.fromkeys(self._proof)), []
        for chip in new:
            chip.reported = street or "idle"
        values = tuple(sorted((chip.value for chip in new), reverse=True))
        return [Conclusion(ChipsIn(self._seat, values), evidence=proof)] if values else []

    def _quiet_enough(self, rate: float) -> float:
        """In how many visits a chip of this rate would hardly keep silent."""
        bounds = self._bounds
        if rate >= 1:
            return bounds.quiet_visits
        visits = math.log(bounds.missed) / math.log(1 - max(rate, bounds.rarest))
        return min(bounds.most_quiet_visits, max(bounds.quiet_visits, visits))
