"""The house's chips at all their places: bet spots, the pot, the tray; and chips that are of no house.

A tag at one of these places that is neither a chip nor a card, read `FOREIGN_READS` times, is told once a
hand. A chip that answers at two places in at least half of `TWIN_VISITS` visits, where the two are not
neighbours, is two chips of one identity. Where no chip is enrolled, tags at these places are not judged.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from tablebridge.model.chip_events import ForeignChip
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import POT, TRAY, Place, bet_seat_of
from tablebridge.model.readings import Sweep, TrayReading
from tablebridge.sensing.chips.bet_spot import GONE_VISITS, BetSpot, Pile
from tablebridge.sensing.chips.chip_content import ChipContent
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.tags.registry import DeckRegistry

FOREIGN_READS: Final = 3
TWIN_VISITS: Final = 100
_MOST_TOLD: Final = 8
"""Foreign chips a hand: a whole rack that nobody enrolled is told by some of it."""
_MOST_FOLLOWED: Final = 512


class TableChips:
    """`places`: all places that the table's antennas look at."""

    def __init__(self, places: Iterable[Place], registry: DeckRegistry) -> None:
        self._registry = registry
        self._spots = {place: BetSpot(seat) for place in places if (seat := bet_seat_of(place)) is not None}
        self._contents = {place: ChipContent(place) for place in (TRAY, POT)}
        self._piles: dict[tuple[str, int], Pile] = {}
        self._in_tray: frozenset[str] = frozenset()
        self._counted: set[Place] = set()
        self._foreign: dict[str, int] = {}
        self._told: set[str] = set()

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though nothing is read."""
        waits = [spot.wake_ns for spot in self._spots.values()] + [
            content.wake_ns for content in self._contents.values()
        ]
        return min((wait for wait in waits if wait is not None), default=None)

    def begin_hand(self) -> None:
        """What was told of a hand may be told again."""
        self._foreign.clear()
        self._told.clear()

    def sweep(
        self, place: Place, device: str, sweep: Sweep, reading: str, now: Instant, expect: Expectation
    ) -> list[Conclusion]:
        """An antenna that looks at a place for chips was visited."""
        visits = max(1, sweep.visits)
        chips = {tag: value for tag in sweep.tags if (value := self._registry.chip(tag)) is not None}
        told = self._strangers(place, sweep.tags, visits, reading)
        spot = self._spots.get(place)
        if spot is not None:
            told += spot.sweep(chips.items(), visits, sweep.complete, reading, now, expect)
            told += spot.release(now, expect.street, partial(self._better, place))
            told += self._twins(place, spot.pile, reading)
        else:
            pile = self._piles.setdefault((device, sweep.antenna), Pile())
            pile.sweep(chips, visits, sweep.complete)
            found = tuple(chip.value for chip in pile.there().values())
            # An antenna at the tray that never read a chip is one for cards.
            if found or place in self._counted:
                self._counted.add(place)
                self._contents[place].report(f"{device}/{sweep.antenna}", found, reading, now)
        return told + self.due(now, expect)

    def tray(self, device: str, report: TrayReading, reading: str, now: Instant) -> list[Conclusion]:
        """A tray told what it holds. Tags that are no chips are left out."""
        chips = [value for tag in report.tags if (value := self._registry.chip(tag)) is not None]
        for value, count in report.counts.items():
            chips.extend([value] * max(0, min(count, 10_000)))
        self._in_tray = frozenset(report.tags)
        self._contents[TRAY].report(device, tuple(chips), reading, now)
        return [
            *self._strangers(TRAY, report.tags, FOREIGN_READS, reading),
            *self._contents[TRAY].release(now),
        ]

    def due(self, now: Instant, expect: Expectation) -> list[Conclusion]:
        """Time has passed."""
        told = []
        for place, spot in self._spots.items():
            told += spot.release(now, expect.street, partial(self._better, place))
        for content in self._contents.values():
            told += content.release(now)
        return told

    def _better(self, here: Place, tag: str, rate: float) -> bool:
        """Whether another spot reads the chip more often than this one."""
        return any(
            chip.rate > rate and chip.misses < GONE_VISITS // 2
            for place, spot in self._spots.items()
            if place != here and (chip := spot.pile.chips.get(tag)) is not None
        )

    def _twins(self, here: Place, pile: Pile, reading: str) -> list[Conclusion]:
        seat = bet_seat_of(here) or 0
        told: list[Conclusion] = []
        for tag, chip in pile.chips.items():
            if chip.seen < TWIN_VISITS or chip.rate < 0.5 or chip.misses or tag in self._told:
                continue
            far = any(
                other.rate >= 0.5 and other.seen >= TWIN_VISITS and not other.misses
                for place, spot in self._spots.items()
                if abs((bet_seat_of(place) or 0) - seat) > 1
                and (other := spot.pile.chips.get(tag)) is not None
            )
            if far or tag in self._in_tray:
                self._told.add(tag)
                told.append(Conclusion(ForeignChip(here, "two-places"), evidence=(reading,)))
        return told

    def _strangers(self, place: Place, tags: Iterable[str], visits: int, reading: str) -> list[Conclusion]:
        told: list[Conclusion] = []
        if not self._registry.has_chips:
            return told
        for tag in tags:
            if (
                tag in self._told
                or self._registry.chip(tag) is not None
                or self._registry.card(tag) is not None
            ):
                continue
            if tag in self._foreign or len(self._foreign) < _MOST_FOLLOWED:
                self._foreign[tag] = self._foreign.get(tag, 0) + visits
                if self._foreign[tag] >= FOREIGN_READS and len(self._told) < _MOST_TOLD:
                    self._told.add(tag)
                    told.append(Conclusion(ForeignChip(place), evidence=(reading,)))
        return told
