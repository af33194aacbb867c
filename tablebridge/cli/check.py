"""`tablebridge check`: hold the hand engine against the expectations in table scripts."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import click

from tablebridge.cli.scripts import load, script_files
from tablebridge.engine.script.expectations import told
from tablebridge.engine.script.runner import Verdict, play
from tablebridge.model.errors import ScriptError

FAILED = 1
UNREADABLE = 2
_UNNAMED = "a finding that no expectation names"


@dataclass(slots=True)
class Checked:
    """One script: how its expectations fared, or why it cannot be read. `unnamed`: by line, findings above
    `info` that no expectation names, if that is asked for.
    """

    path: Path
    verdicts: list[Verdict] = field(default_factory=list)
    unnamed: list[tuple[int, str]] = field(default_factory=list)
    error: str = ""

    @property
    def failures(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if not verdict.holds]

    @property
    def passed(self) -> int:
        return len(self.verdicts) - len(self.failures)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a JUnit XML report.",
)
@click.option("--strict", is_flag=True, help="A finding above info that no expectation names fails, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[Path, ...], junit: Path | None, strict: bool, as_json: bool
) -> None:
    """Check the expectations in table scripts.

    A folder stands for all files in it that end in .table. The exit status is 0 when every expectation holds,
    1 when one fails, 2 when a script cannot be read.

    Example: tablebridge check tests/hands/tda-2022
    """
    checked = [check(path, strict=strict) for path in script_files(paths)]
    if junit is not None:
        try:
            _junit(checked).write(junit, encoding="utf-8", xml_declaration=True)
        except OSError as error:
            raise ScriptError(f"{junit}: the report cannot be written: {error.strerror}") from None
    failed = sum(len(one.failures) + len(one.unnamed) for one in checked)
    if as_json:
        click.echo(json.dumps(_json(checked), indent=2))
    else:
        for one in checked:
            if one.error:
                click.echo(one.error, err=True)
            for verdict in one.failures:
                click.echo(f"{one.path}:{verdict.expected.number}: {_sentence(verdict)}")
            for number, finding in one.unnamed:
                click.echo(f"{one.path}:{number}: {_UNNAMED}: {finding}")
        click.echo(f"{sum(one.passed for one in checked)} passed, {failed} failed")
    ctx.exit(UNREADABLE if any(one.error for one in checked) else FAILED if failed else 0)


def check(path: Path, *, strict: bool = False) -> Checked:
    """Play one script. `strict`: note the findings that no expectation names."""
    checked = Checked(path)
    try:
        for played in play(load(path)):
            checked.verdicts.extend(played.verdicts)
            if strict:
                checked.unnamed.extend((played.statement.number, told(finding)) for finding in played.unnamed)
    except ScriptError as error:
        return Checked(path, error=str(error))
    return checked


def _sentence(verdict: Verdict) -> str:
    return f"expected {verdict.expected.text}, the engine says: {verdict.said}"


def _json(checked: list[Checked]) -> dict[str, object]:
    return {
        "passed": sum(one.passed for one in checked),
        "failed": sum(len(one.failures) for one in checked),
        "unreadable": sum(1 for one in checked if one.error),
        "scripts": [
            {
                "file": str(one.path),
                "passed": one.passed,
                "failed": len(one.failures),
                "error": one.error or None,
                "failures": [
                    {"line": verdict.expected.number, "expected": verdict.expected.text, "said": verdict.said}
                    for verdict in one.failures
                ],
                "unnamed": [{"line": number, "finding": finding} for number, finding in one.unnamed],
            }
            for one in checked
        ],
    }


def _junit(checked: list[Checked]) -> "ElementTree.ElementTree[ElementTree.Element]":
    """A suite for each script, a case for each expectation."""
    root = ElementTree.Element("testsuites", name="tablebridge check")
    for one in checked:
        tests, failures = (
            len(one.verdicts) + len(one.unnamed) + bool(one.error),
            len(one.failures) + len(one.unnamed),
        )
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=str(one.path),
            tests=str(tests),
            failures=str(failures),
            errors=str(int(bool(one.error))),
        )
        if one.error:
            case = ElementTree.SubElement(
                suite, "testcase", classname=str(one.path), name="the script can be read"
            )
            ElementTree.SubElement(case, "error", message=one.error)
        for verdict in one.verdicts:
            name = f"line {verdict.expected.number}: {verdict.expected.text}"
            case = ElementTree.SubElement(suite, "testcase", classname=str(one.path), name=name)
            if not verdict.holds:
                ElementTree.SubElement(case, "failure", message=_sentence(verdict))
        for number, finding in one.unnamed:
            case = ElementTree.SubElement(
                suite, "testcase", classname=str(one.path), name=f"line {number}: {_UNNAMED}"
            )
            ElementTree.SubElement(case, "failure", message=finding)
    return ElementTree.ElementTree(root)
