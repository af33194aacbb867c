"""The documents as text: which there are, what they lead to."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FOLDERS = ("benchmarks", "config", "docs", "drivers", "release", "tablebridge", "tests")


def files(*endings: str) -> list[Path]:
    """Files of the repository whose names end so, what is installed and built left out."""
    found = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        found += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if path.name.endswith(endings))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def links(page: Path) -> list[str]:
    """Where the links and images of a page lead, code left out."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), flags=re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
