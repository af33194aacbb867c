"""House rulebooks: a parent and what the house changes of it, as the data of a TOML file or as TOML text.

| section | keys | values |
| --- | --- | --- |
| (top) | `parent`, `title`, `name` | the parent is a book's name, or in a file another house rulebook's file |
| `choices` | fields of `choices.CHOICES` | an answer to its question |
| `premature` | `flop`, `turn`, `river` | what becomes of the burn of a street that came too soon |
| `misdeals`, `mendable`, `voiding` | causes of misdeals; of fouled decks | true or false: whether the book's list has it |
| `rules` | a finding, or finding and cause: `misdeal boxed-cards` | the number of a clause; empty for none |
| `remedies` | the same | a list of remedy steps |
| `clauses` | a number of the house's own, or of the parent's | `{text = "...", how = "..."}` |

Everything is checked, all faults at once. `text_of` writes any house rulebook as one text that needs no other
file: the journal keeps that, so that a hand can be ruled again when the file has changed or gone.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final, cast, get_args

from tablebridge.model.findings import KINDS, REMEDIES
from tablebridge.model.toml_text import parse_toml
from tablebridge.rulebooks.book import Burned, Key, Rulebook
from tablebridge.rulebooks.choices import BURNS, CHOICES, STREETS
from tablebridge.rulebooks.clause import Clause, How, amended

Path = tuple[str, ...]
"""The way to a value in the file: section and key."""

SETS: Final[Mapping[str, str]] = {"misdeals": "misdeal", "mendable": "misdeal", "voiding": "fouled-deck"}
"""Lists of causes that a book has, and the finding they are causes of."""

_TEXTS: Final = ("parent", "title", "name")
SECTIONS: Final = ("choices", "premature", *SETS, "rules", "remedies", "clauses")
_HOWS: Final = get_args(How)


class HouseError(ValueError):
    """A house rulebook that cannot be. `faults`: where, and a sentence, each."""

    def __init__(self, faults: tuple[tuple[Path, str], ...]) -> None:
        super().__init__("; ".join(text for _, text in faults))
        self.faults = faults


def make(data: Mapping[str, Any], name: str, parent: Rulebook, builtin: Mapping[str, Rulebook]) -> Rulebook:
    """The rulebook that changes `parent` by `data`; `name` is its name unless the data give one. Raises
    HouseError.
    """
    faults = [*_shape(data), *_choices(data), *_sets(data), *_keys(data), *_clauses(data)]
    called = data["name"] if isinstance(data.get("name"), str) else name
    if not (called.replace("-", "").replace("_", "").isalnum() and called.isascii()):
        faults.append((("name",), "name: a rulebook's name is made of letters, figures, - and _"))
    elif called in builtin:
        faults.append((("name",), f"name: {called} is a rulebook already; give the house's another name"))
    if faults:
        raise HouseError(tuple(faults))
    book = _changed(data, called, parent, builtin)
    faults = [*_numbers(data, book), *_contradictions(data, book)]
    if faults:
        raise HouseError(tuple(faults))
    return book


def parse(text: str, name: str, builtin: Mapping[str, Rulebook]) -> Rulebook:
    """The house rulebook of a text whose parent is no house rulebook. Raises ValueError: HouseError where it
    says where.
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
    return f"parent: there is no rulebook {parent!r}; {_nearest(str(parent), builtin)}"


def text_of(book: Rulebook, builtin: Mapping[str, Rulebook]) -> str:
    """The house rulebook as TOML text that `parse` reads again. Empty for a book that is no house's."""
    if book.name in builtin:
        return ""
    base = builtin[book.parent]
    lines = [f"{key} = {_written(getattr(book, key))}" for key in _TEXTS]
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
                cause: cause in _causes(book, name)
                for cause in sorted(_causes(book, name) ^ _causes(base, name))
            }
            for name in SETS
        },
        "rules": {
            _spelled(key): number
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
        _spelled(key): list(steps)
        for key, steps in sorted(book.remedies.items())
        if remedies.get(key) != steps
    }
    for name, section in sections.items():
        if section:
            lines += [
                "",
                f"[{name}]",
                *(f"{_written(key)} = {_written(value)}" for key, value in section.items()),
            ]
    return "\n".join(lines) + "\n"


