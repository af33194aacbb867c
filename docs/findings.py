"""Writes docs/findings.md from the words of the engine and the rulebooks: `python docs/findings.py >
docs/findings.md`.
"""

import sys
from itertools import groupby
from pathlib import Path
from typing import Final

import tablebridge
from tablebridge.model.findings import KINDS, REMEDIES, severity_of
from tablebridge.model.floor_steps import FLOOR_STEPS
from tablebridge.rulebooks import BOOKS, Rulebook

HEAD: Final = """\
# Findings

A finding is one thing that the engine noticed. Its words stand in the journal, on MQTT, in REST and in table
scripts (`! misdeal cause boxed-cards rule 35-A(1)`). Made by `python docs/findings.py > docs/findings.md`.

**Severity.** `info` is for the record. `notice` stands beside the line that raised it. `warning` and
`critical` become alerts on the floor's page. **Cause** says which of several things it was. **Case** is a
distinction that rulebooks make beyond the cause, with a rule and steps of its own, in a
[house rulebook](rulebooks.md) too. **Rule** is the number in each rulebook's own counting; a book that is not
named has no clause for it. **What to do** are the steps that TDA 2022 prescribes, in their order; the alert
has those of the table's own book. The engine advises; the floor rules.
"""
SECTIONS: Final = {
    "fouled-deck": "The deck",
    "misdeal": "The deal",
    "bet-ruled": "The betting",
    "must-be-face-up": "Showdown and pots",
    "tray-mismatch": "Chips and tray",
    "device-offline": "Devices and trust",
}
"""The heading that stands before a finding."""
UNTOLD: Final = " *Nothing raises it yet.*"
CAUSES: Final = "| cause | severity | rule | what to do |\n| --- | --- | --- | --- |\n"
FLOOR: Final = """\
## What the floor does

An alert on the floor's page shows the steps of the table's rulebook. If that has none, or none but to call
the floor, it shows these; they prepare a ruling and are none.

| finding, cause | steps |
| --- | --- |
"""
ADVISES: Final = BOOKS["tda-2022"]


def raised() -> frozenset[str]:
    """The words that stand in the code of a part that can raise a finding."""
    parts = [
        Path(tablebridge.__file__).parent / name for name in ("engine", "sensing", "journal", "seal", "app")
    ]
    code = "".join(path.read_text() for part in parts for path in sorted(part.rglob("*.py")))
    return frozenset(word for word in KINDS if f'"{word}"' in code)


def rules(finding: str, cause: str | None) -> str:
    """The number in each book that has one; books that agree stand together."""
    found = [(number, book.name) for book in BOOKS.values() if (number := book.rule(finding, cause or ""))]
    return "; ".join(
        f"{', '.join(name for _, name in of)} {number}"
        for number, of in groupby(found, key=lambda pair: pair[0])
    )


def steps(finding: str, word: str | None) -> str:
    """What to do, for a cause or a case."""
    return ", ".join(f"`{step}`" for step in ADVISES.remedy(finding, word or "") or KINDS[finding].remedy)


def facts(finding: str, cause: str | None) -> tuple[str, str, str]:
    """Severity, rules and steps of a finding with a cause."""
    return severity_of(finding, cause), rules(finding, cause), steps(finding, cause)


def entry(word: str, untold: bool) -> str:
    """A finding: what it means, and a line or a table of its causes; causes that are alike share a row."""
    kind = KINDS[word]
    meaning = f"{kind.meaning[0].upper()}{kind.meaning[1:]}.{UNTOLD * untold}"
    if not kind.causes:
        severity, rule, steps = facts(word, None)
        facts_line = "; ".join(part for part in (severity.capitalize(), rule, steps) if part)
        return f"### `{word}`\n\n{meaning} {facts_line}.\n"
    alike = groupby(kind.causes, key=lambda cause: facts(word, cause))
    lines = (
        f"| {', '.join(f'`{cause}`' for cause in causes)} | " + " | ".join(of) + " |" for of, causes in alike
    )
    return f"### `{word}`\n\n{meaning}\n\n{CAUSES}" + "\n".join(lines) + "\n"


def cases(finding: str) -> str:
    """The table of a finding's cases, those that a book treats alike in one row; empty if it has none."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for case, meaning in KINDS[finding].cases.items():
        alike.setdefault((meaning, rules(finding, case), steps(finding, case)), []).append(f"`{case}`")
    rows = [f"| {', '.join(words)} | {' | '.join(cells)} |" for cells, words in alike.items()]
    return (
        "\n".join(("", "| case | | rule | what to do |", "| --- | --- | --- | --- |", *rows, ""))
        if rows
        else ""
    )


def book(one: Rulebook) -> str:
    """One rulebook in the list of books."""
    return f"- `{one.name}`: {one.title}"


def floor_row(key: tuple[str, str]) -> str:
    """What the floor does about a finding, or about one of its causes."""
    named = " ".join(f"`{word}`" for word in key if word)
    return f"| {named} | {'<br>'.join(f'{n}. {step}' for n, step in enumerate(FLOOR_STEPS[key], 1))} |"


def text() -> str:
    """The page as it is committed."""
    parts = [HEAD, "Rulebooks:\n\n" + "\n".join(map(book, BOOKS.values())) + "\n"]
    told = raised()
    for word in KINDS:
        if word in SECTIONS:
            parts.append(f"## {SECTIONS[word]}\n")
        parts.append(entry(word, word not in told) + cases(word))
    parts.append(
        "## What to do: the steps\n\n| step | |\n| --- | --- |\n"
        + "\n".join(f"| `{step}` | {sentence} |" for step, sentence in REMEDIES.items())
        + "\n"
    )
    parts.append(FLOOR + "\n".join(map(floor_row, FLOOR_STEPS)) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(text())
