"""Numbers for the cards of a hand, which say neither face nor tag."""

import hashlib
from collections.abc import Iterable, Mapping

from tablebridge.model.cards import Card


class CardNumbers:
    """The cards of one hand, numbered in the order in which their tags were read first.

    Tags of one sweep may come in the order of their identities: among them the order is that of a digest with
    `salt`, which is of the hand, so that no card is known again by its number in another hand.
    """

    def __init__(self, salt: bytes) -> None:
        self._salt = salt
        self._numbers: dict[str, int] = {}

    def of(self, tags: Iterable[str]) -> tuple[int, ...]:
        """The numbers of these tags, ascending."""
        new = [tag for tag in dict.fromkeys(tags) if tag not in self._numbers]
        for tag in sorted(new, key=self._place):
            self._numbers[tag] = len(self._numbers) + 1
        return tuple(sorted(self._numbers[tag] for tag in tags))

    def faces(self, cards: Mapping[str, Card]) -> dict[int, Card]:
        """By number the faces of the tags that are in `cards`."""
        return {number: cards[tag] for tag, number in self._numbers.items() if tag in cards}

    def _place(self, tag: str) -> bytes:
        return hashlib.sha256(self._salt + tag.encode()).digest()
