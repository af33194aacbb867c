"""Writes docs/comparison.md from the rulebooks: `python docs/comparison.py > docs/comparison.md`."""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from tablebridge.model.findings import KINDS
from tablebridge.rulebooks import BOOKS, Rulebook
from tablebridge.rulebooks.choices import BURNS, CHOICES, STREETS

HEAD: Final = """\
# The rulebooks side by side

Made from `tablebridge/rulebooks/` by `python docs/comparison.py > docs/comparison.md`.
`tablebridge rulebook diff A B` says more of two of them, `tablebridge rulebook show A` all of one, and
[findings.md](findings.md) has the rule of each finding.
"""
CHOICES_HEAD: Final = """\
## How they decide

Each question on which books differ, its answers, and who answers so. In backquotes stand key and value as in
`[choices]` of a [house rulebook](rulebooks.md).

| question | answer | books |
| --- | --- | --- |
"""
STREETS_HEAD: Final = """\
## A street before its time

What becomes of its burn; keys and values are those of `[premature]`.

| street | its burn | books |
| --- | --- | --- |
"""
MISDEALS_HEAD: Final = """\
## What is a misdeal

The number of the clause; – where the book's list has not got it: then the floor rules. *First put right* is
what is put right instead if it can be. Stud has clauses of its own in places, which the finding then names.
"""
FOULED_HEAD: Final = """\
## What stops the hand as a fouled deck

Whenever it is found; – is the floor's to rule on.
"""
HOW_HEAD: Final = """\
## How far the engine goes

It rules, the book leaving no choice; it prompts the floor for a ruling; it detects; it records what is
entered; or it does nothing about a clause, most of them about tables, seats and the clock of an event, which
no table can see.
"""


def books(names: Iterable[str]) -> str:
    """Books in one cell."""
    return ", ".join(f"`{name}`" for name in names) or "–"


def choices() -> Iterator[str]:
    """Questions and answers, one line per answer."""
    for key, choice in CHOICES.items():
        values = dict.fromkeys([*choice.answers, *(getattr(book, key) for book in BOOKS.values())])
        for number, value in enumerate(values):
            question = f"{choice.question} (`{key}`)" if number == 0 else ""
            of = books(book.name for book in BOOKS.values() if getattr(book, key) == value)
            yield f"| {question} | {choice.answer(value)} (`{json.dumps(value)}`) | {of} |"


def streets() -> Iterator[str]:
    """Premature streets."""
    for street in STREETS:
        for number, (burn, meaning) in enumerate(BURNS.items()):
            of = [book.name for book in BOOKS.values() if book.premature[street] == burn]
            yield f'| {f"`{street}`" if number == 0 else ""} | {meaning} (`"{burn}"`) | {books(of)} |'


def by_cause(finding: str, section: str) -> Iterator[str]:
    """Which book has which cause in its list, one column per book."""
    yield "| cause | " + " | ".join(BOOKS) + " |"
    yield "| --- |" + " --- |" * len(BOOKS)
    for cause in KINDS[finding].causes:
        cells = [cell(book, finding, cause, section) for book in BOOKS.values()]
        if set(cells) != {"–"}:
            yield f"| `{cause}` | " + " | ".join(cells) + " |"


def cell(book: Rulebook, finding: str, cause: str, section: str) -> str:
    """The clause by which a cause is in a book's list."""
    if cause not in getattr(book, section):
        return "–"
    put_right = ", first put right" if finding == "misdeal" and cause in book.mendable else ""
    return f"{book.rule(finding, cause)}{put_right}"


def how() -> Iterator[str]:
    """How many clauses the engine rules on, prompts for, detects and records, and those it does nothing
    about.
    """
    words = ("rules", "rules and prompts", "prompts", "detects", "records")
    yield "| book | clauses | " + " | ".join(words) + " | nothing |"
    yield "| --- |" + " ---: |" * (len(words) + 1) + " --- |"
    for book in BOOKS.values():
        counts = [str(sum(clause.how == word for clause in book.clauses)) for word in words]
        idle = [clause.number for clause in book.clauses if clause.how == "nothing"]
        yield (
            f"| `{book.name}` | {len(book.clauses)} | "
            + " | ".join(counts)
            + f" | {', '.join(idle) or '–'} |"
        )


def text() -> str:
    """The page as it is committed."""
    return "\n".join(
        (
            HEAD,
            CHOICES_HEAD + "\n".join(choices()) + "\n",
            STREETS_HEAD + "\n".join(streets()) + "\n",
            MISDEALS_HEAD,
            "\n".join(by_cause("misdeal", "misdeals")) + "\n",
            FOULED_HEAD,
            "\n".join(by_cause("fouled-deck", "voiding")) + "\n",
            HOW_HEAD,
            "\n".join(how()) + "\n",
        )
    )


if __name__ == "__main__":
    sys.stdout.write(text())
