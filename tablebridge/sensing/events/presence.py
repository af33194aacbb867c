"""What lies before each seat as the antennas see it, for people: cards that arrive, are looked at, come back,
go away.

**Theory.** The card filter says where each card was last sure to lie, and how likely it is gone from there.
Silence alone cannot distinguish a fold from a look at the cards, so that silence is shown at once as
`lifted`, which costs nothing to take back, and a fold only when the card is read in the muck, or its partner
is. The two bounds lie apart, so that a card that answers now and then does not flicker. A card whose partner
was read in the muck is concluded to lie there, too, and leaves with the next visit.

| a card is | and                                              | it is then | shown      |
| --------- | ------------------------------------------------ | ---------- | ---------- |
| anywhere  | it is sure to lie at a seat                      | lying      | `arrived`  |
| lying     | it is gone from there with `lifted`              | lifted     | `lifted`   |
| lifted    | it is gone with less than `back`                 | lying      | `returned` |
| lifted    | `long_visits` of its antenna did not settle it   | lifted     | a doubt    |
| either    | it is sure to lie in the muck                    | away       | `mucked`   |
| either    | it is sure to lie elsewhere                      | away       | `left`     |

Nobody looks at a card for that many visits: it is held up, or lies in the muck and does not answer, or its
tag fell silent, and the readings cannot show which. That is reported once, and taken back when the card is
read again.

No sign names a card. They are not entered in the record, which the engine's events make; the same readings
give the same signs.
"""

from collections.abc import Callable, Mapping

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.model.places import MUCK, Place, seat_of
from tablebridge.model.presence import SeatRead, Sign, SignKind
from tablebridge.sensing.dynamics import PresenceBounds


class SeatDoubt(msgspec.Struct, frozen=True):
    """The readings do not say where a card of a seat is (`place` None), or say it again."""

    tag: str
    place: Place | None = None


class _SeatCard(msgspec.Struct):
    """A card before a seat. `silent`: visits since it was lifted. `doubted`: that was reported."""

    lifted: bool = False
    silent: int = 0
    doubted: bool = False


class Presence:
    """Follows the cards before the seats. `place_of(tag)` and `gone(tag)` ask the card filter."""

    def __init__(
        self,
        place_of: Callable[[str], Place],
        gone: Callable[[str], float],
        bounds: PresenceBounds,
    ) -> None:
        self._place_of = place_of
        self._gone = gone
        self._bounds = bounds
        self._cards: dict[Place, dict[str, _SeatCard]] = {}
        self._read: dict[int, SeatRead] | None = None
        self._signs: list[Sign] = []
        self._doubts: list[SeatDoubt] = []

    def begin_hand(self) -> None:
        """All cards are in the stub."""
        self._cards.clear()
        self._read = None

    def read(self) -> Mapping[int, SeatRead]:
        """What is read before each seat that has cards: asked after each reading, but seldom another."""
        if self._read is None:
            self._read = {
                seat: self._count(place)
                for place, cards in self._cards.items()
                if cards and (seat := seat_of(place)) is not None
            }
        return self._read

    def card_moved(self, tag: str, origin: Place, place: Place, at: Instant, sure: float) -> None:
        """A card is sure to lie at `place`; it lay at `origin` before."""
        self._leave(tag, origin, place, at, sure)
        if seat_of(place) is not None:
            self._cards.setdefault(place, {})[tag] = _SeatCard()
            self._show("arrived", place, at, sure)

    def count_visits(self, place: Place, visits: int, at: Instant, *, doubts: bool) -> None:
        """The antenna of a place was visited: which of its cards are lifted now, and which no longer.
        `doubts` False: that a card stays away is no wonder now.
        """
        for tag, card in list(self._cards.get(place, {}).items()):
            gone, place_now = self._gone(tag), self._place_of(tag)
            if place_now != place:
                self._leave(tag, place, place_now, at, 1.0)
            elif not card.lifted and gone >= self._bounds.lifted:
                card.lifted, card.silent = True, 0
                self._show("lifted", place, at, round(gone, 6))
            elif card.lifted and gone < self._bounds.back:
                card.lifted = False
                self._show("returned", place, at, round(1 - gone, 6))
                self._end_doubt(tag, card, place)
            elif card.lifted and doubts and not card.doubted:
                card.silent += visits
                if card.silent >= self._bounds.long_visits:
                    card.doubted = True
                    self._doubts.append(SeatDoubt(tag))

    def take_signs(self) -> tuple[Sign, ...]:
        """The signs since the last call."""
        signs, self._signs = tuple(self._signs), []
        return signs

    def take_doubts(self) -> tuple[SeatDoubt, ...]:
        """The doubts that began or ended since the last call."""
        doubts, self._doubts = tuple(self._doubts), []
        return doubts

    def _leave(self, tag: str, origin: Place, place: Place, at: Instant, sure: float) -> None:
        card = self._cards.get(origin, {}).pop(tag, None)
        if card is not None:
            self._show("mucked" if place == MUCK else "left", origin, at, sure)
            self._end_doubt(tag, card, place)

    def _end_doubt(self, tag: str, card: _SeatCard, place: Place) -> None:
        if card.doubted:
            card.doubted = False
            self._doubts.append(SeatDoubt(tag, place))

    def _count(self, place: Place) -> SeatRead:
        lifted = [card.lifted for card in self._cards.get(place, {}).values()]
        return SeatRead(lifted.count(False), lifted.count(True))

    def _show(self, sign: SignKind, place: Place, at: Instant, sure: float) -> None:
        self._read = None
        self._signs.append(Sign(sign, place, self._count(place), at, sure))
