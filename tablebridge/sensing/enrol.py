"""Enrolling a deck: one card after the other is laid on an antenna, and its tag becomes that card's. Pure.

**Theory.** The guide asks for the cards in the order of the spread. A tag counts once it was read alone in `READS` visits;
after that the antenna must be seen empty before the next card counts, so a card that stays is not taken for the next one.

| state   | read                               | then                                                     |
| ------- | ---------------------------------- | -------------------------------------------------------- |
| waiting | one tag, not enrolled, `READS` times | it is the card asked for: `enrolled`, go to lifting      |
| waiting | one tag that is enrolled, `READS` times | `known`: says which position it has, go to lifting    |
| waiting | two tags or more                   | `several`: lay down one card only (once)                 |
| lifting | no tag, `EMPTY` times              | waiting                                                  |
| any     | undo                               | the last card enrolled is asked for again                |
| waiting | the last card was enrolled         | `complete`                                               |

A deck that is partly enrolled is gone on with at its first missing card.
"""

from typing import Final, Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.readings import Sweep

READS: Final = 3
EMPTY: Final = 2


class Step(msgspec.Struct, frozen=True):
    """What became of a sweep. `position`: of the card in the order of the spread, from 1."""

    what: Literal["enrolled", "known", "several", "complete"]
    position: int = 0


class Enrolment:
    """Enrols one deck, from `deck` as it is so far."""

    def __init__(self, deck: Deck) -> None:
        self._name = deck.name
        self._kind = deck.kind
        self._order = spread_order(deck.kind)
        self._cards = dict(deck.cards)
        self._enrolled: list[str] = []
        self._candidate = ""
        self._count = 0
        self._lifting = False
        self._several = False

    @property
    def deck(self) -> Deck:
        """The deck so far."""
        return Deck(self._name, dict(self._cards), self._kind)

    @property
    def wanted(self) -> Card | None:
        """The card that is asked for; None when the deck is complete."""
        missing = self.deck.missing
        return missing[0] if missing else None

    @property
    def total(self) -> int:
        """How many cards the deck has when it is complete."""
        return len(self._order)

    def sweep(self, sweep: Sweep) -> Step | None:
        """One visit or several of the enrolling antenna. None: nothing to say yet."""
        wanted = self.wanted
        visits = max(1, sweep.visits)
        if wanted is None:
            return Step("complete")
        if not sweep.tags:
            self._several = False
            if self._lifting and sweep.complete:
                self._count += visits
                if self._count >= EMPTY:
                    self._lifting, self._count, self._candidate = False, 0, ""
            return None
        if self._lifting:
            self._count = 0
            return None
        if len(sweep.tags) > 1:
            self._candidate, told = "", self._several
            self._several = True
            return None if told else Step("several")
        tag = sweep.tags[0]
        self._count = self._count + visits if tag == self._candidate else visits
        self._candidate = tag
        if self._count < READS:
            return None
        self._lifting, self._count, self._several = True, 0, False
        if tag in self._cards:
            return Step("known", self._order.index(self._cards[tag]) + 1)
        self._cards[tag] = wanted
        self._enrolled.append(tag)
        return Step("enrolled", self._order.index(wanted) + 1)

    def undo(self) -> int | None:
        """Forget the card enrolled last; its position, or None where this run has enrolled none."""
        if not self._enrolled:
            return None
        card = self._cards.pop(self._enrolled.pop())
        self._candidate, self._count = "", 0
        return self._order.index(card) + 1
