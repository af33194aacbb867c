"""Enrolling a deck as a step: the card that is asked for, what was wrong with the last, and which tags belong
to another deck. Pure; how tags are judged is in `sensing.enrolment.deck_enrolment`.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.readings import Sweep
from tablebridge.sensing.enrolment.deck_enrolment import DeckEnrolment

Said = Literal["", "enrolled", "known", "several", "foreign", "undone", "complete"]


class DeckView(msgspec.Struct, frozen=True):
    """The step as it is shown. `wanted`: the card that is asked for, None once the deck is complete; `count`
    of `total` have their tags; `said`: what came of the last report, about `card` or the deck `other`;
    `heard`: how many reports something came of, so that each sounds once. `spot`: on which antenna.
    """

    deck: str
    kind: str
    wanted: Card | None
    count: int
    total: int
    said: Said = ""
    card: Card | None = None
    other: str = ""
    heard: int = 0
    may_undo: bool = False
    spot: str = ""


class DeckStep:
    """The enrolment of one deck, from `deck` as it is so far. `others`: tags of other decks, and whose."""

    def __init__(self, deck: Deck, others: Mapping[str, str] | None = None) -> None:
        self._enrolment = DeckEnrolment(deck)
        self._kind = deck.kind
        self._order = spread_order(deck.kind)
        self._others = others or {}
        self._said: Said = ""
        self._card: Card | None = None
        self._other = ""
        self._heard = 0
        self._new = 0

    @property
    def deck(self) -> Deck:
        """The deck so far."""
        return self._enrolment.deck

    @property
    def wanted(self) -> Card | None:
        """The card that is asked for; None when the deck is complete."""
        return self._enrolment.wanted

    @property
    def said(self) -> Said:
        """What came of the last report that something came of."""
        return self._said

    @property
    def position(self) -> int:
        """The position in the spread of the card that was spoken of last, from 1; 0 for none."""
        return 0 if self._card is None else self._order.index(self._card) + 1

    def sweep(self, sweep: Sweep) -> Said:
        """One visit or several of the enrolling antenna; empty if nothing follows yet."""
        for tag in sweep.tags:
            if tag in self._others:
                return self._foreign(self._others[tag])
        if self._said == "foreign":
            self._say("")
        step = self._enrolment.enrol_card(sweep)
        if step is None or (step.what == "complete" and self._said == "complete"):
            return ""
        card = self._order[step.position - 1] if step.position else None
        self._new += step.what == "enrolled"
        return self._say("complete" if self.wanted is None and step.what == "enrolled" else step.what, card)

    def undo(self) -> Card | None:
        """Take the card back that was enrolled last. None if this run has enrolled none."""
        position = self._enrolment.undo()
        if position is None:
            return None
        self._new -= 1
        self._say("undone", self._order[position - 1])
        return self._card

    def view(self, spot: str = "") -> DeckView:
        """The step as it is shown."""
        return DeckView(
            self.deck.name,
            self._kind,
            self.wanted,
            len(self.deck.cards),
            self._enrolment.total,
            self._said,
            self._card,
            self._other,
            self._heard,
            self._new > 0,
            spot,
        )

    def _foreign(self, deck: str) -> Said:
        """A tag of another deck is read; that is said once until it is gone."""
        if self._said == "foreign":
            return ""
        self._other = deck
        return self._say("foreign")

    def _say(self, said: Said, card: Card | None = None) -> Said:
        self._said, self._card = said, card
        self._heard += said != ""
        return said


__all__ = ["DeckStep", "DeckView", "Said"]
