"""The page of a tournament's room, with real engines, the room's process and a browser."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from e2e.room import Room
from playwright.sync_api import Browser, Page, expect
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.bus.access import TOURNAMENT
from tablebridge.bus.messages import decode, encode
from tablebridge.languages import PSEUDO
from tablebridge.model.rooms import RoomCommand, RoomReply, Row
from tablebridge.web.room_names import names_at

from .axe import contrast_faults, faults
from .fit import SIZES, clipped, overlapping, untranslated
from .hall import SEAT_VIEWS, view
from .test_languages import NAMES_SHOWN as OF_THE_HALL

pytestmark = pytest.mark.browser
PLAYERS = "table,seat,player\none,1,Anna Berg\none,2,Boris\none,3,Carla\ntwo,1,Dora\n"
NAMES_SHOWN = (
    *("Anna", "Berg", "Boris", "Carla", "Dora", "one", "two"),
    *("tda", "fspr", "raise", "club", "online", "room", "TDA", "Nov"),
)
"""What stays as it is in every language: names of people, tables and rulebooks."""


@pytest.fixture
def tournament(tmp_path: Path) -> Iterator[Room]:
    with Room(tmp_path, "nats", ("engine", "web", "room")) as room:
        for table, stacks in (("one", "stacks 10000"), ("two", "stacks 1:10000 2:0 3:0")):
            room.ask(table, "button 1", stacks)
        wait_for(lambda: room.page("/api/room").status_code == 200, "the room is there")
        yield room


@pytest.fixture
def page(tournament: Room, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1024, "height": 600})
    page = context.new_page()
    complaints: list[str] = []
    page.on(
        "console",
        lambda said: (
            complaints.append(said.text)
            if said.type in ("error", "warning") and "409" not in said.text
            else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{tournament.url}/login?token={tournament.token}")
    page.wait_for_url(f"{tournament.url}/")
    yield page
    context.close()
    assert complaints == []


def opened(room: Room, page: Page, path: str = "/room") -> Page:
    page.goto(room.url + path)
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    return page


def test_the_floor_opens_follows_and_writes_the_room(tournament: Room, page: Page) -> None:
    opened(tournament, page, "/floor")
    page.get_by_role("navigation").get_by_role("link", name="Tournament").click()
    page.wait_for_url(f"{tournament.url}/room")
    expect(page.get_by_role("navigation").locator("[aria-current=page]")).to_have_text("Tournament")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    expect(page.locator("[data-empty=unopened]")).to_be_visible()
    expect(page.locator("#set-level")).to_be_hidden()
    page.locator("#open-room input[name=prizes]").fill("500 300 200")
    page.get_by_role("button", name="Open the room").click()
    expect(page.locator("#open-room")).to_be_hidden()
    for table in ("one", "two"):
        tournament.ask(table, "ante 0")
    expect(page.locator(".room-tables li")).to_have_count(2)
    imports(page)
    wait_for(lambda: names(tournament, "one") == ["Anna Berg", "Boris", "Carla"], "the table has its names")
    level(tournament, page)
    moves(page)
    breaks(page)
    deals(page)
    expect(opened(tournament, page, "/floor").locator("#room_band")).to_contain_text("Tournament")


def names(room: Room, table: str) -> list[str]:
    return [seat["name"] for seat in room.page(f"/api/tables/{table}/state").json()["seats"]]


def imports(page: Page) -> None:
    """A file that is wrong names its line and changes nothing; one that fits is written when pressed."""
    wrong = PLAYERS.replace("two,1", "two,x")
    chosen = page.locator("#import input[type=file]")
    chosen.set_input_files({"name": "p.csv", "mimeType": "text/csv", "buffer": wrong.encode()})
    page.get_by_role("button", name="Check the file").click()
    expect(page.locator("#checked")).to_contain_text("Line 5")
    expect(page.locator("#import-now")).to_be_hidden()
    chosen.set_input_files({"name": "p.csv", "mimeType": "text/csv", "buffer": PLAYERS.encode()})
    page.get_by_role("button", name="Check the file").click()
    expect(page.locator("#checked")).to_contain_text("It fits: 4 changes")
    page.locator("#import-now").click()
    expect(page.locator("#checked")).to_contain_text("Imported: 4 changes")
    expect(page.locator("#named li")).to_have_text(
        ["Table one: names and blinds are there.", "Table two: names and blinds are there."]
    )


def level(room: Room, page: Page) -> None:
    """The level's blinds reach every table."""
    page.locator("#set-level input[name=level]").fill("2")
    page.locator("#set-level input[name=stakes]").fill("100/200")
    page.get_by_role("button", name="Begin the level").click()
    expect(page.locator("#level")).to_contain_text("100/200")
    expect(page.locator("#named li.done")).to_have_count(2)

    def stakes(table: str) -> list[int]:
        state = room.page(f"/api/tables/{table}/state").json()
        found: list[int] = (state["level"] or state)["stakes"]
        return found

    wait_for(lambda: [stakes("one"), stakes("two")] == [[100, 200]] * 2, "the tables play the level")
    page.get_by_role("button", name="Names and blinds to the tables").click()
    expect(page.locator("#named")).to_contain_text("All tables have these names and blinds already.")


def moves(page: Page) -> None:
    """Hand-for-hand begins and ends; a player is moved, and a move that cannot be is refused aloud."""
    page.get_by_role("button", name="Begin hand-for-hand").click()
    expect(page.locator("#hand-for-hand")).to_be_visible()
    page.get_by_role("button", name="End hand-for-hand").click()
    expect(page.locator("#hand-for-hand")).to_have_count(0)
    form = page.locator("#move-player")
    form.locator("[name=to]").select_option("two")
    form.get_by_role("button").click()
    expect(page.locator("#told")).to_contain_text("Seat 1 of table two is not empty.")


