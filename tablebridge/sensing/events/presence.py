"""What lies before each seat as the antennas see it, for people: cards that arrive, are looked at, come back,
go away.

**Theory.** The card filter says where each card was last sure to lie, and how likely it is gone from there.
UnreadCards alone cannot tell a fold from a look at the cards, so that silence is told at once as `lifted`, which
costs nothing to take back, and a fold only when the card is read in the muck, or its partner is. The two
bounds lie apart, so that a card that answers now and then does not flicker. A card whose partner was read in
the muck is concluded to lie there, too, and leaves with the next visit.

| a card is | and                                              | it is then | told       |
| --------- | ------------------------------------------------ | ---------- | ---------- |
| anywhere  | it is sure to lie at a seat                      | lying      | `arrived`  |
| lying     | it is gone from there with `LIFTED`              | lifted     | `lifted`   |
| lifted    | it is gone with less than `BACK`                 | lying      | `returned` |
| lifted    | `LONG_VISITS` of its antenna did not settle it   | lifted     | a doubt    |
| either    | it is sure to lie in the muck                    | away       | `mucked`   |
| either    | it is sure to lie elsewhere                      | away       | `left`     |

Nobody looks at a card for so many visits: it is held up, or lies in the muck and does not answer, or its tag
fell silent, and the readings cannot tell which. That is said once, and taken back when the card is read
again.

No sign names a card. They are not entered in the record, which the engine's events make; the same readings
give the same signs.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.model.places import MUCK, Place, seat_of
from tablebridge.model.presence import SeatRead, Sign, SignKind

LIFTED: Final = 0.9
BACK: Final = 0.3
LONG_VISITS: Final = 150
"""Eleven seconds with four readers, fifty with one: looks last three at the most."""


class Settled(msgspec.Struct, frozen=True):
    """A card of which the readings do not say where it is (`place` None), or do again."""

    tag: str
    place: Place | None = None


class _Lies(msgspec.Struct):
    """A card before a seat. `silent`: visits since it was lifted. `doubted`: that was told."""

    lifted: bool = False
    silent: int = 0
    doubted: bool = False


class Presence:
    """Follows the cards before the seats. `place_of(tag)` and `gone(tag)` ask the card filter."""

    def __init__(self, place_of: Callable[[str], Place], gone: Callable[[str], float]) -> None:
        self._place_of = place_of
        self._gone = gone
        self._cards: dict[Place, dict[str, _Lies]] = {}
        self._signs: list[Sign] = []
        self._settled: list[Settled] = []

    def begin_hand(self) -> None:
        """All cards are in the stub."""
        self._cards.clear()

    def read(self) -> dict[int, SeatRead]:
        """What is read before each seat that has cards."""
        return {
            seat: self._count(place)
            for place, cards in self._cards.items()
            if cards and (seat := seat_of(place)) is not None
        }

    def moved(self, tag: str, origin: Place, place: Place, at: Instant, sure: float) -> None:
        """A card is sure to lie at `place`; it lay at `origin` before."""
        self._leaves(tag, origin, place, at, sure)
        if seat_of(place) is not None:
            self._cards.setdefault(place, {})[tag] = _Lies()
            self._tell("arrived", place, at, sure)

    def visited(self, place: Place, visits: int, at: Instant, *, doubts: bool) -> None:
        """The antenna of a place was visited: which of its cards are lifted now, and which no longer.
        `doubts` False: that a card stays away is no wonder now.
        """
        for tag, card in list(self._cards.get(place, {}).items()):
            gone, lies = self._gone(tag), self._place_of(tag)
            if lies != place:
                self._leaves(tag, place, lies, at, 1.0)
            elif not card.lifted and gone >= LIFTED:
                card.lifted, card.silent = True, 0
                self._tell("lifted", place, at, round(gone, 6))
            elif card.lifted and gone < BACK:
                card.lifted = False
                self._tell("returned", place, at, round(1 - gone, 6))
                self._settles(tag, card, place)
            elif card.lifted and doubts and not card.doubted:
                card.silent += visits
                if card.silent >= LONG_VISITS:
                    card.doubted = True
                    self._settled.append(Settled(tag))

    def take(self) -> tuple[Sign, ...]:
        """The signs since it was asked last."""
        signs, self._signs = tuple(self._signs), []
        return signs

    def settled(self) -> tuple[Settled, ...]:
        """The cards of which the readings ceased to say where they are, or say it again, since it was asked
        last.
        """
        settled, self._settled = tuple(self._settled), []
        return settled

    def _leaves(self, tag: str, origin: Place, place: Place, at: Instant, sure: float) -> None:
        card = self._cards.get(origin, {}).pop(tag, None)
        if card is not None:
            self._tell("mucked" if place == MUCK else "left", origin, at, sure)
            self._settles(tag, card, place)

    def _settles(self, tag: str, card: _Lies, place: Place) -> None:
        if card.doubted:
            card.doubted = False
            self._settled.append(Settled(tag, place))

    def _count(self, place: Place) -> SeatRead:
        lifted = [card.lifted for card in self._cards.get(place, {}).values()]
        return SeatRead(lifted.count(False), lifted.count(True))

    def _tell(self, sign: SignKind, place: Place, at: Instant, sure: float) -> None:
        self._signs.append(Sign(sign, place, self._count(place), at, sure))
