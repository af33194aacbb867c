"""The test hand as a step: what is expected of the cards of one hand, ticked off as it is read. Pure.

Each seat gets two cards, then the board three, one and one, at places that have an antenna. A card counts at
the place at which sensing believes it; no face is in here, and none is shown. What is not read has a cure.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from tablebridge.model.places import BOARD, Place

_BOARD: Final = (("flop", 3), ("turn", 4), ("river", 5))
_HOLE_CARDS: Final = 2


class Tick(msgspec.Struct, frozen=True):
    """One expectation: `wanted` cards at a place; `count` of them are read. `what`: cards of a seat, or a
    street; `after_s`: when the last of them was read, in seconds since the hand began.
    """

    place: str
    what: Literal["hole", "flop", "turn", "river"]
    wanted: int
    count: int
    after_s: float | None = None

    @property
    def done(self) -> bool:
        """Whether all of them are read."""
        return self.count >= self.wanted


class HandView(msgspec.Struct, frozen=True):
    """The test hand as it is shown. `state`: it is dealt, or is over, with or without all cards; `next`:
    which tick comes next, their number if none; `unknown`: places at which a tag without a card was read;
    `extra`: places that hold more cards than expected.
    """

    deck: str
    state: Literal["dealing", "passed", "failed"]
    ticks: tuple[Tick, ...]
    next: int
    unknown: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()


class TrialHand:
    """A hand with the cards of `deck` (its name) at these places."""

    def __init__(self, deck: str, places: Iterable[Place]) -> None:
        self._deck = deck
        ordered = sorted(set(places), key=lambda place: (place == BOARD, len(place), place))
        self._expected: list[tuple[Place, Literal["hole", "flop", "turn", "river"], int]] = []
        for place in ordered:
            if place == BOARD:
                self._expected += [(BOARD, street, count) for street, count in _BOARD]  # type: ignore[misc]
            elif place.startswith("seat "):
                self._expected.append((place, "hole", _HOLE_CARDS))
        self._at: dict[str, Place] = {}
        self._unknown: dict[Place, None] = {}
        self._after_s: dict[int, float] = {}
        self._over = False

    @property
    def passed(self) -> bool:
        """Whether every card that was expected is read, where it was expected."""
        return bool(self._expected) and len(self._after_s) == len(self._expected)

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self._over or self.passed

    def moved(self, tag: str, place: Place, after_s: float) -> None:
        """Sensing believes a card at a place, `after_s` seconds after the hand began."""
        if self.over:
            return
        self._at[tag] = place
        for index, (expected, _, count) in enumerate(self._expected):
            if self._count(expected) >= count:
                self._after_s.setdefault(index, after_s)
            else:
                self._after_s.pop(index, None)

    def stranger(self, place: Place) -> None:
        """A tag that has no card in this deck was read at a place."""
        if not self.over:
            self._unknown[place] = None

    def end(self) -> None:
        """All cards are dealt: what is not read by now is not read."""
        self._over = True

    def view(self) -> HandView:
        """The hand as it is shown."""
        ticks = tuple(
            Tick(place, what, count, min(count, self._count(place)), self._after_s.get(index))
            for index, (place, what, count) in enumerate(self._expected)
        )
        most = {place: count for place, _, count in self._expected}
        return HandView(
            self._deck,
            "passed" if self.passed else "failed" if self._over else "dealing",
            ticks,
            next((index for index, tick in enumerate(ticks) if not tick.done), len(ticks)),
            tuple(self._unknown),
            tuple(place for place, count in most.items() if self._count(place) > count),
        )

    def _count(self, place: Place) -> int:
        return sum(at == place for at in self._at.values())


__all__ = ["HandView", "Tick", "TrialHand"]
