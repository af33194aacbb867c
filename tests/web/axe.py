"""What axe-core finds wrong with a page, by WCAG 2.2 AA."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

_AXE: Final = Path(__file__).parents[2] / ".make" / "packages" / "node_modules" / "axe-core" / "axe.min.js"
_ALL: Final = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag22aa"]}
_CONTRAST: Final = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
_RUN: Final = """async (rules) => {
  const found = await axe.run(document, {runOnly: rules, resultTypes: ["violations"]});
  return found.violations.flatMap((fault) =>
    fault.nodes.map((node) => `${fault.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""


@cache
def _source() -> str:
    return _AXE.read_text()


def faults(page: Page) -> list[str]:
    """The faults of the page as it is now: rule, element and what to do."""
    return _found(page, _ALL)


def contrast_faults(page: Page) -> list[str]:
    """The faults of its colours alone: the others are the same in the light and in the dark."""
    return _found(page, _CONTRAST)


def _found(page: Page, rules: dict[str, Any]) -> list[str]:
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_source())
    found: list[str] = page.evaluate(_RUN, rules)
    return found
