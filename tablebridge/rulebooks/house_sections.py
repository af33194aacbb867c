"""The shape of a house rulebook's file: its sections, and the words in which keys are written."""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from tablebridge.rulebooks.book import Key, Rulebook

Path = tuple[str, ...]
"""The way to a value in the file: section and key."""

SETS: Final[Mapping[str, str]] = {"misdeals": "misdeal", "mendable": "misdeal", "voiding": "fouled-deck"}
"""Lists of causes that a book has, and the finding whose causes they are."""

TEXTS: Final = ("parent", "title", "name")
SECTIONS: Final = ("choices", "premature", *SETS, "rules", "remedies", "clauses")


def section(data: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    """Keys and values of a section; none if it is missing or no section."""
    found = data.get(name, {})
    return iter(found.items() if isinstance(found, dict) else ())


def key_of(text: str) -> Key:
    """Finding and cause as they are written: `misdeal boxed-cards`; the cause may be missing."""
    finding, _, cause = text.strip().partition(" ")
    return finding, cause.strip()


def spelled(key: Key) -> str:
    """Finding and cause as one key; the inverse of `key_of`."""
    return " ".join(filter(None, key))


def causes_of(book: Rulebook, name: str) -> frozenset[str]:
    """One of the book's lists of causes, by its name in `SETS`."""
    causes: frozenset[str] = getattr(book, name)
    return causes


def nearest(name: str, known: Collection[str]) -> str:
    """What was probably meant, or all that is known."""
    near = get_close_matches(name, list(known), 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
