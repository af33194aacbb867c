"""Which tags wear: how often a card answers while it certainly lies under an antenna. Pure.

**Theory.** A tag that is bent, wet or cracked answers more and more rarely before it falls silent. To see
that, its reads must be counted against visits in which it could have been read. At a seat a miss is as likely
a player who looks at the cards; on the board nobody lifts one. So a *stay* is counted: a card that the engine
has on the board, from the report after the one that first read it, until the showdown, the end of the hand,
or its being moved. A visit counts only if it read at least half of the cards that lie there: otherwise the
dealer gathers them, or a hand is above the antenna. The rate of a stay: reads per visit.

How a card lies decides for a whole stay, so stays, not visits, are what is independent. Of the deck's stays
mean m and variance s^2 are known; the mean rate of a card with n stays is about normal around the mean of the
others, with variance s^2 / n. It is *weak* if it is so far below that one sound deck in a thousand would have
such a card at all (`ALARM`, shared among the cards of the deck), after `FEWEST` stays. Rates are skewed: in
emulated nights it was one deck in fifty to a hundred, and a tag that had lost a fifth of its reads was found
after twelve stays nine times of ten. Weak is relative: a deck whose cards all answer rarely has a bad
antenna.

A card that was read on the board and then is missed in `SILENT` visits that count has stopped answering, and
is reported at once.
"""

from collections.abc import Callable, Iterable, Mapping
from math import erfc, sqrt
from typing import Final

import msgspec

from tablebridge.model.expectation import Expectation

FEWEST: Final = 12
SILENT: Final = 50
ALARM: Final = 0.001
"""Stays before a tag is judged, visits after which it has fallen silent, and the chance of a false alarm per
deck; all set on emulated nights.
"""
_SHORTEST: Final = 10
"""A stay of fewer visits says too little."""


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was counted of one tag.

    `stays`; `rates`, `squares`: the sums of their rates and of the rates' squares; `unread`: deck checks in
    which it was not read.
    """

    stays: int = 0
    rates: float = 0.0
    squares: float = 0.0
    unread: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.stays + other.stays,
            self.rates + other.rates,
            self.squares + other.squares,
            self.unread + other.unread,
        )


class ReadCounts(msgspec.Struct, frozen=True):
    """What was counted in some hands. `hands`, `shuffles`: numbers by deck. `tags`: of all decks."""

    hands: dict[str, int]
    shuffles: dict[str, int]
    tags: dict[str, Tally]


class _Stay(msgspec.Struct):
    """A stay under way. `missed`: visits in a row that did not read it."""

    antenna: object
    visits: int = 0
    reads: int = 0
    missed: int = 0


class ReadCount:
    """Counts for one table, hand after hand, until `take_counts`."""

    def __init__(self) -> None:
        self._stays: dict[str, _Stay] = {}
        self._tags: dict[str, Tally] = {}
        self._hands: dict[str, int] = {}
        self._shuffles: dict[str, int] = {}
        self._deck = ""
        self._shuffled = 0

    def dealt(self, deck: str) -> None:
        """A card of this deck is dealt in this hand."""
        self._deck = deck

    def shuffled(self) -> None:
        """The deck of this hand was shuffled."""
        self._shuffled += 1

    def begin_hand(self) -> None:
        """The hand before is over."""
        for tag in list(self._stays):
            self._end(tag)
        if self._deck:
            self._hands[self._deck] = self._hands.get(self._deck, 0) + 1
            self._shuffles[self._deck] = self._shuffles.get(self._deck, 0) + self._shuffled
        self._deck, self._shuffled = "", 0

    def count_board(
        self,
        antenna: object,
        tags: Iterable[str],
        visits: int,
        lies: Callable[[str], bool],
        expect: Expectation,
    ) -> list[str]:
        """Counts a complete report of an antenna of the board. `lies`: whether a tag is there for sure.
        Returns the tags that fell silent.
        """
        there = (
            {tag for tag in {*self._stays, *tags} if lies(tag)}
            if expect.phase not in ("idle", "showdown")
            else set()
        )
        for tag in self._stays.keys() - there:
            self._end(tag)
        read = there.intersection(tags)
        silent = []
        counts = 2 * len(read) >= len(there)
        for tag in sorted(there):
            stay = self._stays.get(tag)
            if stay is None:
                if tag in read:
                    self._stays[tag] = _Stay(antenna)
            elif counts and stay.antenna == antenna:
                stay.visits += visits
                before = stay.missed
                stay.missed = 0 if tag in read else before + visits
                stay.reads += visits if tag in read else 0
                if before < SILENT <= stay.missed:
                    silent.append(tag)
        return silent

    def count_unread(self, tags: Iterable[str]) -> None:
        """A deck was checked, and these of its tags were not read."""
        for tag in tags:
            self._add(tag, Tally(unread=1))

    def take_counts(self) -> ReadCounts:
        """What was counted since the last call."""
        counted = ReadCounts(self._hands, self._shuffles, self._tags)
        self._hands, self._shuffles, self._tags = {}, {}, {}
        return counted

    def _end(self, tag: str) -> None:
        stay = self._stays.pop(tag)
        if stay.visits >= _SHORTEST:
            rate = stay.reads / stay.visits
            self._add(tag, Tally(1, rate, rate * rate))

    def _add(self, tag: str, tally: Tally) -> None:
        self._tags[tag] = self._tags.get(tag, Tally()) + tally


class TagHealth(msgspec.Struct, frozen=True):
    """How well one tag answers.

    `stays`: how many it rests on; `rate`: mean of their rates, None without stays; `others`: of the rest of
    its deck; `weak`: its rate is too low for chance; `unread`: deck checks in which it was not read.
    """

    tag: str
    stays: int
    rate: float | None
    others: float | None
    weak: bool
    unread: int


def health(tallies: Mapping[str, Tally]) -> list[TagHealth]:
    """The tags of one deck, in the order given, each judged by the others."""
    whole = sum(tallies.values(), Tally())
    return [_health(tag, tally, whole, ALARM / len(tallies)) for tag, tally in tallies.items()]


def _health(tag: str, mine: Tally, whole: Tally, alarm: float) -> TagHealth:
    stays = whole.stays - mine.stays
    rate = mine.rates / mine.stays if mine.stays else None
    if stays < 2:
        return TagHealth(tag, mine.stays, rate, None, False, mine.unread)
    mean = (whole.rates - mine.rates) / stays
    variance = max((whole.squares - mine.squares - stays * mean * mean) / (stays - 1), 1 / (4 * stays))
    weak = False
    if rate is not None and mine.stays >= FEWEST:
        below = (mean - rate) / sqrt(variance * (1 / mine.stays + 1 / stays))
        weak = erfc(below / sqrt(2)) / 2 < alarm
    return TagHealth(tag, mine.stays, rate, mean, weak, mine.unread)
