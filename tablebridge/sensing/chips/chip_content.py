"""Chips that are counted where they lie: the tray and the pot.

**Theory.** While a hand is in the tray, each report of it is another count. So a count is reported when it
has stood for `counted_s`, and only if it differs from the one reported last. What several devices read at one
place is one content; a device's later report replaces its earlier one.
"""

from typing import Final

from tablebridge.model.chip_events import PotChips, Tray
from tablebridge.model.instant import Instant
from tablebridge.model.places import TRAY, Place
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import ChipBounds, to_ns

_MOST_CHIPS: Final = 10_000


class ChipContent:
    """The chips at the tray or the pot, denominations highest first."""

    def __init__(self, place: Place, bounds: ChipBounds) -> None:
        self._place = place
        self._counted_ns = to_ns(bounds.counted_s)
        self._by_source: dict[str, tuple[int, ...]] = {}
        self._reported: tuple[int, ...] | None = None
        self._content: tuple[int, ...] | None = None
        self._since_ns = 0
        self._proof = ""

    @property
    def wake_ns(self) -> int | None:
        """When the count that stands now is reported."""
        return None if self._content in (None, self._reported) else self._since_ns + self._counted_ns

    def count(self, source: str, chips: tuple[int, ...], reading: str, now: Instant) -> None:
        """One source says which denominations it finds there."""
        self._by_source[source] = chips[:_MOST_CHIPS]
        content = tuple(sorted((chip for part in self._by_source.values() for chip in part), reverse=True))
        if content != self._content:
            self._content, self._since_ns, self._proof = content, now.monotonic_ns, reading

    def release_count(self, now: Instant) -> list[Conclusion]:
        """The count, once it stands."""
        wake_ns = self.wake_ns
        if self._content is None or wake_ns is None or now.monotonic_ns < wake_ns:
            return []
        self._reported = self._content
        event = Tray(self._content) if self._place == TRAY else PotChips(self._content)
        return [Conclusion(event, evidence=(self._proof,))]