def _changed(
    data: Mapping[str, Any], name: str, parent: Rulebook, builtin: Mapping[str, Rulebook]
) -> Rulebook:
    def causes(section: str) -> frozenset[str]:
        told = data.get(section, {})
        before = _causes(parent, section)
        return (before | {cause for cause in told if told[cause]}) - {
            cause for cause in told if not told[cause]
        }

    rules = {**parent.rules, **{_key(key): number for key, number in data.get("rules", {}).items()}}
    steps = {_key(key): tuple(steps) for key, steps in data.get("remedies", {}).items()}
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
    """The clauses that the house writes. How far the engine goes with one that says nothing of it: as far as
    with the parent's clause of this number; else it rules where a finding names the clause, and does nothing
    where none does.
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
    for section, cases in _CASES.items():
        for key, told in _section(data, section):
            book = next((book for book in builtin.values() if _decided(book, section, key) == told), None)
            if book is not None and _decided(parent, section, key) != told:
                steps.update((case, book.remedy(*case)) for case in cases(key))
    return steps


# The sections of which remedies come, and which: by finding and cause.
_CASES: Final[Mapping[str, Callable[[str], tuple[Key, ...]]]] = {
    "choices": lambda key: CHOICES[key].steps,
    "premature": lambda street: (("premature-street", street),),
    "voiding": lambda cause: (("fouled-deck", cause),),
}


def _decided(book: Rulebook, section: str, key: str) -> object:
    if section == "choices":
        return getattr(book, key)
    return book.premature[key] if section == "premature" else key in _causes(book, section)


# What can be wrong.


def _shape(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for key, value in data.items():
        if key in _TEXTS:
            if not (isinstance(value, str) and value.strip()):
                yield (key,), f"{key}: this is a text"
        elif key not in SECTIONS:
            yield (key,), f"{key}: there is no such key; {_nearest(key, (*_TEXTS, *SECTIONS))}"
        elif not isinstance(value, dict):
            yield (key,), f"{key}: this is a table; write [{key}] and what belongs to it below"


def _choices(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for key, value in _section(data, "choices"):
        choice = CHOICES.get(key)
        if choice is None:
            yield ("choices", key), f"choices.{key}: there is no such choice; {_nearest(key, CHOICES)}"
        elif not choice.allows(value):
            yield ("choices", key), f"choices.{key}: this is {choice.values}, not {_shown(value)}"
    for street, burn in _section(data, "premature"):
        if street not in STREETS:
            yield (
                ("premature", street),
                f"premature.{street}: there is no such street; {_nearest(street, STREETS)}",
            )
        elif not isinstance(burn, str) or burn not in BURNS:
            yield (
                ("premature", street),
                f"premature.{street}: this is one of {', '.join(BURNS)}, not {_shown(burn)}",
            )


def _sets(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for name, finding in SETS.items():
        for cause, told in _section(data, name):
            causes = KINDS[finding].causes
            if cause not in causes:
                yield (
                    (name, cause),
                    f"{name}.{cause}: there is no such cause of {finding}; {_nearest(cause, causes)}",
                )
            elif not isinstance(told, bool):
                yield (name, cause), f"{name}.{cause}: this is true or false, not {_shown(told)}"


def _keys(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Findings with their causes and cases, rule numbers and remedy steps."""
    for section in ("rules", "remedies"):
        for key, value in _section(data, section):
            finding, cause = _key(key)
            kind = KINDS.get(finding)
            if kind is None:
                yield (
                    (section, key),
                    f"{section}: there is no finding {finding!r}; {_nearest(finding, KINDS)}",
                )
            elif cause and cause not in kind.causes and cause not in kind.cases:
                known = sorted({*kind.causes, *kind.cases})
                told = _nearest(cause, known) if known else "it has none; name the finding alone"
                yield (section, key), f"{section}: {finding} has no cause {cause!r}; {told}"
            elif section == "rules" and not (isinstance(value, str) and (not value or _is_number(value))):
                yield (
                    (section, key),
                    f'{section}."{key}": this is the number of a clause, a text without blanks',
                )
            elif section == "remedies":
                yield from _steps(key, value)


def _steps(key: str, steps: object) -> Iterator[tuple[Path, str]]:
    if not isinstance(steps, list):
        yield ("remedies", key), f'remedies."{key}": this is a list of steps, such as ["call-floor"]'
        return
    for step in steps:
        if not isinstance(step, str) or step not in REMEDIES:
            yield (
                ("remedies", key),
                f'remedies."{key}": there is no step {_shown(step)}; {_nearest(str(step), REMEDIES)}',
            )


