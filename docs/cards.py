"""Makes the pictures of the cards that graphics programs are given: `python docs/cards.py`.

They are drawn by the overlay's own script and style sheets in Chromium, 240 x 328 pixels, transparent around
the card.
"""

from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright
from screenshots import ARGUMENTS, CHROMIUM

from tablebridge import web
from tablebridge.model.cards import FACES
from tablebridge.web.assets import Assets

HERE: Final = Path(web.__file__).parent
SCALE: Final = 2.5
PAGE: Final = """<html><head><link rel=stylesheet href="/tokens.css">
<link rel=stylesheet href="/overlay.css">
<script type="application/json" id="words">WORDS</script>
<script type="module">
import { card } from "/overlay_cards.js";
window.draw = (face) => document.querySelector(".board").replaceChildren(card(face));
await document.fonts.load("700 20px Inter");
window.draw("As");
</script></head><body>
<tb-table><div class="board" style="padding: 0; width: 6rem"></div></tb-table>
</body></html>"""


def main() -> None:
    """Write every card and the back."""
    texts = Assets().block("overlay_texts")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, device_scale_factor=SCALE)

        def answer(route: object, request: object) -> None:
            path = request.url.split("/")[-1]  # type: ignore[attr-defined]
            if path == "":
                route.fulfill(body=PAGE.replace("WORDS", texts), content_type="text/html")  # type: ignore[attr-defined]
            else:
                route.fulfill(path=HERE / "static" / path)  # type: ignore[attr-defined]

        page.route("http://cards.invalid/**", answer)
        page.goto("http://cards.invalid/")
        page.wait_for_selector(".card")
        for face in (*sorted(FACES), "back"):
            page.evaluate("face => window.draw(face)", face)
            page.locator(".card").screenshot(path=HERE / "cards" / f"{face}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
