"""Rulebooks as data, one module per book with a constant `BOOK`; `load` finds a book by its name, `parse`
makes a house rulebook of text.
"""

from collections.abc import Mapping
from typing import Final

from tablebridge.rulebooks import (
    fspr,
    house_rulebook,
    online_room,
    raise_club,
    tda_2017,
    tda_2022,
    tda_2024,
)
from tablebridge.rulebooks.book import Rulebook

BOOKS: Final[Mapping[str, Rulebook]] = {
    book.name: book
    for book in (tda_2024.BOOK, tda_2022.BOOK, tda_2017.BOOK, fspr.BOOK, raise_club.BOOK, online_room.BOOK)
}


def load(name: str) -> Rulebook:
    """The rulebook of this name. Raises ValueError, with the names there are, for any other."""
    book = BOOKS.get(name)
    if book is None:
        raise ValueError(f"no rulebook is called {name!r}; rulebooks are {', '.join(sorted(BOOKS))}")
    return book


def parse(text: str, name: str) -> Rulebook:
    """The house rulebook of a text that needs no other file, as `text_of` writes it. Raises ValueError."""
    return house_rulebook.parse(text, name, BOOKS)


def text_of(book: Rulebook) -> str:
    """A house rulebook as text, whole; empty for a book that is no house's."""
    return house_rulebook.text_of(book, BOOKS)


__all__ = ["BOOKS", "Rulebook", "load", "parse", "text_of"]
