"""What axe-core finds wrong with a page, by WCAG 2.2 AA."""

from functools import cache
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

_AXE: Final = Path(__file__).parents[2] / ".make" / "packages" / "node_modules" / "axe-core" / "axe.min.js"
_RUN: Final = """async () => {
  const found = await axe.run(document, {runOnly: {type: "tag", values: ["wcag2a", "wcag2aa", "wcag22aa"]}});
  return found.violations.flatMap((fault) =>
    fault.nodes.map((node) => `${fault.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""


@cache
def _source() -> str:
    return _AXE.read_text()


def faults(page: Page) -> list[str]:
    """The faults of the page as it is now: rule, element and what to do."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_source())
    found: list[str] = page.evaluate(_RUN)
    return found
