"""One clause of a rulebook, as far as it concerns a table that watches."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

# How far the engine goes: it notices the fact; it rules, the book leaving no choice; it lays the case before
# the floor or a player; it takes down what is entered and no more; it does nothing about it.
How = Literal["detects", "rules", "prompts", "records", "rules and prompts", "nothing"]


@dataclass(frozen=True, slots=True)
class Clause:
    """`number` in the book's own counting, `text` what it says in one sentence or two, of our own."""

    number: str
    how: How
    text: str


def renumbered(clauses: Iterable[Clause], numbers: Mapping[str, str]) -> tuple[Clause, ...]:
    """Clauses that another book says the same of: `numbers` gives its number for each number of ours. Raises
    KeyError.
    """
    by_number = {clause.number: clause for clause in clauses}
    return tuple(replace(by_number[theirs], number=ours) for ours, theirs in numbers.items())


def amended(
    clauses: Iterable[Clause], changes: Iterable[Clause], gone: Container[str] = ()
) -> tuple[Clause, ...]:
    """The clauses with `changes` in their places, new ones at the end, and the numbers `gone` left out."""
    by_number = {clause.number: clause for clause in clauses if clause.number not in gone}
    by_number.update((clause.number, clause) for clause in changes)
    return tuple(by_number.values())
