"""Which card is which, if only antennas know: the engine follows cards, and does not see the faces of
those that lie down.

Theory. What a person types must never be answered with what only antennas know. So the fold of a hand has no
hidden face to answer with. At its entrance (`entrance.py`) a face that was read and does not lie open is
replaced by a name of no meaning, the same for one face through the hand (`#7`). All that comes of the fold is
therefore the same whatever those faces are. A face that somebody types for a card that lies there under such
a name becomes its *label*, whether or not it is right: by the label the fold knows the card from there on.
What it truly is, is asked only

| by whom | when |
| --- | --- |
| the overlay | at once, behind its delay |
| the record of findings | at once; people get those faces of it that lie open |
| who is paid | when cards that lie down may decide (`showdown.py`) |
| the test of the shuffle, and what contradicts typed faces | when the hand is over |
| exports | for hands that are over |
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from tablebridge.model.cards import DELETED, JOKER, VEILED, Card, face

_DELETED: Final = frozenset(DELETED)
"""A face that was deleted was one of the game's."""


class Veil(msgspec.Struct):
    """The hidden cards of one hand. `names`: of each printed face that was read and lies down, the name;
    `truths`: the reverse; `labels`: names to typed faces; `bearers`: the reverse; `opened`: printed faces
    that machines read where cards lie open; `been`: where machines read each face. `faces`: the deck that the
    game is played with.
    """

    faces: frozenset[str]
    names: dict[Card, Card] = {}
    truths: dict[Card, Card] = {}
    labels: dict[Card, Card] = {}
    bearers: dict[Card, Card] = {}
    opened: set[Card] = set()
    been: dict[Card, set[str]] = {}

    def veils(self, card: Card) -> bool:
        """Whether the card is one of the game's. Others are noticed as such, wherever they lie."""
        printed = face(card)
        return printed in self.faces or printed in _DELETED

    def identity(self, card: Card) -> Card | None:
        """As what the fold knows a card that was read; None if it does not, for it may know another by this
        face.
        """
        printed = face(card)
        name = self.names.get(printed)
        if name is None:
            return card if printed in self.opened or not self.veils(card) else None
        name = name if card == printed else Card(name + "*")
        return self.labels.get(name, name)

    def name(self, card: Card) -> Card:
        """The name of a card that was read and lies down."""
        printed = face(card)
        if printed not in self.names:
            at = len(self.names)
            while VEILED[at] in self.truths:
                at = (at + 1) % len(VEILED)
            self.names[printed] = VEILED[at]
        name = self.names[printed]
        self.truths[name] = printed
        if card != printed:
            name = Card(name + "*")
            self.truths[name] = card
        return name

    def label(self, name: Card, typed: Card) -> None:
        """Somebody typed a face for the card of this name."""
        self.labels[name], self.bearers[typed] = typed, name

    def unlabel(self, typed: Card) -> Card | None:
        """No card is known by this typed face any more; the name of the one that was."""
        name = self.bearers.pop(typed, None)
        if name is not None:
            del self.labels[name]
        return name

    def truth(self, card: Card) -> Card:
        """The face that machines read of a card of the fold, or the one that was typed if none did."""
        card = self.bearers.get(card, card)
        return self.truths.get(card, card)

    def read(self, cards: Iterable[Card]) -> bool:
        """Whether machines read the faces of all these cards of the fold."""
        return all(card in self.truths or card in self.bearers or face(card) in self.opened for card in cards)

    def covered(self, card: Card) -> None:
        """A card of the fold went back into the stub: where it comes next, it may lie down."""
        self.opened.discard(face(card))
        self.unlabel(card)


def veil_of(deck: frozenset[str], *, joker: bool) -> Veil:
    """For a hand with this deck. `joker`: the game plays with it; elsewhere it is a card that does not belong
    there.
    """
    return Veil(deck if joker or JOKER not in deck else deck - {JOKER})
