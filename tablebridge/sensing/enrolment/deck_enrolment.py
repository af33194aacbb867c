"""Enrolling a deck: cards are laid on an antenna, and the tag of each becomes the card that was asked for.
Pure.

**Theory.** The guide asks for the cards in the order of the spread. An antenna names several tags in an order
of its own, so a tag is certainly the card asked for only if it is the one new tag in the field. Cards that
were enrolled may therefore stay: laid beside each other if the antenna reads several, or lifted one by one if
it does not. A new tag counts once it was read in `READS` visits; a tag that stayed is gone when `EMPTY`
visits did not read it.

| state   | read                             | then                                              |
| ------- | -------------------------------- | ------------------------------------------------- |
| waiting | one new tag, `READS` times       | it is the card asked for: `enrolled`; it may stay |
| waiting | alone, an enrolled tag again     | `known`: which position it has                    |
| waiting | two new tags or more             | `several`, once; go to mixed                      |
| mixed   | no new tag, `EMPTY` times        | waiting: the same card is asked for again         |
| any     | undo                             | the last card is asked for again, once it was lifted |
| waiting | the last card was enrolled       | `complete`                                        |

In mixed nothing is enrolled: which of the cards is missed now and then does not say which is which. A deck
that is enrolled in part is continued at its first missing card.
"""

from typing import Final, Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.readings import Sweep

READS: Final = 3
EMPTY: Final = 2
"""Visits that settle that a tag is there, and that it is not; assumed."""


class EnrolmentStep(msgspec.Struct, frozen=True):
    """What one report of the antenna did for the deck. `position`: of the card in the order of the spread,
    from 1.
    """

    what: Literal["enrolled", "known", "several", "complete"]
    position: int = 0


class DeckEnrolment:
    """Enrols one deck, from `deck` as it is so far."""

    def __init__(self, deck: Deck) -> None:
        self._name = deck.name
        self._kind = deck.kind
        self._order = spread_order(deck.kind)
        self._cards = dict(deck.cards)
        self._enrolled: list[str] = []
        self._settled: dict[str, int] = {}
        self._candidate = ""
        self._count = 0
        self._mixed = False

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

    def enrol_card(self, sweep: Sweep) -> EnrolmentStep | None:
        """One visit or several of the enrolling antenna. Returns None if there is nothing to say yet."""
        wanted = self.wanted
        visits = max(1, sweep.visits)
        if wanted is None:
            return EnrolmentStep("complete")
        fresh = [tag for tag in sweep.tags if tag not in self._settled]
        self._note_lifted(sweep, visits)
        new = [tag for tag in fresh if tag not in self._cards]
        if self._mixed:
            self._count = 0 if new else self._count + visits if sweep.complete else self._count
            self._mixed = self._count < EMPTY
            if not self._mixed:
                self._count = 0
            return None
        if len(new) > 1:
            self._candidate, self._count, self._mixed = "", 0, True
            return EnrolmentStep("several")
        came = new or (fresh if len(sweep.tags) == 1 else [])
        if not came:
            return None
        tag = came[0]
        self._count = self._count + visits if tag == self._candidate else visits
        self._candidate = tag
        if self._count < READS:
            return None
        self._candidate, self._count = "", 0
        self._settled[tag] = 0
        if tag in self._cards:
            return EnrolmentStep("known", self._order.index(self._cards[tag]) + 1)
        self._cards[tag] = wanted
        self._enrolled.append(tag)
        return EnrolmentStep("enrolled", self._order.index(wanted) + 1)

    def _note_lifted(self, sweep: Sweep, visits: int) -> None:
        """Forgets the settled tags that are gone: a card that stays is not a new one."""
        for tag in list(self._settled):
            self._settled[tag] = (
                0 if tag in sweep.tags else self._settled[tag] + (visits if sweep.complete else 0)
            )
            if self._settled[tag] >= EMPTY:
                del self._settled[tag]

    def undo(self) -> int | None:
        """Forgets the card enrolled last. Returns its position, or None if this run has enrolled none."""
        if not self._enrolled:
            return None
        card = self._cards.pop(self._enrolled.pop())
        self._candidate, self._count = "", 0
        return self._order.index(card) + 1
