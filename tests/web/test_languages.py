"""The pages in four languages, in a real browser; what holds on every page is in `test_every_page.py`."""

import calendar
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tablebridge.languages import NAMES, PSEUDO
from tablebridge.languages.texts import texts

from .fit import clipped, overlapping, untranslated
from .hall import Hall

pytestmark = pytest.mark.browser
MONTHS = ("Sept", *calendar.month_abbr)
NAMES_SHOWN = ("tablebridge", "main", "side", "Vera", "reader", "line", "en", "XA", *NAMES.values(), *MONTHS)
RUSSIAN = texts("ru")


@pytest.fixture
def context(hall: Hall, browser: Browser) -> Iterator[Any]:
    made: list[BrowserContext] = []

    def signed_in(language: str = "", **options: Any) -> Page:
        made.append(browser.new_context(**options))
        cookies = {
            "tablebridge": hall.secret("technician", "Vera"),
            **({"language": language} if language else {}),
        }
        made[-1].add_cookies(
            [{"name": name, "value": value, "url": hall.url} for name, value in cookies.items()]
        )
        return made[-1].new_page()

    yield signed_in
    for each in made:
        each.close()


def test_a_person_chooses_the_language_on_any_page_and_stays_on_it(hall: Hall, context: Any) -> None:
    page = context()
    page.goto(f"{hall.url}/devices")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.locator(".languages summary").click()
    page.get_by_role("button", name="Русский").click()
    page.wait_for_url(f"{hall.url}/devices")
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.locator("h1")).to_have_text(RUSSIAN.gettext("Devices"))
    page.goto(f"{hall.url}/")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


def test_a_browser_is_answered_in_the_language_that_it_asks_for(hall: Hall) -> None:
    def lang(**headers: str) -> str:
        page = hall.http.get(
            f"{hall.url}/login", headers={name.replace("_", "-"): text for name, text in headers.items()}
        )
        return re.search(r'<html lang="([^"]+)"', page.text)[1]  # type: ignore[index]

    assert lang(accept_language="fr, es-MX;q=0.8, ru;q=0.9") == "ru"
    assert lang(accept_language="zh-CN") == "zh-Hans"
    assert lang(accept_language="fr;q=1, es;q=nonsense, ru;q=0") == "en", "the site's"
    assert lang(accept_language="ru", cookie="language=es") == "es"
    assert lang(accept_language="ru", cookie="language=tlh") == "ru"


def test_only_a_page_of_ours_may_choose_and_only_what_there_is(hall: Hall) -> None:
    here = {"sec-fetch-site": "same-origin"}
    chosen = hall.http.post(
        f"{hall.url}/language", data={"language": "es", "next": "//evil.example"}, headers=here
    )
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/")
    assert "language=es" in chosen.headers["set-cookie"] and "SameSite=strict" in chosen.headers["set-cookie"]
    assert hall.http.post(f"{hall.url}/language", data={"language": "tlh"}, headers=here).status_code == 400
    assert hall.http.post(f"{hall.url}/language", data={"language": "es"}).status_code == 403


def test_what_comes_live_is_in_the_language_of_its_page(hall: Hall, context: Any) -> None:
    pages = {language: context(language) for language in NAMES}
    for page in pages.values():
        page.goto(f"{hall.url}/devices")
        expect(page.locator("body")).to_have_attribute("data-state", "live")
    hall.engine.health("reader", "stale")
    for language, page in pages.items():
        expect(page.locator("#device-main-reader")).to_contain_text(
            texts(language).pgettext("device", "stale")
        )
    hall.engine.health("reader", "live")


def test_a_program_is_refused_in_english_and_a_page_in_its_language(hall: Hall) -> None:
    path, wanted = "/api/none", {"accept-language": "ru"}
    english = hall.get(path, "floor").json()["sentence"]
    program = hall.http.get(
        hall.url + path, headers={**wanted, "authorization": f"Bearer {hall.secret('floor')}"}
    )
    page = hall.http.get(hall.url + path, headers={**wanted, "cookie": f"tablebridge={hall.secret('floor')}"})
    assert program.json()["sentence"] == english and page.json()["sentence"] != english


def test_nothing_on_the_shared_pages_is_in_no_catalogue(hall: Hall, context: Any) -> None:
    page = context(PSEUDO)
    hall.engine.health("reader", "live")
    for path in ("/", "/devices", "/nowhere"):
        page.goto(hall.url + path)
        if path == "/devices":
            expect(page.locator("body")).to_have_attribute("data-state", "live")
        assert untranslated(page, *NAMES_SHOWN) == [], path
    page.set_content("<p title='a text'>Ffllóór</p>")
    assert untranslated(page) == ["text in: a text"]


def test_what_lies_on_something_else_is_found(context: Any) -> None:
    page = context()
    page.set_viewport_size({"width": 360, "height": 640})
    page.set_content(
        "<p style='height: 2em'>far away</p>"
        "<p style='margin: 0'>below</p><p style='margin: -1em 0 0'>above</p>"
        "<p style='position: relative; left: 350px; white-space: nowrap'>beyond the edge</p>"
    )
    found = overlapping(page)
    assert len(found) == 2 and '"below" lies on "above"' in found[1] + found[0]
    assert any(fault == "outside the window: beyond the edge" for fault in found)


def test_what_is_clipped_is_found(context: Any) -> None:
    page = context()
    page.set_viewport_size({"width": 360, "height": 640})
    page.set_content(
        "<p>fits</p><p style='width: 3em; overflow: hidden; white-space: nowrap'>does not fit</p>"
        "<div style='height: 1em; overflow: hidden'><p>one<br>two</p></div>"
        "<button style='width: 2em; white-space: nowrap'>too long</button>"
    )
    found = clipped(page)
    assert [part for fault in found for part in ("does not fit", "onetwo", "too long") if part in fault] == [
        "does not fit",
        "onetwo",
        "too long",
    ]