def breaks(page: Page) -> None:
    """The seed is shown and on record before the draw; then each player's new place stands there."""
    form = page.locator("#break-table")
    form.locator("[name=table]").select_option("two")
    form.get_by_role("button").click()
    seed = page.locator(".seed")
    expect(seed).to_contain_text(re.compile("from the seed [0-9a-f]{16}"))
    form.get_by_role("button").click()
    expect(page.locator("#told")).to_contain_text("is on record already")
    seed.get_by_role("button").click()
    expect(page.locator("#told")).to_contain_text("Press again")
    expect(page.locator("#places")).to_have_count(0)
    seed.get_by_role("button").click()
    expect(page.locator("#places li")).to_contain_text(re.compile("Dora: seat 1 of table two to seat"))


def deals(page: Page) -> None:
    """The amounts of a deal stand there once it is proposed."""
    button = page.get_by_role("button", name="Deal by chips")
    button.click()
    button.click()
    expect(page.locator("#deal tbody tr")).to_have_count(4)
    expect(page.locator("#deal tbody tr").first).to_contain_text("250")


def test_the_page_is_accessible_and_fits_with_longer_texts(tournament: Room, page: Page) -> None:
    both_tables(tournament, page)
    found = faults(page)
    page.emulate_media(color_scheme="light")
    found += contrast_faults(page)
    page.context.add_cookies([{"name": "language", "value": PSEUDO, "url": tournament.url}])
    opened(tournament, page)
    found += untranslated(page, *OF_THE_HALL, *NAMES_SHOWN)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}: {fault}" for fault in clipped(page) + overlapping(page)]
    assert not found, "\n".join(found)


def test_a_table_keeps_its_name_where_the_room_has_none_unless_that_player_sits_elsewhere() -> None:
    rows = [Row("", "main", 1), Row("", "main", 2), Row("Dora", "main", 3), Row("Ivan", "side", 1)]
    assert {seat.seat: seat.name for seat in SEAT_VIEWS}[2] == "Ivan"
    assert names_at(rows, view()) == {1: "Vera", 3: "Dora"}
    assert names_at([Row("Vera", "main", 1, first=4, last=4)], view()) == {}, "who is out has no name there"


def written(room: Room, key: str, *lines: str) -> httpx.Response:
    return httpx.post(
        f"{room.url}/api/room",
        headers={"authorization": f"Bearer {room.token}"},
        json={"id": key, "lines": lines},
        timeout=60,
    )


def both_tables(room: Room, page: Page) -> None:
    """The room is open and knows both tables."""
    answer = written(room, "open-the-room", "room nlhe 9")
    assert answer.status_code == 200, answer.text
    for table in ("one", "two"):
        room.ask(table, "ante 0")
    opened(room, page)
    expect(page.locator(".room-tables li")).to_have_count(2)


def test_a_table_that_refuses_is_shown_and_the_others_are_named(tournament: Room, page: Page) -> None:
    long = "A" * 41
    both_tables(tournament, page)
    answer = written(tournament, "a-long-name", f'name one 2 "{long}"', 'name two 1 "Dina"')
    assert answer.status_code == 200, answer.text
    page.get_by_role("button", name="Names and blinds to the tables").click()
    expect(page.locator("#named .refused")).to_contain_text("The name of seat 2 cannot be shown")
    expect(page.locator("#named .done")).to_contain_text("two")
    wait_for(lambda: names(tournament, "two")[0] == "Dina", "the other table has its name")


def test_names_go_to_the_tables_by_themselves_between_hands_once_the_floor_has_decided_so(
    tournament: Room, page: Page
) -> None:
    both_tables(tournament, page)
    page.get_by_role("button", name="Let names and blinds go to the tables by themselves").click()
    expect(page.get_by_role("button", name="Names go to the tables by themselves: Anna")).to_be_visible()
    tournament.ask("one", "stacks 10000", "button 1", "hand", "dealt")
    before = names(tournament, "one")
    imported(tournament, 'name one 2 "Bob"', 'name two 1 "Dunja"')
    wait_for(lambda: names(tournament, "two")[0] == "Dunja", "the table without a hand has its name")
    assert names(tournament, "one") == before, "nothing is brought in the middle of a hand"
    tournament.ask("one", "end")
    wait_for(lambda: names(tournament, "one")[1] == "Bob", "the other table has it after its hand")
    page.get_by_role("button", name="Names go to the tables by themselves: Anna").click()
    expect(page.get_by_role("button", name="Let names and blinds go")).to_be_visible()


def imported(room: Room, *lines: str) -> None:
    """Tournament software writes these lines over the bus."""
    replies: list[RoomReply] = []
    client = room.client(TOURNAMENT)

    def on_message(_topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        replies.append(decode(payload, RoomReply))
        ack()

    client.on_message = on_message
    client.subscribe(topics.ROOM_IMPORTED.of("hall", "one"))
    wait_for(lambda: (client.step(0.05), client.subscribed)[1], "the software is on the bus")
    deadline = time.time_ns() + 60 * 10**9
    wanted = RoomCommand("names-of-software", "Blind Valet", "floor", deadline, lines=lines)
    client.publish(topics.ROOM_IMPORT.of("hall", "one"), encode(wanted))
    wait_for(lambda: (client.step(0.05), replies)[1], "it is answered")
    assert replies[0].ok, replies[0].sentence
    client.close(1.0)
