"""Which antenna looks at which place, found by placing a card on each. Pure.

**Theory.** Before a place is requested, the tags on the table are noted: they prove nothing, until they were
not read in `GONE` visits of their antennas; then they are new again. A tag that is new and is read in `READS`
visits of one antenna gives that antenna the place. If another antenna has read it half as often by then, the
fields overlap, which is reported and stops nothing. Then the card must be taken away before the next place is
requested.

| state   | read                                                | then                   |
| ------- | --------------------------------------------------- | ---------------------- |
| waiting | a new tag, `READS` times on a free antenna          | `found`, go to lifting |
| waiting | the same on an antenna that has a place already     | `taken`, once          |
| waiting | two new tags on one antenna                         | `several`, once        |
| lifting | no antenna reads the tag in its last `EMPTY` visits | `lifted`               |
"""

from collections import Counter
from typing import Final, Literal

import msgspec

from tablebridge.model.places import Place
from tablebridge.model.readings import Sweep

READS: Final = 4
EMPTY: Final = 2
GONE: Final = 8
"""Visits without a tag that lay there before it counts as taken away: a weak one is missed now and then."""

Spot = tuple[str, int]
"""A device's name and the number of its antenna."""


class MappingStep(msgspec.Struct, frozen=True):
    """What followed from a sweep. `spot`: the antenna; `also`: others that read the same card nearly as
    well.
    """

    what: Literal["found", "taken", "several", "lifted"]
    spot: Spot
    also: tuple[Spot, ...] = ()


class Mapping:
    """The antennas that were found so far: `places`."""

    def __init__(self) -> None:
        self.places: dict[Spot, Place] = {}
        self._place: Place | None = None
        self._present: dict[Spot, frozenset[str]] = {}
        self._known: dict[str, int] = {}
        """Tags that lay there when a card was asked for, and in how many visits they were missed since."""
        self._lay: dict[str, Spot] = {}
        """The antenna that read such a tag last."""
        self._reads: Counter[tuple[str, Spot]] = Counter()
        self._reported: set[str] = set()
        self._tag = ""
        self._empty: dict[Spot, int] = {}

    def forget(self, place: Place) -> None:
        """No antenna looks at this place any more."""
        self.places = {spot: other for spot, other in self.places.items() if other != place}

    def ask(self, place: Place) -> None:
        """Wait for a card there from now on. Tags that are on the table already do not count."""
        self._place, self._tag = place, ""
        self._lay = {tag: spot for spot, tags in self._present.items() for tag in tags}
        self._known = dict.fromkeys(self._lay, 0)
        self._reads.clear()
        self._reported.clear()

    @property
    def lies(self) -> str:
        """The tag of the card that gave its place an antenna and lies there still; empty if none does."""
        return self._tag

    @property
    def lying(self) -> list[Spot]:
        """The antennas without a place on which a tag lies that was there before a card was asked for."""
        return sorted(
            spot
            for spot, tags in self._present.items()
            if spot not in self.places and not self._known.keys().isdisjoint(tags)
        )

    def sweep(self, device: str, sweep: Sweep) -> MappingStep | None:
        """Take one visit or several of one antenna; None if nothing follows yet."""
        spot = device, sweep.antenna
        self._forget(spot, sweep)
        if sweep.complete or sweep.tags:
            self._present[spot] = frozenset(sweep.tags)
        if self._tag:
            return self._lifting(spot, sweep)
        if self._place is None:
            return None
        new = [tag for tag in sweep.tags if tag not in self._known]
        if len(new) > 1:
            return self._once("several", spot)
        for tag in new:
            self._reads[tag, spot] += sweep.visits
            if self._reads[tag, spot] >= READS:
                return self._found(tag, spot)
        return None

    def _forget(self, spot: Spot, sweep: Sweep) -> None:
        """Tags that lay there and were taken away are new when they come again."""
        for tag in self._known.keys() & sweep.tags:
            self._known[tag] = 0
            self._lay[tag] = spot
        if not sweep.complete:
            return
        for tag in [tag for tag, lay in self._lay.items() if lay == spot and tag not in sweep.tags]:
            self._known[tag] = self._known.get(tag, 0) + sweep.visits
            if self._known[tag] >= GONE:
                del self._known[tag], self._lay[tag]

    def _found(self, tag: str, spot: Spot) -> MappingStep | None:
        if spot in self.places:
            return self._once("taken", spot)
        assert self._place is not None
        self.places[spot] = self._place
        self._place, self._tag = None, tag
        self._empty = {other: 0 for (read, other) in self._reads if read == tag}
        also = sorted(
            other
            for (read, other), count in self._reads.items()
            if read == tag and other != spot and 2 * count >= READS
        )
        return MappingStep("found", spot, tuple(also))

    def _lifting(self, spot: Spot, sweep: Sweep) -> MappingStep | None:
        if self._tag in sweep.tags:
            self._empty[spot] = 0
        elif spot in self._empty and sweep.complete:
            self._empty[spot] += sweep.visits
        if all(count >= EMPTY for count in self._empty.values()):
            self._tag = ""
            return MappingStep("lifted", spot)
        return None

    def _once(self, what: Literal["taken", "several"], spot: Spot) -> MappingStep | None:
        reported = what in self._reported
        self._reported.add(what)
        return None if reported else MappingStep(what, spot)


__all__ = ["EMPTY", "READS", "Mapping", "MappingStep", "Spot"]
