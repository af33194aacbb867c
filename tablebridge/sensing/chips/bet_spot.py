"""From tags of chips on bet spots to chips that were pushed forward in one motion, or pulled back.

Theory. A chip answers at its own rate: one in the middle of the field always, one at its edge or under others
now and then. So a chip is there from its second answer on, and gone when it has been silent for so long that
at its rate chance is no explanation. Chips that arrive together are told together, once the antenna has met
no further one for so many visits that one which answers as rarely as the rarest of them would hardly have
kept silent; one that is met later comes as chips of its own. A spot's neighbour may read it too: a chip is of
the spot where it answers most.

| chips | told |
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

READS: Final = 2
QUIET_VISITS: Final = 5
GONE_VISITS: Final = 20
SETTLE_NS: Final = 1_500_000_000
FURTHER_NS: Final = 4_000_000_000
"""Chips wait no longer than this for further ones."""
_MISSED: Final = 0.05
_MOST_QUIET: Final = 40
_CHANCE: Final = 1e-4
"""A chip that is there is taken for gone with this chance."""
_LONGEST_SILENCE: Final = 400
_FEW: Final = 5
_MOST_A_REPORT: Final = 4
_MOST_CHIPS: Final = 800
"""More chips on one antenna than any reader resolves: beyond that tags are not followed."""


class Lying(msgspec.Struct):
    """A chip at one antenna. `seen`: visits since it answered first; `told`: it is part of what was told, in
    this round.
    """

    value: int
    reads: int = 0
    seen: int = 0
    misses: int = 0
    told: str = ""

    @property
    def rate(self) -> float:
        """How often it answers, 0 to 1."""
        return self.reads / self.seen if self.seen else 0.0

    @property
    def gone(self) -> bool:
        """Whether its silence is no chance any more."""
        if self.misses < GONE_VISITS:
            return False
        # Of few answers in a row no high rate is concluded.
        rate = (self.reads - 1) / (self.seen - self.misses + _FEW)
        return self.misses >= (
            min(math.log(_CHANCE) / math.log(1 - rate), _LONGEST_SILENCE) if rate > 0 else GONE_VISITS
        )


class Pile:
    """The chips at one antenna."""

    def __init__(self) -> None:
        self.chips: dict[str, Lying] = {}

    def sweep(self, read: dict[str, int], visits: int, complete: bool) -> tuple[bool, list[Lying]]:
        """The antenna was visited: tags and denominations. Whether a chip came, and the chips that went."""
        came = False
        for tag, value in read.items():
            chip = self.chips.get(tag)
            if chip is None:
                if len(self.chips) >= _MOST_CHIPS:
                    continue
                chip = self.chips[tag] = Lying(value)
            came = came or chip.reads < READS
            chip.reads += visits
            chip.seen += visits
            chip.misses = 0
        went: list[Lying] = []
        if complete:
            for tag in [tag for tag in self.chips if tag not in read]:
                chip = self.chips[tag]
                chip.seen += min(visits, _MOST_A_REPORT)
                chip.misses += min(visits, _MOST_A_REPORT)
                if chip.gone:
                    went.append(self.chips.pop(tag))
        return came, went

    def there(self) -> dict[str, Lying]:
        """The chips that answered more than once."""
        return {tag: chip for tag, chip in self.chips.items() if chip.reads >= READS}


class BetSpot:
    """One bet spot. `seat`: whose."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self.pile = Pile()
        self._quiet = 0
        self._since = 0
        self._visited = 0
        self._waiting = False
        self._proof: list[str] = []

    @property
    def wake_ns(self) -> int | None:
        """When chips are told though the antenna is visited no more."""
        return min(self._visited + SETTLE_NS, self._since + FURTHER_NS) if self._waiting else None

    def sweep(
        self,
        chips: Iterable[tuple[str, int]],
        visits: int,
        complete: bool,
        reading: str,
        now: Instant,
        expect: Expectation,
    ) -> list[Conclusion]:
        """The spot's antenna was visited: tags and their denominations. Chips that were pulled back."""
        came, went = self.pile.sweep(dict(chips), visits, complete)
        self._visited = now.monotonic_ns
        if came:
            self._waiting, self._since = True, now.monotonic_ns
            self._proof.append(reading)
        self._quiet = 0 if came else self._quiet + min(visits, _MOST_A_REPORT)
        back = [chip.value for chip in went if chip.told and chip.told == expect.street]
        if not back or expect.phase != "betting" or expect.next_seats[:1] != (self._seat,):
            return []
        return [Conclusion(ChipsBack(self._seat, tuple(sorted(back, reverse=True))), evidence=(reading,))]

    def release(self, now: Instant, street: str, elsewhere: Callable[[str, float], bool]) -> list[Conclusion]:
        """The chips that came together, once no more come. `elsewhere`: whether a chip answers more often at
        another spot.
        """
        wake_ns = self.wake_ns
        if wake_ns is None or (self._quiet < QUIET_VISITS and now.monotonic_ns < wake_ns):
            return []
        fresh = {tag: chip for tag, chip in self.pile.chips.items() if not chip.told}
        here = {tag: chip for tag, chip in fresh.items() if not elsewhere(tag, chip.rate)}
        if now.monotonic_ns < wake_ns and self._quiet < _quiet(
            min((chip.rate for chip in here.values()), default=1.0)
        ):
            return []
        # A chip that another spot read better may have come from there just now: it is asked for again.
        self._waiting, self._since = len(here) < len(fresh), now.monotonic_ns
        new = [chip for chip in here.values() if chip.reads >= READS]
        proof, self._proof = tuple(dict.fromkeys(self._proof)), []
        for chip in new:
            chip.told = street or "idle"
        values = tuple(sorted((chip.value for chip in new), reverse=True))
        return [Conclusion(ChipsIn(self._seat, values), evidence=proof)] if values else []


def _quiet(rate: float) -> float:
    """In how many visits a chip of this rate would hardly keep silent."""
    if rate >= 1:
        return QUIET_VISITS
    return min(_MOST_QUIET, max(QUIET_VISITS, math.log(_MISSED) / math.log(1 - max(rate, 0.01))))
