"""The style sheet: one place for colours, contrasts that hold, and a page that shows it."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tablebridge import web
from tablebridge.web.assets import Assets
from tablebridge.web.pages.style import sheet, tokens

from .hall import Hall

STATIC = Path(web.__file__).parent / "static"
LITERAL = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklch|oklab)a?\(")
TEXT = 4.5
PART = 3.0
PAIRS = (
    *((text, ground, TEXT) for text in ("text", "dim", "faint") for ground in ("ground", "panel", "raised")),
    *((text, ground, TEXT) for text in ("accent", "good", "amber", "red") for ground in ("ground", "panel")),
    *(
        (f"on-{name}", name, TEXT)
        for name in ("critical", "warning", "notice", "info", "go", "accent", "disc")
    ),
    *((suit, "paper", TEXT) for suit in ("spade", "heart", "diamond", "club")),
    *((part, "panel", PART) for part in ("edge", "critical-edge", "warning-edge", "accent")),
    ("text", "felt", TEXT),
)
"""Which colour stands on which, and the least contrast by WCAG 2.2 (1.4.3 for text, 1.4.11 for parts)."""


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb by WCAG 2.2."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", ["dark", "light"])
@pytest.mark.parametrize(("colour", "ground", "least"), PAIRS)
def test_what_stands_on_a_ground_can_be_read(look: str, colour: str, ground: str, least: float) -> None:
    known = {token.name: token for token in tokens(sheet(Assets()))}
    values = [
        known[name].light or known[name].value if look == "light" else known[name].value
        for name in (colour, ground)
    ]
    assert contrast(*values) >= least


def test_only_tokens_and_themes_have_colours_of_their_own() -> None:
    sheets = [
        path
        for path in STATIC.glob("*.css")
        if path.name != "tokens.css" and not path.name.startswith("theme-")
    ]
    found = {
        f"{path.name}: {line.strip()}"
        for path in sheets
        # On paper there are no grounds: app.css sets the tokens themselves.
        for line in path.read_text().partition("@media print")[0].splitlines()
        if LITERAL.search(line)
    }
    assert len(sheets) >= 5 and found == set()


def test_every_token_that_is_used_exists() -> None:
    files = [path.read_text() for path in STATIC.iterdir() if path.suffix in (".css", ".js")]
    known = {token.name for token in tokens(sheet(Assets()))}
    used = {name for text in files for name in re.findall(r"var\(--([a-z0-9-]+)", text)}
    assert {name for name in used if not name.startswith(("tb-", "sheet"))} - known == set()


@pytest.mark.browser
@pytest.mark.parametrize("look", ["dark", "light"])
def test_the_page_shows_every_token_as_it_is(hall: Hall, browser: Browser, look: Any) -> None:
    context = browser.new_context(color_scheme=look)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(f"{hall.url}/login?token={hall.secret('technician')}")
    page.goto(f"{hall.url}/style")
    shown = page.locator("[data-token]")
    expect(shown).to_have_count(len(tokens(sheet(Assets()))))
    ground = page.locator("[data-token=warning] .swatch")
    expect(ground).to_have_css("background-color", "rgb(255, 179, 0)")
    expect(page.locator("[data-token=text-8] .swatch")).to_have_css("font-size", "96px")
    assert page.locator("svg.icon").count() >= 20 and errors == []
    context.close()
