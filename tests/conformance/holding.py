"""Which scripts of the conformance suite hold, and why not where they do not."""

from pathlib import Path

from tablebridge.cli.check import check

HERE = Path(__file__).parent
PENDING = HERE / "pending.txt"


def scripts() -> list[Path]:
    """All scripts of the suite, as paths below this folder."""
    return sorted(path.relative_to(HERE) for path in HERE.rglob("*.table"))


def reason(script: Path) -> str:
    """Why the script does not hold: its first complaint; empty where it holds."""
    checked = check(HERE / script)
    if checked.error:
        return checked.error.removeprefix(f"{HERE / script}:")
    if not checked.verdicts:
        return "it expects nothing"
    return next((f"{one.expected.number}: expected {one.expected.text}, the engine says: {one.said}"
                 for one in checked.failures), "")


def pending() -> dict[str, str]:
    """Scripts known not to hold yet, with the reason that stood in the list."""
    lines = PENDING.read_text(encoding="utf-8").splitlines()
    return dict(line.split("  ", 1) for line in lines if line and not line.startswith("#"))
