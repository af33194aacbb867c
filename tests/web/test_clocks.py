"""Clocks on the pages over a real engine: the floor starts them by a button, and every page counts them."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .live import Person, Room

pytestmark = pytest.mark.browser

Opened = Callable[[str, str], Page]


@pytest.fixture
def page_of(room: Room, browser: Browser) -> Iterator[Opened]:
    """The page of a person of a role, beside a table whose first seat is to act."""
    room.restart()
    made: list[Person] = []

    def opened(role: str, path: str) -> Page:
        made.append(Person(room, browser, role, "Anna", viewport={"width": 1440, "height": 900}))
        return made[-1].open(path)

    yield opened
    for person in made:
        person.context.close()
        assert person.complaints == []


def test_the_floor_puts_a_seat_on_the_clock_and_stops_the_levels(room: Room, page_of: Opened) -> None:
    floor, console = page_of("floor", "/floor"), page_of("operator", "/console/main")
    seat = room.state()["to_act"]
    floor.get_by_text("Clocks…").click()
    desk = floor.locator("#clocks-main")
    desk.get_by_role("button", name=f"Clock on seat {seat}").click()
    for page in (floor.locator("#tile-main"), console.locator("#turn")):
        expect(page.locator(".on-clock")).to_have_text(re.compile(rf"^Clock on seat {seat} 0:[0-3]\d$"))
    desk.get_by_label("Minutes").fill("15")
    desk.get_by_role("button", name="Left in the level").click()
    counted = console.locator("#turn .clocks")
    expect(counted).to_contain_text(re.compile(r"Level \d+/\d+ 14:5\d|Level \d+/\d+ 15:00"))
    desk.get_by_role("button", name="Stop the level's clock").click()
    expect(counted).to_contain_text("the clock stands")
    expect(desk.get_by_role("button", name="Start the level's clock")).to_be_visible()
    desk.get_by_role("button", name="Hand-for-hand", exact=True).click()
    expect(counted).to_contain_text("Hand-for-hand")
    lines = [line["line"] for line in room.state()["lines"]]
    assert lines[-4:] == [f"clock {seat}", "level-clock 900", "level-clock stop", "hand-for-hand on"]


def test_the_key_of_the_console_calls_the_clock_on_the_seat_to_act(room: Room, page_of: Opened) -> None:
    console = page_of("operator", "/console/main")
    seat = room.state()["to_act"]
    console.keyboard.press("k")
    console.keyboard.press("Enter")
    expect(console.locator("#turn .on-clock")).to_contain_text(f"Clock on seat {seat}")
    expect(console.locator("#lines")).to_contain_text(f"clock {seat}")


def test_the_deck_is_made_ready_in_the_last_minute_of_a_break(room: Room, page_of: Opened) -> None:
    dealer = page_of("dealer", "/dealer/main")
    said = dealer.locator(".clocks [data-last-minute]")
    room.write("end")
    room.write("rules tda-2024", "break 62")
    expect(dealer.locator(".clocks")).to_contain_text(re.compile(r"Break 1:0[12]"))
    expect(said).to_be_hidden()
    expect(said).to_be_visible(timeout=5_000)
    expect(said).to_have_text("Make the deck ready: wash and square it")
    room.write("break 300", "rules tda-2022")
    expect(said).to_be_hidden()
