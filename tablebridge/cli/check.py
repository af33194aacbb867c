"""`tablebridge check`: hold the hand engine against the expectations in table scripts."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import click

from tablebridge.cli.scripts import played, script_files
from tablebridge.engine.script.expectations import text_of
from tablebridge.engine.script.runner import Verdict
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
    failed = sum(len(script.failures) + len(script.unnamed) for script in checked)
    if as_json:
        click.echo(json.dumps(_json(checked), indent=2))
    else:
        for script in checked:
            if script.error:
                click.echo(script.error, err=True)
            for verdict in script.failures:
                click.echo(f"{script.path}:{verdict.expected.number}: {_sentence(verdict)}")
            for number, finding in script.unnamed:
                click.echo(f"{script.path}:{number}: {_UNNAMED}: {finding}")
        click.echo(f"{sum(script.passed for script in checked)} passed, {failed} failed")
    ctx.exit(UNREADABLE if any(script.error for script in checked) else FAILED if failed else 0)


def check(path: Path, *, strict: bool = False) -> Checked:
    """Play one script. `strict`: note the findings that no expectation names."""
    checked = Checked(path)
    try:
        for step in played(path):
            checked.verdicts.extend(step.verdicts)
            if strict:
                checked.unnamed.extend((step.statement.number, text_of(finding)) for finding in step.unnamed)
    except ScriptError as error:
        return Checked(path, error=str(error))
    return checked


def _sentence(verdict: Verdict) -> str:
    return f"expected {verdict.expected.text}, the engine says: {verdict.said}"


def _json(checked: list[Checked]) -> dict[str, object]:
    return {
        "passed": sum(script.passed for script in checked),
        "failed": sum(len(script.failures) for script in checked),
        "unreadable": sum(1 for script in checked if script.error),
        "scripts": [
            {
                "file": str(script.path),
                "passed": script.passed,
                "failed": len(script.failures),
                "error": script.error or None,
                "failures": [
                    {"line": verdict.expected.number, "expected": verdict.expected.text, "said": verdict.said}
                    for verdict in script.failures
                ],
                "unnamed": [{"line": number, "finding": finding} for number, finding in script.unnamed],
            }
            for script in checked
        ],
    }


def _junit(checked: list[Checked]) -> "ElementTree.ElementTree[ElementTree.Element]":
    """A suite for each script, a case for each expectation."""
    root = ElementTree.Element("testsuites", name="tablebridge check")
    for script in checked:
        tests, failures = (
            len(script.verdicts) + len(script.unnamed) + bool(script.error),
            len(script.failures) + len(script.unnamed),
        )
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=str(script.path),
            tests=str(tests),
            failures=str(failures),
            errors=str(int(bool(script.error))),
        )
        if script.error:
            case = ElementTree.SubElement(
                suite, "testcase", classname=str(script.path), name="the script can be read"
            )
            ElementTree.SubElement(case, "error", message=script.error)
        for verdict in script.verdicts:
            name = f"line {verdict.expected.number}: {verdict.expected.text}"
            case = ElementTree.SubElement(suite, "testcase", classname=str(script.path), name=name)
            if not verdict.holds:
                ElementTree.SubElement(case, "failure", message=_sentence(verdict))
        for number, finding in script.unnamed:
            case = ElementTree.SubElement(
                suite, "testcase", classname=str(script.path), name=f"line {number}: {_UNNAMED}"
            )
            ElementTree.SubElement(case, "failure", message=finding)
    return ElementTree.ElementTree(root)
