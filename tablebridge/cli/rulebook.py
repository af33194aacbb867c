"""`tablebridge rulebook`: what a rulebook says, in what two differ, whether a house's own is right."""

import json
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tablebridge.app.house_rulebooks import find, load_house
from tablebridge.model.errors import ConfigError
from tablebridge.model.findings import KINDS, REMEDIES, severity_of
from tablebridge.rulebooks import Rulebook
from tablebridge.rulebooks.choices import BURNS, CHOICES, STREETS
from tablebridge.rulebooks.compare import Difference, differences
from tablebridge.rulebooks.house_sections import SETS
from tablebridge.settings.toml import read_toml

FAULTY = 1
UNREADABLE = 2

_SETS = {
    "misdeals": "misdeals",
    "mendable": "misdeals that are mended first, where they can be",
    "voiding": "causes of a fouled deck that stop the hand",
}
_HEADINGS = {
    "choices": "How they decide",
    "premature": "A street before its time",
    "misdeals": "Misdeals",
    "mendable": "Misdeals that are mended first",
    "voiding": "A fouled deck that stops the hand",
    "rules": "Rules by finding",
    "remedies": "What to do by finding",
    "clauses": "Clauses",
}

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


@click.group("rulebook", epilog="Example: tablebridge rulebook show tda-2024")
def command() -> None:
    """Read rulebooks, compare them, check a house's own.

    A rulebook is named by its name, or by the file of a house rulebook, which ends in .toml.
    """


@command.command(epilog='Example: tablebridge rulebook show tda-2024 --finding "misdeal boxed-cards"')
@click.argument("name", metavar="NAME|FILE")
@click.option("--finding", metavar="F", help="Only what it says of one finding, or of one with its cause.")
@_json
def show(name: str, finding: str | None, as_json: bool) -> None:
    """Print what a rulebook says: how it decides, and each clause with how far the engine goes with it.

    The engine detects what a clause is about, rules on it, prompts the floor for a ruling, records what it is
    told, or does nothing about it; the last line names the clauses of which that is so.
    """
    book = find(name, Path())
    if finding is not None:
        cases = list(_cases(book, finding))
        if as_json:
            click.echo(json.dumps({"rulebook": book.name, "cases": cases}, indent=2, ensure_ascii=False))
        else:
            _print_cases(book, cases)
    elif as_json:
        click.echo(json.dumps(_book(book), indent=2, ensure_ascii=False))
    else:
        _print_book(book)


@command.command(epilog="Example: tablebridge rulebook diff tda-2022 tda-2024")
@click.argument("first", metavar="NAME|FILE")
@click.argument("second", metavar="NAME|FILE")
@_json
def diff(first: str, second: str, as_json: bool) -> None:
    """Print in what the second rulebook differs from the first."""
    book, other = find(first, Path()), find(second, Path())
    found = differences(book, other)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "first": book.name,
                    "second": other.name,
                    "differences": [
                        {"section": each.section, "key": each.key, "first": each.first, "second": each.second}
                        for each in found
                    ],
                },
                indent=2,
                ensure_ascii=False,
            )
        )
        return
    console = Console(highlight=False)
    if not found:
        console.print(f"{book.name} and {other.name} say the same.", markup=False)
    for section, heading in _HEADINGS.items():
        rows = [_row(each) for each in found if each.section == section]
        if rows:
            console.print(_table(heading, ("", book.name, other.name), rows), "")


