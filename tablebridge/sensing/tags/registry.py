"""What a tag is: a card and its deck, or a chip and its denomination. Pure; `settings.decks` reads the
files.
"""

from collections.abc import Mapping

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, Inventory


class Known(msgspec.Struct, frozen=True):
    """A tag that is a card of a deck."""

    deck: str
    card: Card


class DeckRegistry:
    """The tags of decks and chips.

    `in_play`: the deck that belongs on the table, or None if any of the decks may lie there. `several`:
    whether there is more than one deck. Raises ValueError if one tag is enrolled twice.
    """

    def __init__(self, inventory: Inventory) -> None:
        self.in_play = inventory.in_play
        if self.in_play is None and len(inventory.decks) == 1:
            self.in_play = inventory.decks[0].name
        self._at_table = frozenset(inventory.at_table)
        self.several = len(inventory.decks) > 1
        self._cards: dict[str, Known] = {}
        self._chips = dict(inventory.chips)
        for deck in inventory.decks:
            for tag, card in deck.cards.items():
                if tag in self._cards or tag in self._chips:
                    raise ValueError(
                        f"a tag of deck {deck.name!r} is enrolled twice; enrol one of the pieces again"
                    )
                self._cards[tag] = Known(deck.name, card)

    @classmethod
    def of(
        cls, cards: Mapping[str, Card], chips: Mapping[str, int] | None = None, name: str = "deck"
    ) -> "DeckRegistry":
        """A registry of one deck."""
        return cls(Inventory((Deck(name, dict(cards)),), dict(chips or {})))

    def card(self, tag: str) -> Known | None:
        """The deck and card of a tag, or None."""
        return self._cards.get(tag)

    @property
    def cards(self) -> dict[str, Card]:
        """The card of each tag that is one, of all decks."""
        return {tag: known.card for tag, known in self._cards.items()}

    def known_card(self, tag: str) -> Known:
        """The deck and card of a tag that is a card. Raises KeyError if it is none."""
        return self._cards[tag]

    def may_play(self, deck: str) -> bool:
        """Whether the deck belongs on the table."""
        return not self._at_table or deck in self._at_table

    def chip(self, tag: str) -> int | None:
        """The denomination of a chip's tag, or None."""
        return self._chips.get(tag)

    @property
    def has_chips(self) -> bool:
        """Whether any chip is enrolled."""
        return bool(self._chips)

    def tags(self, deck: str) -> dict[str, Card]:
        """All tags of a deck."""
        return {tag: known.card for tag, known in self._cards.items() if known.deck == deck}
