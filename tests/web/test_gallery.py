"""The design sheet: every state of recorded hands fits every theme, and can be read."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tablebridge.languages import PSEUDO
from tablebridge.model.direction import THEMES
from tablebridge.web.gallery import states

from .hall import Hall

pytestmark = pytest.mark.browser

FAULTS = (Path(__file__).parent / "sheet_faults.js").read_text()


def sheet(hall: Hall, browser: Browser, query: str) -> Any:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{hall.url}/overlay/gallery?key={hall.secret('broadcast')}{query}")
    page.wait_for_selector("body[data-ready]")
    assert said == []
    return page


@pytest.mark.parametrize("layout", ["16x9", "9x16", "row", "row-9x16"])
def test_o8_every_state_fits_every_theme_and_can_be_read(hall: Hall, browser: Browser, layout: str) -> None:
    show = "board,seats,stacks,pot,equity,blinds,hand"
    page = sheet(hall, browser, f"&layout={layout}&show={show}")
    assert page.locator("figure").count() == len(states()) * len(THEMES)
    assert not page.evaluate(FAULTS)
    page.close()


@pytest.mark.parametrize(
    ("layout", "lang"),
    [(layout, lang) for layout in ("16x9", "9x16") for lang in ("ru", PSEUDO)]
    + [("row", PSEUDO), ("row-9x16", PSEUDO)],
)
def test_every_state_fits_in_longer_languages(hall: Hall, browser: Browser, layout: str, lang: str) -> None:
    """One theme has all that is wide: the heaviest letters. The last language is longer by two fifths."""
    page = sheet(
        hall,
        browser,
        f"&layout={layout}&lang={lang}&theme=arena&show=board,seats,stacks,pot,equity,blinds,hand",
    )
    assert not page.evaluate(FAULTS)
    page.close()


@pytest.mark.parametrize(
    "show", ["counts,blinds,hand", "player,blinds&seat=5&flag=UZB&line=Once", "board,pot,history"]
)
@pytest.mark.parametrize("layout", ["16x9", "9x16"])
def test_what_is_shown_by_itself_fits_too(hall: Hall, browser: Browser, layout: str, show: str) -> None:
    page = sheet(hall, browser, f"&layout={layout}&show={show}")
    assert not page.evaluate(FAULTS)
    page.close()


def test_a_theme_is_one_style_sheet_that_looks_like_no_other(hall: Hall, browser: Browser) -> None:
    page = sheet(hall, browser, "&state=raise&size=0.5")
    looks = page.locator("figure").evaluate_all("""figures => figures.map(figure => {
      const seat = getComputedStyle(figure.querySelector(".stage > div").shadowRoot.querySelector(".seat"));
      return [seat.backgroundColor, seat.fontFamily.split(",")[0], seat.borderRadius].join(" ");
    })""")
    assert len(set(looks)) == len(THEMES)
    page.close()


def test_who_may_not_see_the_overlay_sees_no_sheet(hall: Hall) -> None:
    assert hall.get("/overlay/gallery").status_code == 401
    assert hall.get("/overlay/gallery", "floor").status_code == 403
