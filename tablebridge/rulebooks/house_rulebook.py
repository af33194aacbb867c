"""House rulebooks: a parent and what the house changes of it, as the data of a TOML file or as TOML text.

| section | keys | values |
| --- | --- | --- |
| (top) | `parent`, `title`, `name` | a book's name, or in a file another house rulebook's file |
| `choices` | fields of `choices.CHOICES` | an answer to its question |
| `premature` | `flop`, `turn`, `river` | what becomes of the burn of a street that came too soon |
| `misdeals`, `mendable`, `voiding` | causes | true or false: whether the book's list has it |
| `rules` | `misdeal boxed-cards`, or a finding | the number of a clause; empty for none |
| `remedies` | the same | a list of remedy steps |
| `clauses` | a number | `{text = "...", how = "..."}` |

Everything is checked, all faults at once. `text_of` writes any house rulebook as one text that needs no other
file: the journal keeps that, so that a hand can be ruled again when the file has changed or gone.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from tablebridge.model.toml_text import parse_toml
from tablebridge.rulebooks import house_faults
from tablebridge.rulebooks.book import Burned, Key, Rulebook
from tablebridge.rulebooks.choices import CHOICES, STREETS
from tablebridge.rulebooks.clause import Clause, How, amended
from tablebridge.rulebooks.house_sections import (
    SETS,
    TEXTS,
    Path,
    causes_of,
    key_of,
    nearest,
    section,
    spelled,
)


class HouseError(ValueError):
    """A house rulebook that is wrong. `faults`: each with its place and a sentence."""

    def __init__(self, faults: tuple[tuple[Path, str], ...]) -> None:
        super().__init__("; ".join(text for _, text in faults))
        self.faults = faults


def make(data: Mapping[str, Any], name: str, parent: Rulebook, builtin: Mapping[str, Rulebook]) -> Rulebook:
    """The rulebook that changes `parent` by `data`; `name` is its name unless the data give one. Raises
    HouseError.
    """
    called = data["name"] if isinstance(data.get("name"), str) else name
    if faults := (*house_faults.of_values(data), *house_faults.of_name(called, builtin)):
        raise HouseError(faults)
    book = _changed(data, called, parent, builtin)
    if faults := tuple(house_faults.of_book(data, book)):
        raise HouseError(faults)
    return book


def parse(text: str, name: str, builtin: Mapping[str, Rulebook]) -> Rulebook:
    """The house rulebook of a text whose parent is no house rulebook. Raises ValueError for no TOML,
    HouseError for a rulebook that is wrong.
    """
    data = parse_toml(text)
    parent = data.get("parent")
    book = builtin.get(parent) if isinstance(parent, str) else None
    if book is None:
        raise HouseError(((("parent",), parent_sentence(parent, builtin)),))
    return make(data, name, book, builtin)


def parent_sentence(parent: object, builtin: Mapping[str, Rulebook]) -> str:
    """What is wrong with a parent that is no book."""
    if parent is None:
        return f"parent: this key is missing; name the rulebook that the house changes: {', '.join(builtin)}"
    return f"parent: there is no rulebook {parent!r}; {nearest(str(parent), builtin)}"


def text_of(book: Rulebook, builtin: Mapping[str, Rulebook]) -> str:
    """The house rulebook as TOML text that `parse` reads again. Empty for a book that is no house's."""
    if book.name in builtin:
        return ""
    lines = [f"{key} = {_written(getattr(book, key))}" for key in TEXTS]
    for name, changes in _changes(book, builtin).items():
        if changes:
            lines += [
                "",
                f"[{name}]",
                *(f"{_written(key)} = {_written(value)}" for key, value in changes.items()),
            ]
    return "\n".join(lines) + "\n"


