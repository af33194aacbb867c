"""What lies before each seat as the antennas see it, for people: cards that arrive, are looked at, come back, go away.

**Theory.** The card filter says where each card was last sure to lie, and how likely it is gone from there. Silence alone
cannot tell a fold from a look at the cards, so that silence is told at once as `lifted`, which costs nothing to take back, and
a fold only when the card is read in the muck, or its partner is. The two bounds lie apart, so that a card that answers now and
then does not flicker. A card whose partner was read in the muck is concluded to lie there, too, and leaves with the next visit.

| a card is | and                                              | it is then | told       |
| --------- | ------------------------------------------------ | ---------- | ---------- |
| anywhere  | it is sure to lie at a seat                      | lying      | `arrived`  |
| lying     | it is gone from there with `LIFTED`              | lifted     | `lifted`   |
| lifted    | it is gone with less than `BACK`                 | lying      | `returned` |
| either    | it is sure to lie in the muck                    | away       | `mucked`   |
| either    | it is sure to lie elsewhere                      | away       | `left`     |

No sign names a card. They are not entered in the record, which the engine's events make; the same readings give the same signs.
"""

from collections.abc import Callable
from typing import Final

from tablebridge.model.instant import Instant
from tablebridge.model.places import MUCK, Place, seat_of
from tablebridge.model.presence import SeatRead, Sign, SignKind

LIFTED: Final = 0.9
BACK: Final = 0.3


class Presence:
    """Follows the cards before the seats. `place_of(tag)` and `gone(tag)` ask the card filter."""

    def __init__(self, place_of: Callable[[str], Place], gone: Callable[[str], float]) -> None:
        self._place_of = place_of
        self._gone = gone
        self._lies: dict[Place, dict[str, bool]] = {}
        self._signs: list[Sign] = []

    def begin_hand(self) -> None:
        """All cards are in the stub."""
        self._lies.clear()

    def read(self) -> dict[int, SeatRead]:
        """What is read before each seat that has cards."""
        return {seat: self._count(place) for place, tags in self._lies.items() if tags and (seat := seat_of(place)) is not None}

    def moved(self, tag: str, origin: Place, place: Place, at: Instant, sure: float) -> None:
        """A card is sure to lie at `place`; it lay at `origin` before."""
        self._leaves(tag, origin, place, at, sure)
        if seat_of(place) is not None:
            self._lies.setdefault(place, {})[tag] = False
            self._tell("arrived", place, at, sure)

    def visited(self, place: Place, at: Instant) -> None:
        """The antenna of a place was visited: which of its cards are lifted now, and which no longer."""
        cards = self._lies.get(place)
        if not cards:
            return
        for tag, lifted in list(cards.items()):
            gone, lies = self._gone(tag), self._place_of(tag)
            if lies != place:
                self._leaves(tag, place, lies, at, 1.0)
            elif not lifted and gone >= LIFTED:
                cards[tag] = True
                self._tell("lifted", place, at, round(gone, 6))
            elif lifted and gone < BACK:
                cards[tag] = False
                self._tell("returned", place, at, round(1 - gone, 6))

    def take(self) -> tuple[Sign, ...]:
        """The signs since it was asked last."""
        signs = tuple(self._signs)
        self._signs.clear()
        return signs

    def _leaves(self, tag: str, origin: Place, place: Place, at: Instant, sure: float) -> None:
        if self._lies.get(origin, {}).pop(tag, None) is not None:
            self._tell("mucked" if place == MUCK else "left", origin, at, sure)

    def _count(self, place: Place) -> SeatRead:
        cards = self._lies.get(place, {})
        lifted = sum(cards.values())
        return SeatRead(len(cards) - lifted, lifted)

    def _tell(self, sign: SignKind, place: Place, at: Instant, sure: float) -> None:
        self._signs.append(Sign(sign, place, self._count(place), at, sure))
