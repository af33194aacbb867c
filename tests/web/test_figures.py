"""The page of figures, from the record of a real engine."""

import pytest
from playwright.sync_api import Browser, expect

from .live import Person, Room

pytestmark = pytest.mark.browser


def test_a_night_without_alerts_says_so_and_what_happened_stands_in_figures(
    room: Room, browser: Browser
) -> None:
    person = Person(room, browser, "floor", "Anna", viewport={"width": 360, "height": 640})
    page = person.page
    page.goto(f"{room.pages.url}/figures?hours=1")
    expect(page.locator(".calm")).to_contain_text("No alert was raised in the last hour.")
    room.restart()
    room.write("call 3", "call 4", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s")
    (alert,) = room.get("alerts")["alerts"]
    for to in ("acknowledged", "taken"):
        assert room.post(f"alerts/{alert['id']}/{to}", "floor", "Anna").status_code == 200
    room.restart()
    room.post("lines", name="Boris", lines=["call-floor other"])
    floor = Person(room, browser, "floor", "Anna")
    card = floor.open("/floor").locator(".incident")
    card.locator(".row").click()
    card.get_by_role("button", name="I go").click()
    card.locator("input[name=note]").fill("all is well")
    card.get_by_role("button", name="Nothing found").click()
    expect(card.locator(".note")).to_have_text("Anna: nothing found: all is well")
    floor.context.close()
    assert floor.complaints == []
    page.get_by_role("link", name="the last 4 hours").click()
    targets = page.locator("#targets")
    expect(targets).to_contain_text("1 person acted")
    expect(targets).to_contain_text("✓ on target")
    expect(targets.locator("tr", has_text="Nothing found, of all")).to_contain_text("50.0 %")
    expect(page.locator("#causes tbody th")).to_have_text(["Floor called", "Flop count"])
    expect(page.locator("#causes tbody tr").first.locator("td").last).to_have_text("1")
    expect(page.locator("#answers tbody tr").nth(1)).to_contain_text("until somebody went")
    expect(page.locator("#answers tbody tr").nth(1).locator("td").last).to_have_text("2")
    expect(page.locator("svg .bar").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not any(card in page.content() for card in ("Ah", "Kd", "ace of hearts"))
    with room.stalled():
        page.reload()
        expect(page.locator(".missing")).to_contain_text("Without Table main: the engine does not answer.")
    person.context.close()
    assert person.complaints == []
