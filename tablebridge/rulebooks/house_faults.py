"""What can be wrong in a house rulebook: each fault with its place in the file and a sentence."""

import json
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, get_args

from tablebridge.model.findings import KINDS, REMEDIES
from tablebridge.rulebooks.book import Rulebook
from tablebridge.rulebooks.choices import BURNS, CHOICES, STREETS
from tablebridge.rulebooks.clause import How
from tablebridge.rulebooks.house_sections import SECTIONS, SETS, TEXTS, Path, key_of, nearest, section

Fault = tuple[Path, str]

_HOWS: Final = get_args(How)

_DUTIES: Final[Mapping[str, str]] = {
    "balance": "balance tables",
    "halt": "halt a short table",
    "handover": "tell the next dealer anything",
    "push-in-hand": "notice a dealer relieved in a hand",
    "shuffle-wrong": "judge the dealer's shuffle",
    "contradictory-bet": "leave contradictory bets to the floor",
    "must-be-face-up": "ask for all hands of an all-in",
}
"""Findings that are there only by a clause of the book, each with the duty that goes with it."""


def of_values(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Keys and values that there are not."""
    yield from _shape(data)
    yield from _choices(data)
    yield from _sets(data)
    yield from _keys(data)
    yield from _clauses(data)


def of_name(called: str, builtin: Mapping[str, Rulebook]) -> Iterator[Fault]:
    """A name that no rulebook can have, or that another has."""
    if not (called.replace("-", "").replace("_", "").isalnum() and called.isascii()):
        yield ("name",), "name: a rulebook's name is made of letters, figures, - and _"
    elif called in builtin:
        yield ("name",), f"name: {called} is a rulebook already; give the house's another name"


def of_book(data: Mapping[str, Any], book: Rulebook) -> Iterator[Fault]:
    """What does not hold together in the book that the data make."""
    yield from _numbers(data, book)
    for contradicts, paths, sentence in _CONTRADICTIONS:
        if contradicts(book):
            yield next((path for path in paths if _has(data, path)), ("parent",)), sentence


def _shape(data: Mapping[str, Any]) -> Iterator[Fault]:
    for key, value in data.items():
        if key in TEXTS:
            if not (isinstance(value, str) and value.strip()):
                yield (key,), f"{key}: this is a text"
        elif key not in SECTIONS:
            yield (key,), f"{key}: there is no such key; {nearest(key, (*TEXTS, *SECTIONS))}"
        elif not isinstance(value, dict):
            yield (key,), f"{key}: this is a table; write [{key}] and what belongs to it below"


def _choices(data: Mapping[str, Any]) -> Iterator[Fault]:
    for key, value in section(data, "choices"):
        choice = CHOICES.get(key)
        if choice is None:
            yield ("choices", key), f"choices.{key}: there is no such choice; {nearest(key, CHOICES)}"
        elif not choice.allows(value):
            yield ("choices", key), f"choices.{key}: this is {choice.values}, not {_shown(value)}"
    for street, burn in section(data, "premature"):
        if street not in STREETS:
            yield (
                ("premature", street),
                f"premature.{street}: there is no such street; {nearest(street, STREETS)}",
            )
        elif not isinstance(burn, str) or burn not in BURNS:
            yield (
                ("premature", street),
                f"premature.{street}: this is one of {', '.join(BURNS)}, not {_shown(burn)}",
            )


def _sets(data: Mapping[str, Any]) -> Iterator[Fault]:
    for name, finding in SETS.items():
        for cause, listed in section(data, name):
            causes = KINDS[finding].causes
            if cause not in causes:
                yield (
                    (name, cause),
                    f"{name}.{cause}: there is no such cause of {finding}; {nearest(cause, causes)}",
                )
            elif not isinstance(listed, bool):
                yield (name, cause), f"{name}.{cause}: this is true or false, not {_shown(listed)}"


def _keys(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Findings with their causes and cases, rule numbers and remedy steps."""
    for name in ("rules", "remedies"):
        for key, value in section(data, name):
            finding, cause = key_of(key)
            kind = KINDS.get(finding)
            if kind is None:
                yield (
                    (name, key),
                    f"{name}: there is no finding {finding!r}; {nearest(finding, KINDS)}",
                )
            elif cause and cause not in kind.causes and cause not in kind.cases:
                known = sorted({*kind.causes, *kind.cases})
                hint = nearest(cause, known) if known else "it has none; name the finding alone"
                yield (name, key), f"{name}: {finding} has no cause {cause!r}; {hint}"
            elif name == "rules" and not (isinstance(value, str) and (not value or _is_number(value))):
                yield (
                    (name, key),
                    f'{name}."{key}": this is the number of a clause, a text without blanks',
                )
            elif name == "remedies":
                yield from _steps(key, value)


def _steps(key: str, steps: object) -> Iterator[Fault]:
    if not isinstance(steps, list):
        yield ("remedies", key), f'remedies."{key}": this is a list of steps, such as ["call-floor"]'
        return
    for step in steps:
        if not isinstance(step, str) or step not in REMEDIES:
            yield (
                ("remedies", key),
                f'remedies."{key}": there is no step {_shown(step)}; {nearest(str(step), REMEDIES)}',
            )


def _clauses(data: Mapping[str, Any]) -> Iterator[Fault]:
    for number, clause in section(data, "clauses"):
        at, name = ("clauses", number), f'clauses."{number}"'
        if not _is_number(number):
            yield at, f"{name}: a clause's number is up to 32 letters, figures and signs without blanks"
        elif not (
            isinstance(clause, dict) and isinstance(clause.get("text"), str) and clause["text"].strip()
        ):
            yield at, f'{name}: write what it says: {{text = "..."}}'
        else:
            for key in clause:
                if key not in ("text", "how"):
                    yield at, f"{name}: there is no key {key!r}; {nearest(key, ('text', 'how'))}"
            if clause.get("how", "rules") not in _HOWS:
                yield at, f"{name}: how is one of {', '.join(_HOWS)}, not {_shown(clause['how'])}"


def _numbers(data: Mapping[str, Any], book: Rulebook) -> Iterator[Fault]:
    """A finding names no clause that nobody can look up, and a duty has one."""
    numbers = [clause.number for clause in book.clauses]
    for key, number in section(data, "rules"):
        finding, cause = key_of(key)
        if not number and not cause and finding in _DUTIES:
            yield (
                ("rules", key),
                f'rules."{key}": without a clause the engine would not {_DUTIES[finding]}; name one, or take '
                "this line out",
            )
        if number and number not in numbers:
            near = get_close_matches(number, numbers, 1, 0.7)
            hint = (
                f"did you mean {near[0]}?"
                if near
                else f'say what it says: [clauses] "{number}" = {{text = "..."}}'
            )
            yield ("rules", key), f'rules."{key}": there is no clause {number}; {hint}'


# Choices that cannot stand together: whether they do in a book, what belongs to them in the file, and the
# sentence.
def _steps_of(finding: str) -> tuple[Path, ...]:
    """Where the steps of a finding may be written."""
    kind = KINDS[finding]
    return tuple(
        ("remedies", " ".join(filter(None, (finding, word)))) for word in ("", *kind.causes, *kind.cases)
    )


_CONTRADICTIONS: Final[tuple[tuple[Callable[[Rulebook], bool], tuple[Path, ...], str], ...]] = (
    (
        lambda book: not book.mendable <= book.misdeals,
        (("mendable",), ("misdeals",)),
        "a cause that is mendable is one of the misdeals; add it there or take it out here",
    ),
    (
        lambda book: book.boxed_replaced and "boxed-cards" in book.misdeals,
        (("choices", "boxed_replaced"), ("misdeals", "boxed-cards")),
        "boxed cards are replaced, or two of them are a misdeal, not both",
    ),
    (
        lambda book: (book.boxed_fouls > 0) != ("boxed-cards" in book.voiding),
        (("choices", "boxed_fouls"), ("voiding", "boxed-cards")),
        "choices.boxed_fouls says how many boxed cards foul the deck, and voiding.boxed-cards that they do; "
        "give both or neither",
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
        "choices.marked_by_time makes a marked card a misdeal in time, and misdeals.marked-card says that "
        "it is one; give both or neither",
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
    (
        lambda book: any("return-bets" not in book.remedy("misdeal", cause) for cause in book.misdeals),
        _steps_of("misdeal"),
        "a misdeal returns all bets, and its steps do not say so: add return-bets",
    ),
    (
        lambda book: any("return-bets" not in book.remedy("fouled-deck", cause) for cause in book.voiding),
        _steps_of("fouled-deck"),
        "a fouled deck that stops the hand returns all bets, and its steps do not say so: add return-bets",
    ),
    (
        lambda book: not book.clock_s + book.countdown_s,
        (("choices", "clock_s"), ("choices", "countdown_s")),
        "a clock that is called has seconds: give choices.clock_s or choices.countdown_s some",
    ),
)


def _has(data: Mapping[str, Any], path: Path) -> bool:
    return path[0] in data and (len(path) == 1 or path[1] in data[path[0]])


def _is_number(text: str) -> bool:
    return 0 < len(text) <= 32 and text.isprintable() and not any(sign.isspace() for sign in text)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
