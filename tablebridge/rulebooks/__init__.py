"""Rulebooks as data, one module a book with a constant `BOOK`; `load` finds one by its name."""

from collections.abc import Mapping
from typing import Final

from tablebridge.rulebooks import fspr, raise_club, tda_2017, tda_2022
from tablebridge.rulebooks.book import Rulebook

BOOKS: Final[Mapping[str, Rulebook]] = {book.name: book for book in (tda_2022.BOOK, tda_2017.BOOK, fspr.BOOK, raise_club.BOOK)}


def load(name: str) -> Rulebook:
    """The rulebook of this name. Raises ValueError, with the names there are, for any other."""
    book = BOOKS.get(name)
    if book is None:
        raise ValueError(f"no rulebook is called {name!r}; rulebooks are {', '.join(sorted(BOOKS))}")
    return book


__all__ = ["BOOKS", "Rulebook", "load"]
