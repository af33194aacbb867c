"""The chips at all their places: bet spots, stacks, the pot, the tray; and chips that are not of this house.

A tag at one of these places that is neither a chip nor a card is a stray (`tags/strays.py`). A chip that
answers at two places that do not touch, in at least `clone_rate` of `clone_visits` visits, is two chips of
one identity. If no chip is enrolled, tags at these places are not judged.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from tablebridge.model.chip_events import ForeignChip
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import POT, TRAY, Place, bet_seat_of, stack_seat_of
from tablebridge.model.readings import Sweep, TrayReading
from tablebridge.sensing.chips.bet_spot import BetSpot, Chip, Pile
from tablebridge.sensing.chips.chip_content import ChipContent
from tablebridge.sensing.chips.stack import Stack
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import Dynamics, earliest
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sensing.tags.strays import StrayTags

_MOST_OF_A_KIND = 10_000
"""Chips of one denomination that a tray may claim to hold."""


class TableChips:
    """The chips of one table. `places`: all places that the table's antennas look at."""

    def __init__(self, places: Iterable[Place], registry: DeckRegistry, dynamics: Dynamics) -> None:
        self._registry = registry
        self._bounds = dynamics.chips
        self._tag_bounds = dynamics.tags
        self._spots = {
            place: BetSpot(seat, self._bounds) for place in places if (seat := bet_seat_of(place)) is not None
        }
        self._stacks = {
            place: Stack(seat, self._bounds) for place in places if (seat := stack_seat_of(place)) is not None
        }
        self._contents = {place: ChipContent(place, self._bounds) for place in (TRAY, POT)}
        self._waiting: tuple[BetSpot | ChipContent, ...] = (*self._spots.values(), *self._contents.values())
        self._piles: dict[tuple[str, int], Pile] = {}
        self._in_tray: frozenset[str] = frozenset()
        self._counted: set[Place] = set()
        self._strays = StrayTags(self._tag_bounds)
        self._reported: set[str] = set()

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though nothing is read."""
        return earliest(*[part.wake_ns for part in self._waiting])

    def begin_hand(self) -> None:
        """What was reported in a hand may be reported again."""
        self._strays.begin_hand()
        self._reported.clear()
        for stack in self._stacks.values():
            stack.begin_hand()

    def read_chips(
        self, place: Place, device: str, sweep: Sweep, reading: str, now: Instant, expect: Expectation
    ) -> list[Conclusion]:
        """An antenna that looks at a place for chips was visited."""
        visits = max(1, sweep.visits)
        chips = {tag: value for tag in sweep.tags if (value := self._registry.chip(tag)) is not None}
        concluded = self._count_strays(place, sweep.tags, visits, reading)
        spot = self._spots.get(place)
        if spot is not None:
            concluded += spot.read_spot(chips.items(), visits, sweep.complete, reading, now, expect)
            concluded += spot.release_bet(now, expect.street, partial(self._answers_better_elsewhere, place))
            concluded += self._find_clones(place, spot.pile, reading)
        elif (stack := self._stacks.get(place)) is not None:
            others = partial(self._best_rate_elsewhere, place)
            stack.read_stack(chips, visits, sweep.complete, reading, now, others)
        else:
            pile = self._piles.setdefault((device, sweep.antenna), Pile(self._bounds))
            pile.count_reads(chips, visits, sweep.complete)
            found = tuple(chip.value for chip in pile.there().values())
            # An antenna at the tray that never read a chip is there for cards.
            if found or place in self._counted:
                self._counted.add(place)
                self._contents[place].count(f"{device}/{sweep.antenna}", found, reading, now)
        return concluded + self.release_chips(now, expect)

    def read_tray(self, device: str, tray: TrayReading, reading: str, now: Instant) -> list[Conclusion]:
        """A tray reported what it holds. Tags that are no chips are left out."""
        chips = [value for tag in tray.tags if (value := self._registry.chip(tag)) is not None]
        for value, count in tray.counts.items():
            chips.extend([value] * max(0, min(count, _MOST_OF_A_KIND)))
        self._in_tray = frozenset(tray.tags)
        self._contents[TRAY].count(device, tuple(chips), reading, now)
        enough = self._tag_bounds.foreign_reads  # a tray counts by itself until it is sure
        strays = self._count_strays(TRAY, tray.tags, enough, reading)
        return strays + self._contents[TRAY].release_count(now)

    def release_chips(self, now: Instant, expect: Expectation) -> list[Conclusion]:
        """Bets and counts that need not wait any more."""
        released = []
        for place, stack in self._stacks.items():
            released += stack.release_count(now, expect, partial(self._best_rate_elsewhere, place))
        for place, spot in self._spots.items():
            released += spot.release_bet(now, expect.street, partial(self._answers_better_elsewhere, place))
        for content in self._contents.values():
            released += content.release_count(now)
        return released

    def _answers_better_elsewhere(self, here: Place, tag: str, rate: float) -> bool:
        """Whether another spot reads the chip more often than this one."""
        return any(chip.rate > rate for chip in self._answering_elsewhere(here, tag))

    def _best_rate_elsewhere(self, here: Place, tag: str) -> float:
        """How often the spot or stack that reads the chip most reads it, this one left out."""
        there = (chip for chip in self._answering_elsewhere(here, tag) if chip.reads >= self._bounds.reads)
        return max((chip.rate for chip in there), default=0.0)

    def _answering_elsewhere(self, here: Place, tag: str) -> Iterator[Chip]:
        """The chip as other spots and stacks read it just now."""
        piles = [(place, spot.pile) for place, spot in self._spots.items()]
        piles += [(place, stack.pile) for place, stack in self._stacks.items()]
        for place, pile in piles:
            if place != here:
                chip = pile.chips.get(tag)
                if chip is not None and chip.missed < self._bounds.gone_visits // 2:
                    yield chip

    def _find_clones(self, here: Place, pile: Pile, reading: str) -> list[Conclusion]:
        """The chips of a spot that answer far from it as well."""
        found: list[Conclusion] = []
        for tag, chip in pile.chips.items():
            if not self._answers_steadily(chip) or tag in self._reported:
                continue
            if tag in self._in_tray or self._answers_far(tag, here):
                self._reported.add(tag)
                found.append(Conclusion(ForeignChip(here, "two-places"), evidence=(reading,)))
        return found

    def _answers_steadily(self, chip: Chip) -> bool:
        bounds = self._bounds
        return chip.seen >= bounds.clone_visits and chip.rate >= bounds.clone_rate and not chip.missed

    def _answers_far(self, tag: str, here: Place) -> bool:
        """Whether a spot that is no neighbour of this one reads the chip steadily."""
        seat = bet_seat_of(here) or 0
        return any(
            self._answers_steadily(chip)
            for place, spot in self._spots.items()
            if abs((bet_seat_of(place) or 0) - seat) > 1 and (chip := spot.pile.chips.get(tag)) is not None
        )

    def _count_strays(self, place: Place, tags: Iterable[str], visits: int, reading: str) -> list[Conclusion]:
        if not self._registry.has_chips:
            return []
        found: list[Conclusion] = []
        for tag in tags:
            if self._registry.chip(tag) is not None or self._registry.card(tag) is not None:
                continue
            if self._strays.count_reads(tag, visits) and len(self._reported) < self._tag_bounds.most_chips:
                self._reported.add(tag)
                found.append(Conclusion(ForeignChip(place), evidence=(reading,)))
        return found
