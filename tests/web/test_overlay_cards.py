"""The faces of cards on the overlay: rank and suit are read side by side."""

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, Page, expect

from tablebridge.bus import topics

from .hall import Hall, view

pytestmark = pytest.mark.browser

SAME_PIXELS = """async ([pictures, bare]) => {
  const pixels = async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  };
  const ground = await pixels(bare);
  const [first, second] = await Promise.all(pictures.map(pixels));
  const differs = (data, at) =>
    Math.abs(data[at] - ground[at]) + Math.abs(data[at + 1] - ground[at + 1]) > 60;
  let both = 0, one = 0, other = 0;
  for (let at = 0; at < ground.length; at += 4) {
    one += differs(first, at);
    other += differs(second, at);
    both += differs(first, at) && differs(second, at);
  }
  return [one, other, both];
}"""
"""How many pixels the first picture draws, how many the second, and how many both."""


def frozen(page: Page) -> str:
    """What the page shows now, with its style and without its scripts, so that no later picture changes
    it.
    """
    markup: str = page.evaluate("""async () => {
      const whole = document.documentElement.cloneNode(true);
      for (const link of whole.querySelectorAll("link[rel=stylesheet]")) {
        const style = document.createElement("style");
        style.textContent = await (await fetch(link.href)).text();
        link.replaceWith(style);
      }
      for (const script of whole.querySelectorAll("script, link, base")) script.remove();
      return whole.outerHTML;
    }""")
    return markup


def drawn(card: Locator, reader: Page) -> list[int]:
    rank, suit = card.locator("b"), card.locator("svg")

    def picture(rank_shown: bool, suit_shown: bool) -> list[int]:
        for part, shown in ((rank, rank_shown), (suit, suit_shown)):
            part.evaluate("(part, shown) => { part.style.visibility = shown ? '' : 'hidden'; }", shown)
        return list(card.screenshot())

    counts: list[int] = reader.evaluate(
        SAME_PIXELS, [[picture(True, False), picture(False, True)], picture(False, False)]
    )
    return counts


def test_the_suit_never_covers_the_rank(hall: Hall, browser: Browser) -> None:
    """The ten is the widest rank. Hole cards and the board, on the wide picture and on the tall one."""
    shown = view(rev=700, board=("Td", "Ts", "Qc"), street="flop")
    seats = tuple(replace(seat, faces=("Th", "Tc")) if seat.seat == 4 else seat for seat in shown.seats)
    for layout, width, height in (("16x9", 1920, 1080), ("9x16", 1080, 1920), ("16x9", 1280, 720)):
        hall.engine.show(replace(shown, seats=seats, rev=700 + width), topics.OVERLAY)
        context = browser.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto(f"{hall.url}/overlay/main?key={hall.secret('broadcast')}&layout={layout}&motion=off")
        cards = page.locator(".card[data-suit]")
        expect(cards).to_have_count(5)
        still = context.new_page()
        still.set_content(frozen(page))
        cards, reader = still.locator(".card[data-suit]"), context.new_page()
        for index in range(5):
            rank, suit, both = drawn(cards.nth(index), reader)
            label = cards.nth(index).get_attribute("aria-label")
            assert rank > 50 and suit > 50, (layout, label)
            assert both == 0, f"{both} pixels of the {label} are both rank and suit, {layout} at {width}"
        context.close()
