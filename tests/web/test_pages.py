"""The pages in a real browser, over a real broker: what people see, press and read."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from tablebridge import web
from tablebridge.bus import topics
from tablebridge.model.presence import SeatRead
from tablebridge.model.views import LineView, SpecialView
from tablebridge.web.auth import Role

from .hall import Hall, misdeal, until, view

BOOTSTRAP = Path(web.__file__).parent / "static" / "tablebridge-overlay.html"
pytestmark = pytest.mark.browser
TABLET = {"width": 1024, "height": 600}


class Person:
    """A browser of one person, signed in. `complaints`: what the console said; `asked`: every address
    requested.
    """

    def __init__(self, hall: Hall, browser: Browser, role: Role | None, name: str, **options: Any) -> None:
        self.hall = hall
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        if role is not None:
            self.page.goto(f"{hall.url}/login?token={hall.secret(role, name)}")
            self.page.wait_for_url(f"{hall.url}/")

    def open(self, path: str) -> Page:
        self.page.goto(self.hall.url + path)
        expect(self.page.locator("body")).to_have_attribute("data-state", "live")
        return self.page

    def content(self) -> None:
        """Nothing was said on the console, and nothing was asked of anybody else."""
        assert self.complaints == []
        assert [url for url in self.asked if not url.startswith((self.hall.url, "data:"))] == []


@pytest.fixture
def people(hall: Hall, browser: Browser) -> Iterator[Any]:
    made: list[Person] = []

    def person(role: Role | None, name: str = "Anna", **options: Any) -> Person:
        made.append(Person(hall, browser, role, name, **options))
        return made[-1]

    yield person
    for one in made:
        one.context.close()


def close_all(hall: Hall) -> None:
    for one in hall.alerts():
        for to in ("ruled", "closed"):
            hall.post(f"/api/tables/{one['table']}/alerts/{one['id']}/{to}", "floor", {"id": hall.new_id()})
    until(lambda: not hall.alerts(), "no alert is open")


def test_an_alert_comes_with_its_rule_and_remedy_and_can_be_taken(hall: Hall, people: Any) -> None:
    anna, olga = people("floor", "Anna", viewport={"width": 360, "height": 640}), people("floor", "Olga")
    page, other = anna.open("/floor"), olga.open("/floor")
    expect(page.locator(".calm")).to_contain_text("No open alerts · 2 tables alive, last beat")
    hall.engine.raise_alert(misdeal("10.0"))
    card = page.locator(".incident")
    card.locator(".row").click()
    expect(card).to_contain_text("TDA 2022 rule 35-A(1)")
    expect(card.locator(".steps li")).to_have_text(
        [
            "Return all bets of the hand.",
            "Reshuffle the whole deck.",
            "Deal again: same button, same players, same blinds.",
        ]
    )
    expect(card.locator(".badge")).to_have_text("▲ warning")
    expect(page.locator("#announce")).to_contain_text("warning: Table main · seat 4, Misdeal.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    card.get_by_role("button", name="I go").click()
    for seen in (page, other):
        expect(seen.locator(".row .who")).to_contain_text("Anna")
    card.locator("input[name=note]").fill("Redeal, same button")
    card.get_by_role("button", name="Rule").click()
    expect(other.locator("#alert-main-10\\.0 .note")).to_have_text("Anna: Redeal, same button")
    card.get_by_role("button", name="Close").click()
    expect(other.locator(".calm")).to_be_visible()
    anna.content()
    olga.content()


def test_f2_the_second_to_go_reads_who_was_first_and_both_pages_show_the_same_name(
    hall: Hall, people: Any
) -> None:
    page, other = people("floor", "Olga").open("/floor"), people("floor", "Anna").open("/floor")
    hall.engine.raise_alert(misdeal("11.0"))
    page.locator(".row").click()
    button = page.locator(".incident button.go")
    expect(button).to_be_visible()
    # Both press at the same moment; Anna's press arrives while Olga's is on its way.
    path = "/api/tables/main/alerts/11.0/taken"
    first: list[Any] = []
    page.route(
        f"**{path}",
        lambda route: (first.append(hall.post(path, "floor", {"id": hall.new_id()})), route.continue_()),
    )
    with page.expect_response(lambda answer: answer.url.endswith(path)) as answered:
        button.click()
    assert answered.value.status == 409 and first[0].status_code == 200
    expect(page.locator("#told")).to_contain_text("Anna was first")
    for seen in (page, other):
        expect(seen.locator(".row .who")).to_contain_text("on the way Anna")
    close_all(hall)


def test_incidents_are_moved_by_keys_under_any_layout(hall: Hall, people: Any) -> None:
    page = people("floor").open("/floor")
    hall.engine.raise_alert(misdeal("12.0", hand=6))
    hall.engine.raise_alert(misdeal("13.0", severity="critical", finding="fouled-deck"))
    expect(page.locator(".incident").first).to_contain_text("Fouled deck")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.evaluate(
        "document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', {code: 'KeyT', key: 'е', bubbles: true}))"
    )  # the key T under a Russian layout
    expect(page.locator("#incident-main-hand-6 .row .state")).to_have_text("on the way")
    expect(page.locator("#incident-main-hand-7 .row .state")).to_have_text("raised")
    page.keyboard.press("Shift+?")
    expect(page.locator("#keys")).to_be_visible()
    page.locator("#letters").click()
    page.locator("#incident-main-hand-7 .row").focus()
    page.keyboard.press("KeyA")
    page.locator("#letters").click()
    page.locator("#incident-main-hand-7 .row").focus()
    page.keyboard.press("KeyT")
    expect(page.locator("#incident-main-hand-7 .row .state")).to_have_text("on the way")
    life = [step["state"] for alert in hall.alerts() if alert["id"] == "13.0" for step in alert["life"]]
    assert life == ["raised", "taken"], "letter keys that are off do nothing"
    close_all(hall)


def test_an_operator_sees_incidents_and_has_no_button(hall: Hall, people: Any) -> None:
    hall.engine.raise_alert(misdeal("16.0"))
    page = people("operator", "Boris").open("/floor")
    page.locator(".row").click()
    expect(page.locator("#alert-main-16\\.0 .sentence")).to_be_visible()
    assert page.locator(".incident button, .tile button, #shift").count() == 0
    close_all(hall)


def test_the_console_shows_what_antennas_see_of_a_seat_and_the_newest_line(hall: Hall, people: Any) -> None:
    shown = view(rev=200)
    read = {2: SeatRead(2, 0), 4: SeatRead(1, 1), 6: SeatRead(0, 1)}
    seats = tuple(msgspec.structs.replace(seat, read=read.get(seat.seat, SeatRead())) for seat in shown.seats)
    many = tuple(LineView(entry, f"check {entry}", "operator", "", findings=()) for entry in range(80))
    hall.engine.show(msgspec.structs.replace(shown, seats=seats, lines=many))
    page = people("operator", "Boris").open("/console/main")
    expect(page.locator("#seat-4 .read")).to_have_attribute("aria-label", "1 card read, 1 lifted")
    expect(page.locator("#seat-6 .read")).to_have_attribute("aria-label", "1 lifted")
    expect(page.locator("#seat-2 .read circle")).to_have_count(2)
    expect(page.locator("#seat-1 .read")).to_have_count(0)
    expect(page.locator("#line-79")).to_be_in_viewport()
    expect(page.locator("#line-0")).not_to_be_in_viewport()
    hall.engine.show(view(rev=201))


def picture(rev: int, faces: dict[int, tuple[str, str]], **changes: Any) -> Any:
    plain = view(rev=rev, lines=(), **changes)
    return msgspec.structs.replace(
        plain,
        seats=tuple(msgspec.structs.replace(seat, faces=faces.get(seat.seat, ())) for seat in plain.seats),
    )


def test_the_overlay_shows_hole_cards_when_the_picture_holds_them(hall: Hall, people: Any) -> None:
    hall.engine.show(picture(300, {}), topics.OVERLAY)
    viewer = people(None, viewport={"width": 1920, "height": 1080})
    viewer.page.goto(f"{hall.url}/overlay/main?key={hall.secret('broadcast')}")
    page = viewer.page
    expect(page.locator(".board .card")).to_have_count(3)
    expect(page.locator("[data-seat='5'] .card.back")).to_have_count(2)
    assert page.locator(".seat [data-suit]").count() == 0
    hall.engine.show(picture(301, {5: ("Qh", "Qc")}), topics.OVERLAY)
    expect(page.locator("[data-seat='5'] .card")).to_have_count(2)
    expect(page.locator("[data-seat='5'] .card").first).to_have_attribute("aria-label", "queen of hearts")
    assert page.locator(".seat [data-suit]").count() == 2
    hall.engine.show(picture(302, {}, street="over", board=()), topics.OVERLAY)
    expect(page.locator(".card")).to_have_count(0)
    viewer.content()


def test_both_boards_of_a_hand_run_twice_are_shown(hall: Hall, people: Any) -> None:
    twice = {
        "first_board": ("Ah", "Td", "7c", "2s", "2h"),
        "board": ("Ah", "Td", "7c", "Kd"),
        "street": "turn",
        "to_act": None,
    }
    hall.engine.show(view(rev=303, **twice))
    hall.engine.show(picture(303, {}, **twice), topics.OVERLAY)
    page = people("operator", "Boris").open("/console/main")
    expect(page.locator("#first-board-5")).to_have_attribute("aria-label", "two of hearts")
    expect(page.locator("#board-4")).to_have_attribute("aria-label", "king of diamonds")
    first, second = (page.locator(at).bounding_box() for at in ("#first-board-1", "#board-1"))
    assert first["y"] + first["height"] <= second["y"] + 1
    page.keyboard.press("KeyD")
    expect(page.locator("#text")).to_have_value("river ")
    page.keyboard.press("Escape")
    # Where the game has two boards from the start, the second waits for the turn now.
    hall.engine.show(view(rev=304, **{**twice, "first_board": twice["board"], "board": twice["board"][:3]}))
    expect(page.locator("#first-board-5")).to_have_count(0)

    def next_street() -> str:
        page.keyboard.press("Escape")
        page.keyboard.press("KeyD")
        return page.locator("#text").input_value()

    # The key follows another part of the page than the boards, which may come a moment later.
    until(lambda: next_street() == "turn ", "the second board waits for the turn")
    viewer = people(None, viewport={"width": 1920, "height": 1080})
    viewer.page.goto(f"{hall.url}/overlay/main?key={hall.secret('broadcast')}")
    expect(viewer.page.locator(".board")).to_have_count(2)
    expect(viewer.page.locator(".board").first.locator(".card")).to_have_count(5)
    hall.engine.show(picture(304, {}), topics.OVERLAY)
    expect(viewer.page.locator(".board .card")).to_have_count(3)
    viewer.content()


def test_no_words_of_the_drawing_are_wider_than_their_card_or_seat(hall: Hall, people: Any) -> None:
    one, two, *others = view().seats
    seats = (one, msgspec.structs.replace(two, last="raise 1234567"), *others)
    page = people("operator", "Olga", viewport={"width": 1440, "height": 900}).open("/console/main")
    hall.engine.show(view(rev=310, board=("Th", "Td", "7c"), seats=seats))
    expect(page.locator("#seat-2 .last")).to_have_text("raise 1234567 · 2 cards")
    expect(page.locator("#board-1 .face")).to_have_text("10♥")
    assert (
        page.evaluate("""[...document.querySelectorAll("#drawing .middle > g, #drawing .seat")].flatMap(
        (group) => [...group.querySelectorAll("text")]
        .filter((text) => text.getBBox().width > group.querySelector("rect").getBBox().width - 4)
        .map((text) => text.textContent))""")
        == []
    )


def test_straddles_kills_and_bomb_pots_are_shown_by_sign_and_words(hall: Hall, people: Any) -> None:
    specials = (
        SpecialView("bomb", amount=500),
        SpecialView("two-boards"),
        SpecialView("half-kill", 2, 150),
        SpecialView("straddle", 4, 400),
    )
    words = [
        "B Bomb pot: 500 from each seat",
        "2 Two boards",
        "½K Half kill: seat 2 posts 150",
        "S Straddle: seat 4, 400",
    ]
    hall.engine.show(view(rev=350, specials=specials))
    boris, dealer = people("operator", "Boris"), people("dealer", "Olga", viewport=TABLET)
    page = boris.open("/console/main")
    expect(page.locator("#drawing .special")).to_have_text(words)
    expect(page.locator("#drawing .special-mark")).to_have_text(["½K", "S"])
    page = dealer.open("/dealer/main")
    expect(page.locator("#now .special")).to_have_text(words)
    assert page.evaluate("document.documentElement.scrollHeight") <= TABLET["height"]
    for name, said in (("straddle", "Straddle"), ("bomb-pot", "Bomb pot")):
        viewer = people(None)
        key = hall.secret("broadcast")
        viewer.page.goto(f"{hall.url}/overlay/gallery?key={key}&theme=night&state={name}")
        expect(viewer.page.locator("figure").get_by_text(said).first).to_be_visible()
    boris.content()
    dealer.content()


def test_a_page_is_connecting_until_the_first_beat(hall: Hall, people: Any) -> None:
    """The stream is held back: no page says live meanwhile, and the dealer's does not say that it is lost."""
    for role, path in (("floor", "/floor"), ("dealer", "/dealer/main"), ("director", "/director/main")):
        person = people(role, "Anna")
        held: list[Any] = []
        person.page.route("**/live/**", lambda route: held.append(route))  # noqa: B023
        person.page.goto(hall.url + path)
        until(lambda: person.page.wait_for_timeout(20) or held, "the stream is asked for")  # noqa: B023
        expect(person.page.locator("body")).to_have_attribute("data-state", "connecting")
        expect(person.page.locator("#live")).to_have_text("connecting …")
        if role == "dealer":
            expect(person.page.locator("#offline")).to_be_hidden()
        held[0].continue_()
        expect(person.page.locator("body")).to_have_attribute("data-state", "live")
        person.content()


