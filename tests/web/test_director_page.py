"""The director's page in a real browser: two pictures, and orders that are shown once they hold."""

import calendar
import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tablebridge.bus import topics
from tablebridge.languages import PSEUDO
from tablebridge.model.direction import CHOICES, ORDERS, Direction
from tablebridge.model.overlay import OverlayView
from tablebridge.web.gallery import states

from .axe import faults
from .directing import as_at_first, order
from .fit import SIZES, clipped, untranslated
from .hall import Hall, until, view

pytestmark = pytest.mark.browser

PICTURES = {state.name: state.picture for state in states()}
REVS = itertools.count(7_000)
SENT = """() => {
  window.sent = [];
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, take) {
    return listen.call(this, name, (event) => { window.sent.push([name, event.data]); take(event); });
  };
}"""
"""Keeps what the stream sends."""


@pytest.fixture
def director(hall: Hall, browser: Browser) -> Iterator[Any]:
    """The page of a director who is signed in."""
    made: list[BrowserContext] = []
    errors: list[str] = []

    def opened(language: str = "en", **options: Any) -> Page:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, **options)
        made.append(context)
        for name, value in (("tablebridge", hall.secret("director", "Dora")), ("language", language)):
            context.add_cookies([{"name": name, "value": value, "url": hall.url}])
        page = context.new_page()
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.add_init_script(f"({SENT})()")
        page.goto(f"{hall.url}/director/main")
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        return page

    yield opened
    for context in made:
        context.close()
    assert [error for error in errors if "504" not in error] == []
    hall.engine.refuse, hall.engine.silent = "", False
    as_at_first(hall)


def show(hall: Hall, state: str) -> None:
    """The engine lets a picture out, and shows the present one: another hand, whose faces nobody knows."""
    rev = next(REVS)
    fields = {name: getattr(PICTURES[state], name) for name in OverlayView.__struct_fields__}
    hall.engine.show(OverlayView(**{**fields, "table": "main", "rev": rev}), topics.OVERLAY)
    public = view(rev=rev)
    seats = tuple(replace(seat, faces=()) for seat in public.seats)
    hall.engine.show(replace(public, seats=seats), topics.PUBLIC_STATE)


def test_both_pictures_are_there_and_the_live_one_has_no_face(hall: Hall, director: Any) -> None:
    show(hall, "raise")
    page = director()
    expect(page.locator("#air .seat [data-suit]")).to_have_count(6)
    show(hall, "turn")  # bars move, which the page's policy allows
    expect(page.locator("#air .board .card")).to_have_count(4)
    bars = page.locator("#air .bar > i").evaluate_all(
        "bars => bars.map(bar => Number(bar.style.scale.split(' ')[0]))"
    )
    shares = sorted(round(hand.equity, 4) for hand in PICTURES["turn"].hands if hand.equity is not None)
    assert sorted(round(bar, 2) for bar in bars) == [round(share, 2) for share in shares]
    expect(page.locator("#now .seat")).not_to_have_count(0)
    expect(page.locator("#now .back")).not_to_have_count(0)
    assert page.locator("#now [data-suit]").count() == 0
    expect(page.locator("#now .mark")).to_be_visible()
    live = [data for name, data in page.evaluate("window.sent") if name == "now"]
    assert live and not any(re.search(r'"[2-9TJQKA][cdhs]\*?"', data) for data in live)
    air, now = (page.locator(f"#{name} .monitor").bounding_box() for name in ("air", "now"))
    assert abs(air["width"] - now["width"]) < 1 and air["width"] >= 600
    assert abs(air["width"] / air["height"] - 16 / 9) < 0.02


def test_an_order_is_shown_when_it_holds_and_not_before(hall: Hall, director: Any) -> None:
    show(hall, "raise")
    page = director()
    faces = page.locator("#air .seat [data-suit]")
    expect(faces).to_have_count(6)
    button = page.locator("[data-order='hide-hole-cards']")
    button.click()
    expect(page.locator("[data-order='show-hole-cards']")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".onair")).to_contain_text("On the air without hole cards.")
    expect(page.locator(".onair")).to_contain_text("Dora")
    expect(faces).to_have_count(0)
    hall.engine.refuse = "Not now."
    page.locator("[data-order='show-hole-cards']").click()
    expect(page.locator("#told")).to_contain_text("Not now.")
    expect(page.locator("[data-order='show-hole-cards']")).to_have_attribute("aria-pressed", "false")
    expect(faces).to_have_count(0)
    hall.engine.refuse = ""
    page.locator("[data-order='show-hole-cards']").click()
    expect(faces).to_have_count(6)
    order(hall, "hide-all")  # of a stream deck
    expect(page.locator("[data-order='show-all']")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".onair")).to_contain_text("everything is hidden")
    expect(page.locator("#air tb-frame *")).to_have_count(0)


