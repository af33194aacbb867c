"""What a method found in a hand, against the truth: missed, false, and how late."""

from collections.abc import Sequence
from typing import Final

import msgspec

from benchmarks.figures import percentile
from tablebridge.model.places import STUB, Place
from tablebridge.sim.dealing import KINDS, Landing

EARLY_S: Final = 0.3
LATE_S: Final = 2.0


class Score(msgspec.Struct):
    """The score of a method over some hands.

    `waits`: by kind of landing, seconds from the landing to its being named. `stale`: landings after which
    the method was wrong about the card when it left again. `clean`: hands without an error; `squares`: the
    sum of the squared errors per hand.
    """

    hands: int = 0
    landings: int = 0
    missed: int = 0
    false: int = 0
    stale: int = 0
    clean: int = 0
    squares: int = 0
    waits: dict[str, list[float]] = msgspec.field(default_factory=lambda: {kind: [] for kind in KINDS})

    @property
    def errors(self) -> float:
        """Landings missed and places named wrongly, per hand."""
        return (self.missed + self.false) / self.hands

    @property
    def deviation(self) -> float:
        """The standard error of `errors`."""
        return float((max(0.0, self.squares / self.hands - self.errors**2) / self.hands) ** 0.5)

    def wait_ms(self, percent: float, kind: str = "") -> float:
        """A percentile of the waits, of one kind or of all, in ms; NaN if nothing was found."""
        waits = self.waits[kind] if kind else [wait for kind in KINDS for wait in self.waits[kind]]
        return 1e3 * percentile(waits, percent) if waits else float("nan")

    def add(
        self, landings: Sequence[Landing], named: Sequence[tuple[float, str, Place]], end_s: float
    ) -> None:
        """Adds one hand. `named`: when which card was said to lie where.

        A landing is found by the first naming of that card and place not before `EARLY_S` ahead of it and not
        later than `LATE_S` after the card left. What finds no landing is false, and stays false if it is
        taken back.
        """
        by_tag: dict[str, list[tuple[float, Place]]] = {}
        for at_s, tag, place in named:
            if place != STUB:
                by_tag.setdefault(tag, []).append((at_s, place))
        missed = 0
        used: set[tuple[str, int]] = set()
        for landing in sorted(landings, key=lambda landing: landing.at_s):
            until_s = min(landing.until_s, end_s)
            mine = by_tag.get(landing.tag, [])
            last = [place for at_s, place in mine if at_s <= until_s]
            self.stale += not last or last[-1] != landing.place
            number = _found(landing, until_s, mine, used)
            if number is None:
                missed += 1
            else:
                used.add((landing.tag, number))
                self.waits[landing.kind].append(mine[number][0] - landing.at_s)
        false = sum(map(len, by_tag.values())) - len(used)
        self.hands += 1
        self.landings += len(landings)
        self.missed += missed
        self.false += false
        self.clean += not missed and not false
        self.squares += (missed + false) ** 2


def _found(
    landing: Landing, until_s: float, named: Sequence[tuple[float, Place]], used: set[tuple[str, int]]
) -> int | None:
    """Which naming of the card found its landing. `used`: namings that found another."""
    for number, (at_s, place) in enumerate(named):
        in_time = landing.at_s - EARLY_S <= at_s <= until_s + LATE_S
        if in_time and place == landing.place and (landing.tag, number) not in used:
            return number
    return None
