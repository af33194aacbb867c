"""Which scripts of the conformance suite hold, and why not if they do not.

The scripts came from elsewhere and stay as they are. What is raised in them beside their expectations stands
in further.txt, read against the rulebook by a person, so that a false alarm fails as a missing finding does.
"""

from pathlib import Path

from tablebridge.cli.check import check

HERE = Path(__file__).parent
PENDING = HERE / "pending.txt"
FURTHER = HERE / "further.txt"


def scripts() -> list[Path]:
    """All scripts of the suite, as paths below this folder."""
    return sorted(path.relative_to(HERE) for path in HERE.rglob("*.table"))


def reason(script: Path) -> str:
    """Why the script does not hold: its first complaint; empty where it holds."""
    checked = check(HERE / script, strict=True)
    if checked.error:
        return checked.error.removeprefix(f"{HERE / script}:")
    if not checked.verdicts:
        return "it expects nothing"
    if checked.failures:
        failed = checked.failures[0]
        return f"{failed.expected.number}: expected {failed.expected.text}, the engine says: {failed.said}"
    known = further().get(str(script), set())
    if false_alarms := set(checked.unnamed) - known:
        return "{}: nobody expects this: {}".format(*min(false_alarms))
    if missing := known - set(checked.unnamed):
        return "{}: expected by further.txt: {}".format(*min(missing))
    return ""


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
    """Scripts known not to hold yet, with the reason that stood in the list."""
    lines = PENDING.read_text(encoding="utf-8").splitlines()
    return dict(line.split("  ", 1) for line in lines if line and not line.startswith("#"))