def holds(hall: Hall, **wanted: Any) -> None:
    """Wait until the director's orders come to this."""

    def now() -> dict[str, Any]:
        address = f"{hall.url}/api/director/main"
        found: dict[str, Any] = hall.http.get(address, params={"key": hall.secret("director", "Dora")}).json()
        return found

    until(lambda: wanted.items() <= now().items(), f"{wanted} holds")


def test_every_order_has_a_key_that_is_a_place_on_the_keyboard(hall: Hall, director: Any) -> None:
    show(hall, "raise")
    page = director()
    expect(page.locator("#air .seat")).not_to_have_count(0)
    for key, wanted in {
        "KeyC": {"hole_cards": False},
        "KeyX": {"picture": False},
        "KeyK": {"counts": True},
        "KeyH": {"history": True},
        "KeyS": {"sponsor": False},
        "Digit4": {"focus": 4},
        "Shift+Digit4": {"third": 4},
        "KeyT": {"theme": "night"},
        "KeyL": {"layout": "right"},
    }.items():
        page.keyboard.press(key)
        holds(hall, **wanted)
    expect(page.locator("[data-order='focus-seat/0']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Digit4")
    holds(hall, focus=0)
    page.evaluate(
        """document.body.dispatchEvent(
          new KeyboardEvent('keydown', {code: 'KeyC', key: 'с', bubbles: true}))"""
    )
    holds(hall, hole_cards=True)  # a Russian layout
    page.locator("#letters").click()
    page.keyboard.press("KeyC")
    page.locator("[data-order='hide-chip-counts']").click()
    holds(hall, counts=False, hole_cards=True)
    page.locator("#letters").click()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("?")


def test_every_order_has_a_button(hall: Hall, director: Any) -> None:
    show(hall, "raise")
    page = director()
    expect(page.locator("#air .seat")).not_to_have_count(0)
    # Buttons that switch give the other order of a pair once they were pressed.
    buttons = set(page.locator("[data-order]").evaluate_all("all => all.map(each => each.dataset.order)"))
    pairs = {name.replace("hide-", "show-") for name in ORDERS if name not in (*CHOICES, "focus-seat")}
    offered = {name.partition("/")[0].replace("hide-", "show-") for name in buttons}
    assert offered >= pairs
    assert {f"{name}/{choice}" for name, choices in CHOICES.items() for choice in choices} <= buttons


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_x2_x9_the_directors_page_is_read_by_everybody_and_fits(
    hall: Hall, director: Any, scheme: str
) -> None:
    show(hall, "raise")
    for language in ("en", "ru", "es", "zh", PSEUDO):
        page = director(language, color_scheme=scheme)
        expect(page.locator("#air .seat")).not_to_have_count(0)
        assert faults(page) == [], language
        for button in page.locator("#desk button").all():
            box = button.bounding_box()
            assert box is None or min(box["width"], box["height"]) >= 48
        page.context.close()
    page = director(PSEUDO)
    names = ("tablebridge", "main", "side", "Dora", *(seat.name for seat in view().seats), "en", "XA")
    shown = ("English", "Русский", "Español", "中文", *calendar.month_abbr)
    assert untranslated(page, *names, *shown) == []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert clipped(page) == [], width


def test_a_director_is_led_to_the_page_and_sees_that_nothing_may_leave(hall: Hall, browser: Browser) -> None:
    assert Direction().theme == "own"
    link = f"{hall.url}/director/side?key={hall.secret('director', 'Dora')}"
    page = browser.new_page()
    page.goto(link)
    expect(page.locator(".onair")).to_contain_text("no picture may leave yet")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    page.goto(f"{hall.url}/login?token={hall.secret('director', 'Dora')}")
    page.goto(hall.url)
    expect(page.locator(".doors a[href='/director/main']")).to_be_visible()
    page.close()
