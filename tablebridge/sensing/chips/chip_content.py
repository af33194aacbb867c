"""Chips that are counted where they lie: the tray and the pot.

Theory. While a hand is in the tray, each look at it is another count. So a count is told when it has stood
for `STANDS_NS`, and only where it is another than the one told last. What several devices read at one place
is one content; one device's later report replaces its earlier one.
"""

from typing import Final

from tablebridge.model.chip_events import PotChips, Tray
from tablebridge.model.instant import Instant
from tablebridge.model.places import TRAY, Place
from tablebridge.sensing.conclusion import Conclusion

STANDS_NS: Final = 4_000_000_000
_MOST_CHIPS: Final = 10_000


class ChipContent:
    """The chips at the tray or the pot, denominations highest first."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._of: dict[str, tuple[int, ...]] = {}
        self._told: tuple[int, ...] | None = None
        self._now: tuple[int, ...] | None = None
        self._since = 0
        self._proof = ""

    @property
    def wake_ns(self) -> int | None:
        """When the count that stands now is told."""
        return None if self._now in (None, self._told) else self._since + STANDS_NS

    def report(self, source: str, chips: tuple[int, ...], reading: str, now: Instant) -> None:
        """One source says what it finds there."""
        self._of[source] = chips[:_MOST_CHIPS]
        content = tuple(sorted((chip for part in self._of.values() for chip in part), reverse=True))
        if content != self._now:
            self._now, self._since, self._proof = content, now.monotonic_ns, reading

    def release(self, now: Instant) -> list[Conclusion]:
        """The count, once it stands."""
        wake_ns = self.wake_ns
        if self._now is None or wake_ns is None or now.monotonic_ns < wake_ns:
            return []
        self._told = self._now
        event = Tray(self._now) if self._place == TRAY else PotChips(self._now)
        return [Conclusion(event, evidence=(self._proof,))]
