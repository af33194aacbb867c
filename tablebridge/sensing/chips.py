"""From tags of chips on bet spots to chips that were pushed forward in one motion.

Chips that arrive together are told together, once the spot's antenna has read no further one for `QUIET_VISITS`. A chip under
others is often missed, so it is taken away only after `GONE_VISITS` without an answer; chips that are taken away tell nothing,
since that is what happens when a street ends.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from tablebridge.model.events import ChipsIn
from tablebridge.model.instant import Instant
from tablebridge.sensing.sensed import Sensed

READS: Final = 2
QUIET_VISITS: Final = 5
GONE_VISITS: Final = 20
SETTLE_NS: Final = 1_500_000_000
_MOST_A_REPORT: Final = 4
_MOST_CHIPS: Final = 400
"""More chips on one spot than any reader resolves: beyond that tags are not followed."""


class _Chip(msgspec.Struct):
    value: int
    reads: int = 0
    misses: int = 0
    told: bool = False


class BetSpot:
    """One bet spot. `seat`: whose."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._chips: dict[str, _Chip] = {}
        self._quiet = 0
        self._since = 0
        self._waiting = False
        self._proof: list[str] = []

    @property
    def wake_ns(self) -> int | None:
        """When chips are told though the antenna is visited no more."""
        return self._since + SETTLE_NS if self._waiting else None

    def sweep(self, chips: Iterable[tuple[str, int]], visits: int, complete: bool, reading: str, now: Instant) -> None:
        """The spot's antenna was visited: tags and their denominations."""
        read = dict(chips)
        news = False
        for tag, value in read.items():
            chip = self._chips.get(tag)
            if chip is None:
                if len(self._chips) >= _MOST_CHIPS:
                    continue
                chip = self._chips[tag] = _Chip(value)
                self._waiting, self._since, news = True, now.monotonic_ns, True
                self._proof.append(reading)
            chip.reads += visits
            chip.misses = 0
        if complete:
            for tag in [tag for tag in self._chips if tag not in read]:
                chip = self._chips[tag]
                chip.misses += min(visits, _MOST_A_REPORT)
                if chip.misses >= GONE_VISITS:
                    del self._chips[tag]
        self._quiet = 0 if news else self._quiet + min(visits, _MOST_A_REPORT)

    def release(self, now: Instant) -> list[Sensed]:
        """The chips that came together, once no more come."""
        if not self._waiting or (self._quiet < QUIET_VISITS and now.monotonic_ns < self._since + SETTLE_NS):
            return []
        self._waiting = False
        new = [chip for chip in self._chips.values() if not chip.told and chip.reads >= READS]
        proof, self._proof = tuple(dict.fromkeys(self._proof)), []
        for chip in new:
            chip.told = True
        values = tuple(sorted((chip.value for chip in new), reverse=True))
        return [Sensed(ChipsIn(self._seat, values), evidence=proof)] if values else []
