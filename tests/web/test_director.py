"""The director of the broadcast: orders that reach every overlay and feed, are recorded, and fail closed."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from tablebridge.bus import topics
from tablebridge.model.direction import Directed, Direction, after
from tablebridge.model.overlay import OverlayView
from tablebridge.web.directions import Directions, directed
from tablebridge.web.gallery import states
from tablebridge.web.pages.preview import faceless

from .directing import as_at_first, order
from .hall import Hall, until, view

PICTURES = {state.name: state.picture for state in states()}
FACE = re.compile(r'"[2-9TJQKA][cdhs]"')


def show(hall: Hall, state: str, rev: int) -> None:
    fields = {name: getattr(PICTURES[state], name) for name in OverlayView.__struct_fields__}
    hall.engine.show(OverlayView(**{**fields, "table": "main", "rev": rev}), topics.OVERLAY)
    until(lambda: feed(hall).get("rev") == rev, "the feed has the picture")


def feed(hall: Hall) -> dict[str, Any]:
    found: dict[str, Any] = hall.get("/api/tables/main/overlay", "broadcast").json()
    return found


def orders_seen(hall: Hall) -> list[Directed]:
    return [command.direction for command in hall.engine.commands if command.direction is not None]


@pytest.fixture(autouse=True)
def as_before(hall: Hall) -> Iterator[None]:
    """Nothing is hidden and nothing shown beside the table at the end."""
    yield
    hall.engine.refuse = ""
    as_at_first(hall)


def overlay(hall: Hall, browser: Browser) -> Page:
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{hall.url}/overlay/main?key={hall.secret('broadcast')}&motion=off")
    return page


@pytest.mark.browser
def test_an_order_reaches_all_overlays_and_the_feed_at_once(hall: Hall, browser: Browser) -> None:
    show(hall, "raise", 2000)
    pages = [overlay(hall, browser), overlay(hall, browser)]
    for page in pages:
        expect(page.locator(".seat [data-suit]")).to_have_count(6)
    assert order(hall, "hide-hole-cards").json()["recorded"] is True
    assert not any(seat["faces"] for seat in feed(hall)["seats"]) and feed(hall)["hands"] == []
    for page in pages:
        expect(page.locator(".seat [data-suit], .equity")).to_have_count(0)
        expect(page.locator(".seat .back")).to_have_count(6)
        expect(page.locator(".board [data-suit]")).to_have_count(3)
    order(hall, "hide-all")
    for page in pages:
        expect(page.locator("tb-table *:not(tb-frame)")).to_have_count(0)
    order(hall, "show-all")
    for page in pages:
        expect(page.locator(".seat .back")).to_have_count(6)
    order(hall, "show-hole-cards")
    for page in pages:
        expect(page.locator(".seat [data-suit]")).to_have_count(6)
        page.close()


@pytest.mark.browser
def test_the_director_puts_a_seat_in_focus_a_player_and_chip_counts_on_the_air(
    hall: Hall, browser: Browser
) -> None:
    show(hall, "raise", 2010)
    page = overlay(hall, browser)
    order(hall, "focus-seat/4")
    expect(page.locator("[data-focus]")).to_have_attribute("data-seat", "4")
    order(hall, "show-chip-counts")
    expect(page.locator(".counts tr")).to_have_count(6)
    order(hall, "lower-third/4")
    expect(page.locator(".third .name")).to_have_text("Chen Wei")
    order(hall, "lower-third/0")
    expect(page.locator(".third")).to_have_count(0)
    page.close()


@pytest.mark.browser
def test_the_director_chooses_theme_layout_history_and_sponsor(hall: Hall, browser: Browser) -> None:
    show(hall, "raise", 2012)
    page = overlay(hall, browser)
    plate = "getComputedStyle(document.querySelector('.seat')).backgroundColor"
    expect(page.locator(".seat")).to_have_count(3)
    night = page.evaluate(plate)
    order(hall, "theme/day")
    until(lambda: page.evaluate(plate) != night, "the theme has changed")
    expect(page.locator("link[href*='theme-']")).to_have_count(1)
    order(hall, "theme/own")
    until(lambda: page.evaluate(plate) == night, "the theme of the address is back")
    expect(page.locator(".history")).to_have_count(0)
    order(hall, "show-history")
    expect(page.locator(".history")).to_be_visible()
    expect(page.locator(".sponsor")).to_have_count(1)
    order(hall, "hide-sponsor")
    expect(page.locator(".sponsor")).to_have_count(0)
    left = page.locator(".seats").bounding_box()
    order(hall, "layout/right")
    expect(page.locator("tb-table")).to_have_attribute("data-seats", "right")
    right = page.locator(".seats").bounding_box()
    assert left and right and left["x"] < 960 < right["x"]
    order(hall, "layout/board")
    expect(page.locator(".seat")).to_have_count(0)
    expect(page.locator(".board .card")).to_have_count(3)
    page.close()


def test_what_reveals_is_recorded_first_and_what_hides_holds_in_any_case(hall: Hall) -> None:
    show(hall, "raise", 2020)
    hall.engine.refuse = "Not now."
    answer = order(hall, "hide-hole-cards")
    assert answer.status_code == 200
    assert answer.json()["recorded"] is False and answer.json()["sentence"] == "Not now."
    assert not any(seat["faces"] for seat in feed_of_known(hall))
    answer = order(hall, "show-hole-cards")
    assert answer.status_code == 504 and "Not now." in answer.json()["sentence"]
    assert not any(seat["faces"] for seat in feed_of_known(hall))
    hall.engine.refuse = ""
    assert order(hall, "show-hole-cards").json()["direction"]["by"] == "Dora"
    assert any(seat["faces"] for seat in feed_of_known(hall))
    assert orders_seen(hall)[-1] == Directed("show-hole-cards")
    assert hall.engine.commands[-1].role == "director"


def feed_of_known(hall: Hall) -> list[dict[str, Any]]:
    """The seats of the feed; it is recorded already who is given it."""
    seats: list[dict[str, Any]] = feed(hall)["seats"]
    return seats


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ("dance", 404),
        ("focus-seat", 404),
        ("focus-seat/11", 404),
        ("hide-all/3", 404),
        ("focus-seat/x", 404),
        ("theme", 404),
        ("theme/dance", 404),
        ("layout/9x16", 404),
        ("show-history/1", 404),
    ],
)
def test_an_order_that_is_none_is_refused_with_a_sentence(hall: Hall, what: str, status: int) -> None:
    answer = order(hall, what)
    assert answer.status_code == status and answer.json()["sentence"]


def test_nobody_else_directs_and_no_page_elsewhere_does(hall: Hall) -> None:
    url, key = f"{hall.url}/api/director/main/hide-all", hall.secret("director", "Dora")
    assert hall.http.post(url, params={"key": "tb_guess"}).status_code == 401
    assert hall.http.post(url, params={"key": hall.secret("broadcast")}).status_code == 403
    assert hall.http.post(url, headers={"authorization": f"Bearer {key}"}).status_code == 200
    assert hall.http.get(url, params={"key": key}).status_code == 405, "reading never changes anything"
    cookie = {"cookie": f"tablebridge={key}", "origin": "http://elsewhere.example"}
    assert hall.http.post(url, params={"key": "x"}, headers=cookie).status_code == 403
    assert hall.http.get(f"{hall.url}/api/tables/main/overlay", params={"key": key}).status_code == 403
    lines = f"{hall.url}/api/tables/main/lines"
    assert hall.http.post(lines, params={"key": hall.secret("operator")}, json={}).status_code == 403


@pytest.mark.browser
def test_the_preview_is_live_marked_and_without_any_face(hall: Hall, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    sent: list[str] = []
    page.on("response", lambda response: sent.append(response.url))
    page.goto(f"{hall.url}/preview/main?key={hall.secret('director', 'Dora')}")
    public = view(rev=2030, pot=4_350)
    faces = tuple(replace(seat, faces=("Qh", "Qd")) if seat.seat == 5 else seat for seat in public.seats)
    hall.engine.show(replace(public, seats=faces, lines=()), topics.PUBLIC_STATE)
    expect(page.locator("tb-table")).to_have_attribute("data-rev", "2030")
    expect(page.locator(".mark")).to_be_visible()
    expect(page.locator(".board .back")).to_have_count(3)
    assert page.locator("[data-suit]").count() == 0
    assert not FACE.search(page.content())
    page.close()


def test_no_face_is_in_the_data_of_the_preview() -> None:
    for picture in PICTURES.values():
        public = {name: getattr(picture, name) for name in type(view()).__struct_fields__}
        text = json.dumps(str(faceless(type(view())(**public))))
        assert not re.search(r"'[2-9TJQKA][cdhs]\*?'", text)


def test_without_hole_cards_nothing_that_follows_from_them_is_left() -> None:
    for picture in PICTURES.values():
        left = directed(picture, Direction(hole_cards=False))
        assert not any(seat.faces for seat in left.seats)
        assert (left.hands, left.boards, left.error) == ((), 0, 0.0)
        gone = directed(picture, Direction(picture=False))
        assert (gone.seats, gone.board, gone.pot, gone.history, gone.rev) == ((), (), 0, (), picture.rev)


def test_orders_survive_and_a_file_that_cannot_be_read_hides_hole_cards(tmp_path: Path) -> None:
    first = Directions(tmp_path)
    assert first.of("main") == Direction()
    hidden = after(Direction(), Directed("hide-hole-cards"), "Dora", 5)
    first.apply("main", hidden)
    first.keep("main", hidden)
    again = Directions(tmp_path)
    assert again.of("main") == Direction(hole_cards=False, by="Dora", at_wall_ns=5)
    assert again.of("side") == Direction()
    (tmp_path / "director" / "directions.json").write_text("{")
    assert not Directions(tmp_path).of("main").hole_cards and not Directions(tmp_path).of("side").hole_cards


def test_what_was_hidden_is_hidden_after_the_pages_were_killed(hall: Hall) -> None:
    """Last of this module: the server is killed and comes back."""
    show(hall, "raise", 2040)
    order(hall, "hide-hole-cards")
    hall.pages.keep_port()
    hall.pages.end(signal.SIGKILL)
    hall.pages.start()
    hall.lively()
    until(lambda: "seats" in feed(hall), "the picture is there again")
    assert not any(seat["faces"] for seat in feed_of_known(hall))
