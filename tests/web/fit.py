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


_OVERLAPPING: Final = """() => {
  const faults = [], boxes = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const layer = (element) => {
    for (let at = element; at; at = at.parentElement)
      if (["fixed", "sticky"].includes(getComputedStyle(at).position)) return at;
    return null;
  };
  const scrolls = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const shown = (element, box) => {
    let [left, right, top, bottom] = [box.left, box.right, box.top, box.bottom];
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at), outer = at.getBoundingClientRect();
      if (style.overflowX !== "visible")
        [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
      if (style.overflowY !== "visible")
        [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
    }
    return {left, right, top, bottom};
  };
  while (walk.nextNode()) {
    const node = walk.currentNode, element = node.parentElement;
    if (!node.textContent.trim() || element.closest(".heard, script, style, [hidden], [aria-hidden=true]") ||
        !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      // The box of a text is higher than its letters.
      const {left, right, top, bottom, height} = rect;
      const box = shown(element, {left, right, top: top + .2 * height, bottom: bottom - .2 * height});
      if (box.right - box.left < 2 || box.bottom - box.top < 2) continue;
      const text = node.textContent.trim().slice(0, 60);
      if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(element))
        faults.push(`outside the window: ${text}`);
      boxes.push({...box, element, text, layer: layer(element)});
    }
  }
  boxes.sort((one, other) => one.top - other.top);
  for (let at = 0; at < boxes.length; at++) {
    const one = boxes[at];
    for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom - 3; next++) {
      const other = boxes[next];
      if (one.layer !== other.layer || one.element === other.element) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > 2 && down > 3) faults.push(`"${one.text}" lies on "${other.text}"`);
    }
  }
  return [...new Set(faults)];
}"""


def overlapping(page: Page) -> list[str]:
    """The texts of the window as it is now that lie on each other, or outside of it to the left or right."""
    found: list[str] = page.evaluate(_OVERLAPPING)
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
