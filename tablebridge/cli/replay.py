"""`tablebridge replay`: play a table script and print every finding in place."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import msgspec
from rich.console import Console
from rich.text import Text

from tablebridge.cli.scripts import played
from tablebridge.engine.parts.boxes import Settlement
from tablebridge.engine.script.runner import Played
from tablebridge.engine.table import Table
from tablebridge.model.events import End
from tablebridge.model.findings import REMEDIES, Finding, Severity
from tablebridge.model.places import SEATS
from tablebridge.model.sentences import sentence_of

COLOURS: Final[dict[Severity, str]] = {
    "info": "dim",
    "notice": "cyan",
    "warning": "yellow",
    "critical": "bold red",
}

_RESULTS: Final = {"pays": "paid", "takes": "taken", "pushes": "back"}


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def command(path: Path, as_json: bool) -> None:
    """Play a table script and print every finding in place.

    Under each line stand the findings it raised, with the rule and what to do, and how words and chips were
    taken.

    Example: tablebridge replay hand.table
    """
    table = Table(path.stem)
    lines = [
        (step, _end(table) if isinstance(step.statement.event, End) else NO_ENDING)
        for step in played(path, table)
    ]
    if as_json:
        click.echo(
            json.dumps({"script": str(path), "lines": [_json(step, end) for step, end in lines]}, indent=2)
        )
        return
    console = Console(highlight=False, soft_wrap=True)
    width = len(str(lines[-1][0].statement.number)) if lines else 1
    for step, end in lines:
        for line in _shown(step, end, width):
            console.print(line)


class Ending(NamedTuple):
    """What came of a hand. `wins`: chips of the pots by seat; `settlement`: how the house settled."""

    wins: dict[int, int]
    settlement: Settlement | None


NO_ENDING: Final = Ending({}, None)


def _end(table: Table) -> Ending:
    return Ending({seat: table.won(seat) for seat in SEATS if table.won(seat)}, table.settlement)


def _shown(step: Played[Any], end: Ending, width: int) -> list[Text]:
    """The statement with the number of its line, and under it what the engine says."""
    margin = " " * (width + 2)
    shown = [Text.assemble((f"{step.statement.number:{width}d}  ", "dim"), step.statement.text)]
    for ruled in step.outcome.ruled:
        shown.append(Text(f"{margin}seat {ruled.seat}: {ruled.action} {ruled.amount}", "dim"))
    for returned in step.outcome.returned:
        shown.append(Text(f"{margin}{returned.amount} goes back to seat {returned.seat}", "dim"))
    for finding in step.outcome.findings:
        shown.extend(_finding(finding, margin))
    for seat, amount in end.wins.items():
        shown.append(Text(f"{margin}seat {seat} wins {amount}", "green"))
    if end.settlement is not None:
        shown.extend(Text(margin + line, "green") for line in _settled(end.settlement))
    if step.outcome.ignored:
        shown.append(Text(f"{margin}ignored: {step.outcome.ignored}", "dim"))
    for verdict in step.verdicts:
        if not verdict.holds:
            shown.append(
                Text(
                    f"{margin}does not hold: {verdict.expected.text}; the engine says: {verdict.said}", "red"
                )
            )
    return shown


def _settled(settlement: Settlement) -> Iterator[str]:
    """A line for each seat: its boxes, and what it gained."""
    if settlement.plays is not None:
        yield f"the house {'plays' if settlement.plays else 'does not play'}"
    for seat, gained in settlement.net.items():
        boxes = ", ".join(
            f"{line.box} {_RESULTS[line.result]}{f' {line.amount}' if line.amount else ''}"
            for line in settlement.lines
            if line.seat == seat
        )
        yield f"seat {seat}: {boxes}; in all {gained:+d}"


def _finding(finding: Finding, margin: str) -> list[Text]:
    rule = f" ({finding.rulebook} {finding.rule})" if finding.rule else ""
    cause = f" {finding.cause}" if finding.cause else ""
    head = Text.assemble(
        margin, (f"{finding.severity}: {finding.finding}{cause}{rule}", COLOURS[finding.severity])
    )
    return [
        head,
        Text(f"{margin}  {sentence_of(finding)}"),
        *(Text(f"{margin}  - {REMEDIES.get(step, step)}") for step in finding.remedy),
    ]


def _json(step: Played[Any], end: Ending) -> dict[str, object]:
    outcome = step.outcome
    return {
        "line": step.statement.number,
        "at_s": step.statement.at_s,
        "text": step.statement.text,
        "findings": [
            msgspec.to_builtins(finding) | {"sentence": sentence_of(finding)} for finding in outcome.findings
        ],
        "ruled": msgspec.to_builtins(outcome.ruled),
        "returned": msgspec.to_builtins(outcome.returned),
        "ignored": outcome.ignored,
        "wins": end.wins,
        "house": msgspec.to_builtins(end.settlement),
        "failed": [
            {"line": verdict.expected.number, "expected": verdict.expected.text, "said": verdict.said}
            for verdict in step.verdicts
            if not verdict.holds
        ],
    }