def _changes(book: Rulebook, builtin: Mapping[str, Rulebook]) -> dict[str, dict[str, Any]]:
    """By section, what the book has otherwise than its parent."""
    base = builtin[book.parent]
    theirs = {clause.number: clause for clause in base.clauses}
    sections: dict[str, dict[str, Any]] = {
        "choices": {key: getattr(book, key) for key in CHOICES if getattr(book, key) != getattr(base, key)},
        "premature": {
            street: book.premature[street]
            for street in STREETS
            if book.premature[street] != base.premature[street]
        },
        **{
            name: {
                cause: cause in causes_of(book, name)
                for cause in sorted(causes_of(book, name) ^ causes_of(base, name))
            }
            for name in SETS
        },
        "rules": {
            spelled(key): number
            for key, number in sorted(book.rules.items())
            if base.rules.get(key) != number
        },
        "clauses": {
            clause.number: {"text": clause.text, "how": clause.how}
            for clause in book.clauses
            if theirs.get(clause.number) != clause
        },
    }
    remedies = {**base.remedies, **_following(sections, base, builtin)}
    sections["remedies"] = {
        spelled(key): list(steps)
        for key, steps in sorted(book.remedies.items())
        if remedies.get(key) != steps
    }
    return sections


def _changed(
    data: Mapping[str, Any], name: str, parent: Rulebook, builtin: Mapping[str, Rulebook]
) -> Rulebook:
    def causes(name: str) -> frozenset[str]:
        listed = {cause for cause, chosen in section(data, name) if chosen}
        unlisted = {cause for cause, chosen in section(data, name) if not chosen}
        return (causes_of(parent, name) | listed) - unlisted

    rules = {**parent.rules, **{key_of(key): number for key, number in data.get("rules", {}).items()}}
    steps = {key_of(key): tuple(steps) for key, steps in data.get("remedies", {}).items()}
    return replace(
        parent,
        **data.get("choices", {}),
        name=name,
        title=data.get("title", name),
        parent=parent.name if parent.name in builtin else parent.parent,
        rules=rules,
        remedies={**parent.remedies, **_following(data, parent, builtin), **steps},
        clauses=amended(parent.clauses, tuple(_clause(data, parent, rules))),
        premature=cast("Mapping[str, Burned]", {**parent.premature, **data.get("premature", {})}),
        misdeals=causes("misdeals"),
        mendable=causes("mendable"),
        voiding=causes("voiding"),
    )


def _clause(data: Mapping[str, Any], parent: Rulebook, rules: Mapping[Key, str]) -> Iterator[Clause]:
    """The clauses that the house writes. If a clause does not say how far the engine goes, it goes as far as
    with the parent's clause of this number; else it rules if a finding names the clause, and does nothing if
    none does.
    """
    before = {clause.number: clause.how for clause in parent.clauses}
    for number, clause in data.get("clauses", {}).items():
        how: How = before.get(number, "rules" if number in rules.values() else "nothing")
        yield Clause(number, clause.get("how", how), clause["text"])


def _following(
    data: Mapping[str, Any], parent: Rulebook, builtin: Mapping[str, Rulebook]
) -> dict[Key, tuple[str, ...]]:
    """The remedies that come of what the house decides otherwise than its parent: those of the first book
    that decides so.
    """
    steps: dict[Key, tuple[str, ...]] = {}
    for name, cases in _CASES.items():
        for key, answer in section(data, name):
            book = next((book for book in builtin.values() if _decided(book, name, key) == answer), None)
            if book is not None and _decided(parent, name, key) != answer:
                steps.update((case, book.remedy(*case)) for case in cases(key))
    return steps


# The sections from which remedies follow, and which: by finding and cause.
_CASES: Final[Mapping[str, Callable[[str], tuple[Key, ...]]]] = {
    "choices": lambda key: CHOICES[key].steps,
    "premature": lambda street: (("premature-street", street),),
    "voiding": lambda cause: (("fouled-deck", cause),),
}


def _decided(book: Rulebook, name: str, key: str) -> object:
    if name == "choices":
        return getattr(book, key)
    return book.premature[key] if name == "premature" else key in causes_of(book, name)


def _written(value: object) -> str:
    """A value as TOML. JSON texts, numbers, lists and truth values are TOML's too."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_written(item)}" for key, item in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
