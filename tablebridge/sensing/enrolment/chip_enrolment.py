"""Enrolling chips: a rack of one denomination is laid on an antenna, all at once or a few at a time. Pure.

A new tag counts once it was read in `READS` visits. A tag that is a chip already, or a card, is reported once
and left as it is.
"""

from collections.abc import Collection, Mapping
from typing import Final, Literal

import msgspec

from tablebridge.model.readings import Sweep

READS: Final = 3
"""One read may be a ghost; assumed."""


class EnrolledChip(msgspec.Struct, frozen=True):
    """What a tag turned out to be: `enrolled` now, `known` as a chip of `denomination`, or a `card`."""

    what: Literal["enrolled", "known", "card"]
    denomination: int = 0


class ChipEnrolment:
    """Enrols chips of one denomination. `chips`: tag to denomination so far; `cards`: tags that are cards."""

    def __init__(self, denomination: int, chips: Mapping[str, int], cards: Collection[str]) -> None:
        self._denomination = denomination
        self._before = frozenset(chips)
        self._cards = frozenset(cards)
        self._reads: dict[str, int] = {}
        self.chips = dict(chips)

    def enrol_chips(self, sweep: Sweep) -> list[EnrolledChip]:
        """The antenna was visited. Returns the tags that were settled by it."""
        found: list[EnrolledChip] = []
        for tag in sweep.tags:
            before = self._reads.get(tag, 0)
            self._reads[tag] = before + max(1, sweep.visits)
            if before >= READS or self._reads[tag] < READS:
                continue
            if tag in self._cards:
                found.append(EnrolledChip("card"))
            elif tag in self._before:
                found.append(EnrolledChip("known", self.chips[tag]))
            else:
                self.chips[tag] = self._denomination
                found.append(EnrolledChip("enrolled", self._denomination))
        return found