@command.command(epilog="Example: tablebridge rulebook check house.toml")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@_json
@click.pass_context
def check(ctx: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Check files of house rulebooks.

    Each fault is one line: file, line, key and what to write instead. The exit status is 0 when all are
    right, 1 when one has a fault, 2 when one cannot be read or is no TOML.
    """
    status, results = 0, []
    for file in files:
        worth, book, faults = _checked(file)
        status = max(status, worth)
        results.append(
            {
                "file": str(file),
                "ok": book is not None,
                "errors": faults,
                "name": book and book.name,
                "parent": book and book.parent,
            }
        )
        if as_json:
            continue
        if book is None:
            click.echo("\n".join(faults), err=True)
        else:
            changes = len(differences(find(book.parent, Path()), book))
            click.echo(
                f"{file}: ok: {book.title}, {changes} {'change' if changes == 1 else 'changes'} of "
                f"{book.parent}"
            )
    if as_json:
        click.echo(json.dumps(results, indent=2, ensure_ascii=False))
    ctx.exit(status)


def _checked(file: Path) -> tuple[int, Rulebook | None, list[str]]:
    """What the file is worth as an exit status, its rulebook if it is right, its faults if not."""
    status = UNREADABLE
    try:
        read_toml(file)
        status = FAULTY
        return 0, load_house(file), []
    except ConfigError as error:
        return status, None, str(error).splitlines()


# One book.


def _book(book: Rulebook) -> dict[str, Any]:
    return {
        "name": book.name,
        "title": book.title,
        "parent": book.parent or None,
        "choices": {
            key: {
                "question": choice.question,
                "value": getattr(book, key),
                "answer": choice.answer(getattr(book, key)),
            }
            for key, choice in CHOICES.items()
        },
        "premature": dict(book.premature),
        **{section: sorted(getattr(book, section)) for section in SETS},
        "rules": {" ".join(filter(None, key)): number for key, number in book.rules.items()},
        "remedies": {" ".join(filter(None, key)): steps for key, steps in book.remedies.items()},
        "clauses": [
            {
                "number": clause.number,
                "how": clause.how,
                "text": clause.text,
                "findings": book.findings(clause.number),
            }
            for clause in book.clauses
        ],
    }


def _print_book(book: Rulebook) -> None:
    console = Console(highlight=False)
    console.print(
        f"{book.name}: {book.title}" + (f", a child of {book.parent}" if book.parent else ""), markup=False
    )
    decides = [(choice.question, choice.answer(getattr(book, key))) for key, choice in CHOICES.items()]
    decides += [(f"A {street} before its time", BURNS[book.premature[street]]) for street in STREETS]
    decides += [
        (title[0].upper() + title[1:], ", ".join(sorted(getattr(book, section))) or "none")
        for section, title in _SETS.items()
    ]
    console.print(_table("How it decides", ("", ""), decides), "")
    clauses = [
        (clause.number, clause.how, clause.text, ", ".join(book.findings(clause.number)))
        for clause in book.clauses
    ]
    console.print(_table("Clauses", ("number", "the engine", "what it says", "findings"), clauses), "")
    hows: dict[str, list[str]] = {}
    for clause in book.clauses:
        hows.setdefault(clause.how, []).append(clause.number)
    idle = hows.pop("nothing", [])
    console.print(
        f"Of {len(book.clauses)} clauses the engine "
        + ", ".join(f"{how} {len(of)}" for how, of in hows.items())
        + f"; it does nothing about {len(idle)}"
        + (f": {', '.join(idle)}" if idle else ""),
        markup=False,
    )


# One finding.


def _cases(book: Rulebook, text: str) -> Iterator[dict[str, Any]]:
    """What the book says of a finding, cause by cause; of a misdeal, for the causes on its list. Raises
    ConfigError for a text that is no finding or no cause of it.
    """
    finding, _, cause = " ".join(text.split()).partition(" ")
    if finding not in KINDS:
        raise ConfigError(f"There is no finding {finding!r}; {_nearest(finding, list(KINDS))}")
    cases = dict.fromkeys((*book.rules, *book.remedies))
    known = dict.fromkeys((*KINDS[finding].causes, *(of for word, of in cases if word == finding and of)))
    if cause and cause not in known:
        raise ConfigError(f"The finding {finding} has no cause {cause!r}; {_nearest(cause, list(known))}")
    clauses = {clause.number: clause for clause in book.clauses}
    for case in (cause,) if cause else tuple(known) or ("",):
        unlisted = finding == "misdeal" and case not in book.misdeals
        if unlisted and not cause:
            continue
        number = book.rule(finding, case)
        clause = clauses.get(number or "")
        yield {
            "finding": finding,
            "cause": case or None,
            "severity": severity_of(finding, case),
            "rule": number,
            "text": clause and clause.text,
            "how": clause and clause.how,
            "remedy": ("call-floor",) if unlisted else book.remedy(finding, case),
        }


def _print_cases(book: Rulebook, cases: list[dict[str, Any]]) -> None:
    for case in cases:
        head = " ".join(filter(None, (case["finding"], case["cause"])))
        click.echo(
            f"{head} ({case['severity']}): "
            + (f"{book.name} {case['rule']}" if case["rule"] else "no clause")
        )
        if case["text"]:
            click.echo(f"    {case['text']}")
        for step in case["remedy"]:
            click.echo(f"    - {step}: {REMEDIES[step]}")


# Small things.


def _row(each: Difference) -> tuple[str, str, str]:
    key = CHOICES[each.key].question if each.section == "choices" else each.key
    return key, each.first or "–", each.second or "–"


def _table(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        box=None,
        show_header=any(heads),
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _nearest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}" if known else "it has none"
