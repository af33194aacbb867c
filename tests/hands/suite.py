"""The suite of table scripts: where each one is, and whether it holds.

A script is named by its path below this folder: `tda-2022/burns/flop-without-burn`. A script holds if all of
its expectations do and if each finding above `info` is named: by an expectation of the script or, in scripts
that came from elsewhere and stay as they are, by a line of further.txt, read against the rulebook by a
person. So a false alarm fails as a missing finding does.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tablebridge.cli.check import check

HERE = Path(__file__).parent
PENDING = HERE / "pending.txt"
FURTHER = HERE / "further.txt"
HOUSES = "house-rulebooks"
"""The folder of the scripts that are played under a house rulebook, with the houses' files."""


def scripts() -> list[str]:
    """The names of all scripts, in order."""
    return sorted(path.relative_to(HERE).with_suffix("").as_posix() for path in HERE.rglob("*.table"))


def hands() -> list[str]:
    """The names of the scripts of one table, in which hands are played."""
    return [script for script in scripts() if "/several-tables/" not in script]


def by_folder(scripts: Iterable[str]) -> dict[str, list[str]]:
    """Scripts by the folder that they are in: a test of each alone would mostly be the test's own work."""
    found: dict[str, list[str]] = {}
    for script in scripts:
        found.setdefault(script.rpartition("/")[0], []).append(script)
    return found


def path_of(script: str) -> Path:
    """The file of a script."""
    return HERE / f"{script}.table"


def reason(script: str) -> str:
    """Why the script does not hold: its first complaint; empty if it holds."""
    checked = check(path_of(script), strict=True)
    if checked.error:
        return checked.error.removeprefix(f"{path_of(script)}:")
    if not checked.verdicts:
        return "it expects nothing"
    if checked.failures:
        failed = checked.failures[0]
        return f"{failed.expected.number}: expected {failed.expected.text}, the engine says: {failed.said}"
    known = further().get(script, set())
    if false_alarms := set(checked.unnamed) - known:
        return "{}: nobody expects this: {}".format(*min(false_alarms))
    if missing := known - set(checked.unnamed):
        return "{}: expected by further.txt: {}".format(*min(missing))
    return ""


@cache
def further() -> dict[str, set[tuple[int, str]]]:
    """By script the findings that are right and that its own expectations leave out, each with its line."""
    found: dict[str, set[tuple[int, str]]] = {}
    for line in FURTHER.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            place, finding = line.split("  ", 1)
            script, _, number = place.rpartition(":")
            found.setdefault(script, set()).add((int(number), finding))
    return found


def pending() -> dict[str, str]:
    """Scripts known not to hold yet, each with the reason that stands in the list."""
    lines = PENDING.read_text(encoding="utf-8").splitlines()
    return dict(line.split("  ", 1) for line in lines if line and not line.startswith("#"))