def test_the_navigation_has_the_director_and_no_tournament_without_a_room(hall: Hall, people: Any) -> None:
    dora, anna = people("director", "Dora"), people("floor", "Anna")
    menu = dora.open("/director/main").get_by_role("navigation")
    expect(menu.locator("summary[aria-current=page]")).to_have_text("Director main")
    menu.locator("summary").click()
    menu.get_by_role("link", name="side").click()
    dora.page.wait_for_url("**/director/side")
    menu = anna.open("/floor").get_by_role("navigation")
    expect(menu.get_by_role("link", name="Figures")).to_be_visible()
    expect(menu.get_by_role("link", name="Tournament")).to_have_count(0)
    expect(menu.get_by_text("Director")).to_have_count(0)


def test_stale_then_lost_then_live_again(hall: Hall, people: Any) -> None:
    """Last of this module: the server is killed and comes back. The overlay empties itself without a word."""
    hall.engine.show(view(rev=400))
    hall.engine.show(picture(400, {5: ("Qh", "Qc")}), topics.OVERLAY)
    boris, viewer = people("operator", "Boris"), people(None)
    page = boris.open("/console/main")
    viewer.page.goto(f"{hall.url}/overlay/main?key={hall.secret('broadcast')}")
    expect(viewer.page.locator(".seat")).to_have_count(6)
    hall.pages.keep_port()
    hall.pages.end(signal.SIGKILL)
    body = page.locator("body")
    expect(body).to_have_attribute("data-state", "stale")
    expect(page.locator("#live")).to_contain_text("as of ")
    expect(body).to_have_attribute("data-state", "lost")
    expect(page.locator("#live")).to_contain_text("nothing can be written")
    expect(page.locator("#enter")).to_be_disabled()
    expect(viewer.page.locator("tb-table *")).to_have_count(0)
    assert viewer.page.locator("body").inner_text().strip() == ""
    early = people(None)  # OBS is opened before the server: the local file waits for it
    address = f"{hall.url}/overlay/main?key={hall.secret('broadcast')}"
    early.page.goto(f"{BOOTSTRAP.as_uri()}?url={quote(address, safe='')}")
    hall.pages.start()
    hall.engine.show(view(rev=401, pot=5_555))
    expect(body).to_have_attribute("data-state", "live")
    expect(page.locator("#drawing .pot")).to_have_text("Pot 5\u202f555")
    expect(page.locator("#enter")).to_be_enabled()
    expect(viewer.page.locator(".seat")).to_have_count(6)
    expect(early.page.locator(".seat")).to_have_count(6)
