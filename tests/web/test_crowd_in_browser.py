"""What a browser does while engines are away, and while there is no place for one more stream."""

import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tablebridge.bus import topics

from .hall import Hall, until, view

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def test_the_pill_and_an_alert_say_that_no_engine_answers(hall: Hall, page: Page) -> None:
    hall.lively()
    page.goto(f"{hall.url}/login?token={hall.secret('floor')}&next=/floor")
    page.wait_for_url(f"{hall.url}/floor")
    expect(page.locator("#live")).to_have_text("live")
    expect(page.locator("#deadman")).to_be_hidden()
    hall.engine.hangs = True
    try:
        expect(page.locator("#live")).to_have_text("0 of 2 tables: the engine is away")
        expect(page.locator("#deadman h2")).to_have_text("No table is followed")
        expect(page.locator("body")).to_have_attribute("data-state", "live")
    finally:
        hall.engine.hangs = False
    expect(page.locator("#live")).to_have_text("live")
    expect(page.locator("#deadman")).to_be_hidden()


def test_an_overlay_that_is_one_too_many_waits_calmly_and_comes_when_there_is_a_place(
    hall: Hall, page: Page
) -> None:
    hall.lively()
    hall.engine.show(view(rev=350), topics.OVERLAY)
    key = hall.secret("broadcast", "Crowded")
    with ExitStack() as opened:

        def listen() -> None:
            response = opened.enter_context(
                httpx.stream("GET", f"{hall.url}/live/overlay/main?key={key}", timeout=60)
            )
            assert response.status_code == 200

        for _ in range(8):
            listen()
        asked: list[str] = []
        page.on(
            "request", lambda request: asked.append(request.url) if "/live/overlay/" in request.url else None
        )
        page.goto(f"{hall.url}/overlay/main?key={key}")

        def asked_again() -> bool:
            page.wait_for_timeout(200)
            return len(asked) >= 3

        until(asked_again, "it asks again")
        assert page.locator("body").inner_text().strip() == "", "there is never a word about it on the air"
        before, began = len(asked), time.monotonic()
        opened.close()
        expect(page.locator(".seat")).to_have_count(6)
        assert len(asked) - before <= 2 + time.monotonic() - began, "about once in a few seconds"