def _clauses(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for number, clause in _section(data, "clauses"):
        at, told = ("clauses", number), f'clauses."{number}"'
        if not _is_number(number):
            yield at, f"{told}: a clause's number is up to 32 letters, figures and signs without blanks"
        elif not (
            isinstance(clause, dict) and isinstance(clause.get("text"), str) and clause["text"].strip()
        ):
            yield at, f'{told}: write what it says: {{text = "..."}}'
        else:
            for key in clause:
                if key not in ("text", "how"):
                    yield at, f"{told}: there is no key {key!r}; {_nearest(key, ('text', 'how'))}"
            if clause.get("how", "rules") not in _HOWS:
                yield at, f"{told}: how is one of {', '.join(_HOWS)}, not {_shown(clause['how'])}"


def _numbers(data: Mapping[str, Any], book: Rulebook) -> Iterator[tuple[Path, str]]:
    """A finding names no clause that nobody can look up."""
    numbers = [clause.number for clause in book.clauses]
    for key, number in _section(data, "rules"):
        if number and number not in numbers:
            near = get_close_matches(number, numbers, 1, 0.7)
            told = (
                f"did you mean {near[0]}?"
                if near
                else f'say what it says: [clauses] "{number}" = {{text = "..."}}'
            )
            yield ("rules", key), f'rules."{key}": there is no clause {number}; {told}'


# Choices that cannot stand together: whether they do in a book, what belongs to them in the file, and the
# sentence.
_CONTRADICTIONS: Final[tuple[tuple[Callable[[Rulebook], bool], tuple[Path, ...], str], ...]] = (
    (
        lambda book: not book.mendable <= book.misdeals,
        (("mendable",), ("misdeals",)),
        "a cause that may be mended is one of the misdeals; add it there or take it out here",
    ),
    (
        lambda book: book.boxed_replaced and "boxed-cards" in book.misdeals,
        (("choices", "boxed_replaced"), ("misdeals", "boxed-cards")),
        "boxed cards are replaced, or two of them are a misdeal, not both",
    ),
    (
        lambda book: (book.boxed_fouls > 0) != ("boxed-cards" in book.voiding),
        (("choices", "boxed_fouls"), ("voiding", "boxed-cards")),
        "choices.boxed_fouls says how many boxed cards foul the deck, and voiding.boxed-cards that they do; give both or neither",
    ),
    (
        lambda book: "nonstandard-card" in book.misdeals & book.voiding,
        (("voiding", "nonstandard-card"), ("misdeals", "nonstandard-card")),
        "a card that the game does not use is a misdeal or fouls the deck, not both",
    ),
    (
        lambda book: book.marked_by_time and "marked-card" in book.voiding,
        (("choices", "marked_by_time"), ("voiding", "marked-card")),
        "a marked card fouls the deck, or is dealt with by when it is found, not both",
    ),
    (
        lambda book: book.marked_by_time != ("marked-card" in book.misdeals),
        (("choices", "marked_by_time"), ("misdeals", "marked-card")),
        "choices.marked_by_time makes a marked card a misdeal in time, and misdeals.marked-card says that it is one; give both or "
        "neither",
    ),
    (
        lambda book: not book.raise_cap and not book.cap_heads_up,
        (("choices", "cap_heads_up"), ("choices", "raise_cap")),
        "choices.cap_heads_up lifts the book's own cap, and choices.raise_cap says that it has none",
    ),
    (
        lambda book: book.premature["river"] == "again-then-none",
        (("premature", "river"),),
        "premature.river: no street comes after the river; choose stays or again",
    ),
)


def _contradictions(data: Mapping[str, Any], book: Rulebook) -> Iterator[tuple[Path, str]]:
    for contradicts, paths, sentence in _CONTRADICTIONS:
        if contradicts(book):
            yield next((path for path in paths if _has(data, path)), ("parent",)), sentence


# Small things.


def _has(data: Mapping[str, Any], path: Path) -> bool:
    return path[0] in data and (len(path) == 1 or path[1] in data[path[0]])


def _causes(book: Rulebook, section: str) -> frozenset[str]:
    causes: frozenset[str] = getattr(book, section)
    return causes


def _section(data: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    section = data.get(name, {})
    return iter(section.items() if isinstance(section, dict) else ())


def _key(words: str) -> Key:
    finding, _, cause = words.strip().partition(" ")
    return finding, cause.strip()


def _spelled(key: Key) -> str:
    return " ".join(filter(None, key))


def _is_number(text: str) -> bool:
    return 0 < len(text) <= 32 and text.isprintable() and not any(sign.isspace() for sign in text)


def _nearest(name: str, known: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    near = get_close_matches(name, list(known), 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _written(value: object) -> str:
    """A value as TOML. JSON texts, numbers, lists and truth values are TOML's too."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_written(one)}" for key, one in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
