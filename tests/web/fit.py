"""Which texts of a page do not fit: they are clipped, or make the page wider than its window. And which are
in no catalogue: on a page in the pseudo-language they have no accents.
"""

from typing import Final

from playwright.sync_api import Page

SIZES: Final = ((360, 640), (1024, 600), (1920, 1080))
_CLIPPED: Final = """() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push(`the page is ${wide} px wider than the window`);
  for (const element of document.body.querySelectorAll("*")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!text || element.closest(".heard, script, svg, [hidden]") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const hides = getComputedStyle(box);
      const inner = element.getBoundingClientRect();
      const outer = box.getBoundingClientRect();
      const across = box === element ? element.scrollWidth - element.clientWidth : inner.right - outer.right;
      const down = box === element
        ? element.scrollHeight - element.clientHeight : inner.bottom - outer.bottom;
      if (style.display === "inline" && box === element) continue;
      if ((["hidden", "clip"].includes(hides.overflowX) && across > 1) ||
          (["hidden", "clip"].includes(hides.overflowY) && down > 1)) {
        const name = `${element.tagName.toLowerCase()}.${element.className}`;
        faults.push(`${name}: ${element.textContent.trim().slice(0, 60)}`);
        break;
      }
      if (["auto", "scroll"].includes(hides.overflowX) || ["auto", "scroll"].includes(hides.overflowY)) break;
      if (hides.position === "fixed") break;
    }
  }
  for (const button of document.querySelectorAll("button, .button")) {
    if (!button.checkVisibility()) continue;
    if (button.scrollWidth > button.clientWidth + 1 || button.scrollHeight > button.clientHeight + 1)
      faults.push(`the button ${button.textContent.trim()} is too small for its text`);
  }
  return faults;
}"""


def clipped(page: Page) -> list[str]:
    """The texts that are clipped in the window as it is now."""
    found: list[str] = page.evaluate(_CLIPPED)
    return found


_PLAIN: Final = """(names) => {
  const said = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!element.closest("script, style, code, kbd, [translate=no]")) said.push(walk.currentNode.textContent);
  }
  for (const name of ["aria-label", "title", "alt", "placeholder"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) said.push(element.getAttribute(name));
  }
  const plain = (text) => [...text.matchAll(/\\p{L}+·?/gu)].map((found) => found[0])
    .filter((word) => /^[A-Za-z]{2,}$/.test(word) && !names.includes(word));
  return said.flatMap((text) => plain(text).map((word) => `${word} in: ${text.trim().slice(0, 80)}`));
}"""


def untranslated(page: Page, *names: str) -> list[str]:
    """The words of a page in the pseudo-language that are in no catalogue and are none of these names."""
    found: list[str] = page.evaluate(_PLAIN, list(names))
    return found
