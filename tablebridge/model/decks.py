"""Decks and chips as a table's technician enrolled them: which tag is which card, which tag is worth what."""

import re
from typing import Final

import msgspec

from tablebridge.model.cards import DECK_52, RANKS, Card, deck_of

SPREAD_SUITS = "hcds"
"""The order of suits when a deck is spread: hearts, clubs, diamonds, spades."""
_UID: Final = re.compile(r"[0-9A-F]{6}(?:[0-9A-F]{2})*")


def parse_uid(text: str) -> str:
    """A tag's UID as upper-case hex, at least 3 bytes. Raises ValueError.

    ISO 14443 has 4, 7 or 10, ISO 15693 has 8, EM4100 has 5, and a reader with 26 bits of Wiegand passes on 3.
    """
    uid = text.strip().upper()
    if _UID.fullmatch(uid):
        return uid
    raise ValueError("a tag is an even number of hexadecimal digits, 6 or more, such as E0040150ABCD0001")


def spread_order(kind: str) -> tuple[Card, ...]:
    """The cards of a deck in the order of the spread: suit after suit, each from the ace over the two to the
    king.

    Jokers come last. Raises ValueError for an unknown kind of deck.
    """
    ranks = RANKS[-1] + RANKS[:-1]
    place = {
        Card(rank + suit): n for n, (suit, rank) in enumerate((s, r) for s in SPREAD_SUITS for r in ranks)
    }
    return tuple(sorted(deck_of(kind), key=lambda card: place.get(card, len(DECK_52))))


class Deck(msgspec.Struct, frozen=True):
    """One physical deck. `cards`: tag (UID, upper-case hex) to card, one tag per card. `kind`: see
    `model.cards.deck_of`.
    """

    name: str
    cards: dict[str, Card]
    kind: str = "52"

    @property
    def missing(self) -> tuple[Card, ...]:
        """Cards of the kind that have no tag yet, in the order of the spread."""
        have = set(self.cards.values())
        return tuple(card for card in spread_order(self.kind) if card not in have)


class Inventory(msgspec.Struct, frozen=True):
    """All that a table's antennas may read. `chips`: tag to denomination.

    `in_play`: the deck that belongs on the table; None if several may be in play. `at_table`: the names of
    those that may, empty if all may.
    """

    decks: tuple[Deck, ...] = ()
    chips: dict[str, int] = {}
    in_play: str | None = None
    at_table: tuple[str, ...] = ()
