"""The floor page: incidents, what is out of sight, floods, order under a hand, and the wall."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tablebridge.model.findings import Finding
from tablebridge.web.auth import Role

from .hall import NAMES, Hall, misdeal, until, view

pytestmark = pytest.mark.browser
DESK = {"width": 1440, "height": 900}


def plain(id: str, finding: str, **changes: Any) -> Finding:
    return misdeal(
        id, **{"finding": finding, "cause": None, "rule": None, "seat": None, "remedy": (), **changes}
    )


def long_ago(hall: Hall, finding: Finding) -> None:
    """Raise an alert that is too old to make a flood with those of other tests."""
    hall.engine.raise_alert(finding, ago_s=3600 - float(finding.id))


@pytest.fixture
def opened(hall: Hall, browser: Browser) -> Iterator[Any]:
    """Opens pages of persons; all alerts are closed and everything is in service afterwards."""
    hall.lively()
    made: list[Any] = []
    complaints: list[str] = []

    def page_of(name: str = "Anna", path: str = "/floor", role: Role = "floor", **options: Any) -> Page:
        made.append(browser.new_context(**{"viewport": DESK, **options}))
        page: Page = made[-1].new_page()
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text)
                if said.type in ("error", "warning") and "409" not in said.text
                else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{hall.url}/login?token={hall.secret(role, name)}")
        page.wait_for_url(f"{hall.url}/")
        page.goto(hall.url + path)
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        return page

    yield page_of
    for context in made:
        context.close()
    for row in hall.get("/api/incidents", "floor").json()["out"].items():
        for mark in row[1]:
            write(hall, row[0], "service", device=mark["device"], out=False)
    for alert in hall.alerts():
        for to in ("ruled", "closed"):
            write(hall, alert["table"], f"alerts/{alert['id']}/{to}", over=True)
    until(lambda: not hall.alerts(), "no alert is open")
    assert complaints == []


def write(hall: Hall, table: str, what: str, **body: Any) -> Any:
    return hall.post(f"/api/tables/{table}/{what}", "floor", {"id": hall.new_id(), **body})


def test_f3_a_condition_that_has_gone_stays_with_its_mark_until_somebody_saw_it(
    hall: Hall, opened: Any
) -> None:
    page = opened()
    long_ago(hall, plain("20.0", "device-degraded", device="reader"))
    row = page.locator(".incident .row")
    expect(row).to_contain_text("Device degraded")
    hall.engine.clear_device("reader")
    expect(row.locator(".mark.cleared")).to_have_text("cleared")
    expect(row.locator(".state")).to_have_text("raised")
    row.click()
    close = page.locator(".five").get_by_role("button", name="Close")
    expect(close).to_have_attribute("aria-disabled", "true")
    page.locator(".five").get_by_role("button", name="Seen").click()
    expect(row.locator(".state")).to_have_text("seen")
    expect(row.locator(".mark.cleared")).to_be_visible()
    close.click()
    expect(page.locator(".calm")).to_be_visible()
    expect(page.locator("#closed summary")).to_have_text("Closed lately (1)")


@pytest.mark.parametrize("fails", [False, True], ids=["done", "failed"])
def test_what_is_pressed_before_an_answer_waits_for_it_and_is_not_sent_if_it_failed(
    hall: Hall, opened: Any, fails: bool
) -> None:
    page = opened()
    long_ago(hall, plain(f"{21 + fails}.0", "device-degraded", device="reader"))
    row = page.locator(".incident .row")
    hall.engine.clear_device("reader")
    expect(row.locator(".mark.cleared")).to_have_text("cleared")
    held: list[Any] = []
    page.route("**/acknowledged", lambda route: held.append((route, route.fetch())))
    row.click()
    page.locator(".five").get_by_role("button", name="Seen").click()
    expect(row.locator(".state")).to_have_text("seen")
    page.locator(".five").get_by_role("button", name="Close").click()
    expect(page.locator("#told")).to_be_hidden()
    assert [alert["state"] for alert in hall.alerts()] == ["acknowledged"]
    (route, answer) = held[0]
    if not fails:
        route.fulfill(response=answer)
        expect(page.locator(".calm")).to_be_visible()
    else:
        route.fulfill(status=409, json={"sentence": "No."})
        expect(page.locator("#told")).to_have_text(
            "No. Not sent, since what was pressed before it failed: Close."
        )
        assert [alert["state"] for alert in hall.alerts()] == ["acknowledged"]


def test_f6_what_has_the_focus_stays_where_it_is_by_a_pixel_when_a_more_severe_alert_comes(
    hall: Hall, opened: Any
) -> None:
    page = opened()
    long_ago(hall, plain("30.0", "out-of-turn", seat=2))
    page.locator(".row").click()
    button = page.locator("#incident-main-hand-7 .five button.go")
    button.focus()
    before = button.bounding_box()
    long_ago(hall, plain("31.0", "fouled-deck", severity="critical", table="side"))
    expect(page.locator("#news")).to_have_text("1 new · ◆ Table side · Fouled deck")
    assert button.bounding_box() == before
    expect(button).to_be_focused()
    # When nothing was touched for a while it comes in above, and the button still does not move.
    expect(page.locator(".incident").first).to_contain_text("Fouled deck")
    after = button.bounding_box()
    assert before is not None and after is not None and abs(after["y"] - before["y"]) < 1, (before, after)
    expect(button).to_be_focused()
    page.locator("#news").click() if page.locator("#news").is_visible() else None
    expect(page.locator("#incident-side-hand-7 .row")).to_be_in_viewport()


def test_an_incident_holds_its_alerts_and_one_press_moves_those_on_the_screen(
    hall: Hall, opened: Any
) -> None:
    page = opened()
    long_ago(hall, plain("40.0", "out-of-turn", seat=2))
    long_ago(hall, plain("41.0", "undercall", severity="critical", seat=3))
    row = page.locator(".incident .row")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Undercall")
    expect(row.locator(".further")).to_have_text("+1")
    box = row.bounding_box()
    assert box is not None and box["height"] == 56
    sizes = page.evaluate("""Object.fromEntries([...document.querySelectorAll(".row > *")].map(
        (part) => [part.className.split(" ")[0], parseFloat(getComputedStyle(part).fontSize)]))""")
    assert sizes["table"] == max(sizes.values()) >= 28
    row.focus()
    page.keyboard.press("KeyA")
    until(lambda: {alert["state"] for alert in hall.alerts()} == {"acknowledged"}, "both are seen")
    long_ago(hall, plain("42.0", "string-bet", seat=3))
    expect(row.locator(".state")).to_have_text("raised")


def test_the_way_back_from_a_mistaken_i_go(hall: Hall, opened: Any) -> None:
    page = opened()
    long_ago(hall, plain("50.0", "out-of-turn", seat=2))
    page.locator(".row").click()
    page.locator(".five").get_by_role("button", name="I go").click()
    expect(page.locator(".row .who")).to_contain_text("on the way Anna")
    page.locator(".five").get_by_role("button", name="Not going").click()
    expect(page.locator(".row .who")).to_contain_text("seen Anna")
    expect(page.locator(".five").get_by_role("button", name="I go")).to_be_visible()


def test_a_warning_waits_on_the_shelf_and_is_listed_there(hall: Hall, opened: Any) -> None:
    page, other = opened("Anna"), opened("Bob")
    long_ago(hall, plain("60.0", "out-of-turn", seat=2))
    page.locator(".row").focus()
    page.keyboard.press("KeyS")
    why = page.locator(".shelving [name=why]")
    expect(why).to_be_focused()
    why.press("Enter")
    expect(page.locator("#told")).to_have_text("Write why, in a few words.")
    why.fill("seat change")
    why.press("Enter")
    for seen in (page, other):
        expect(seen.locator(".calm")).to_be_visible()
        seen.locator("#shelved summary").click()
        expect(seen.locator("#shelved li")).to_contain_text("Anna: seat change")
        expect(seen.locator("#shelved time")).to_contain_text("9:5")
    other.get_by_role("button", name="Back into the queue").click()
    expect(page.locator(".incident")).to_have_count(1)
    long_ago(hall, plain("61.0", "fouled-deck", severity="critical", table="side"))
    critical = page.locator("#incident-side-hand-7")
    expect(critical.locator('[data-to="shelved"]')).to_have_attribute("aria-disabled", "true")
    assert write(hall, "side", "shelf", alert="61.0", minutes=10, why="x").status_code == 409
    assert write(hall, "side", "shelf", alert="61.0", minutes=31, why="x").status_code == 400


def test_a_device_out_of_service_hides_its_alerts_which_stay_countable(hall: Hall, opened: Any) -> None:
    page = opened()
    long_ago(hall, plain("70.0", "device-offline", device="reader"))
    expect(page.locator(".incident")).to_have_count(1)
    tile = page.locator("#tile-main")
    tile.locator(".service summary").click()
    tile.locator("[name=device]").select_option("reader")
    tile.locator("[name=why]").fill("being exchanged")
    tile.get_by_role("button", name="Put out of service").click()
    expect(page.locator(".calm")).to_be_visible()
    expect(page.locator("#unserved summary")).to_have_text("Hidden, out of service (1)")
    expect(tile.locator(".outmark")).to_contain_text("reader · Anna")
    long_ago(hall, plain("71.0", "cloned-tag", severity="critical"))
    expect(page.locator(".incident")).to_contain_text("Cloned tag")
    tile.get_by_role("button", name="Into service").click()
    expect(page.locator(".incident")).to_have_count(2)


def test_a_tile_has_colour_and_shape_of_what_is_worst_and_what_hands_left_open_stands_behind(
    hall: Hall, opened: Any
) -> None:
    hall.engine.show(view(rev=900))
    page = opened()
    long_ago(hall, plain("80.0", "pot-mismatch", hand=3))
    tile = page.locator("#tile-main")
    expect(tile.locator(".trouble")).to_contain_text("▲")
    expect(page.locator(".mark.left")).to_have_text("left open from hand 3")
    long_ago(hall, plain("81.0", "out-of-turn", seat=2))
    long_ago(hall, plain("82.0", "fouled-deck", severity="critical", table="side"))
    expect(page.locator("#tile-side .trouble")).to_contain_text("◆")
    expect(page.locator(".incident .row .what")).to_contain_text(
        ["Fouled deck", "Out of turn", "Pot mismatch"]
    )


def test_the_filter_hides_rows_and_says_how_many(hall: Hall, opened: Any) -> None:
    page = opened()
    long_ago(hall, plain("85.0", "out-of-turn", seat=2))
    long_ago(hall, plain("86.0", "pot-mismatch", table="side"))
    expect(page.locator(".incident")).to_have_count(2)
    page.keyboard.press("Slash")
    expect(page.locator("#filter")).to_be_focused()
    page.keyboard.type("side")
    expect(page.locator(".incident:visible")).to_have_count(1)
    expect(page.locator("#filtered")).to_have_text("1 hidden by the filter")
    long_ago(hall, plain("87.0", "fouled-deck", severity="critical"))
    expect(page.locator("#news")).to_contain_text("Fouled deck", timeout=60_000)
    page.locator("#news").click()
    expect(page.locator("#incident-main-hand-7 .row")).to_be_focused()
    expect(page.locator("#filter")).to_have_value("")


def test_the_shift_names_the_person_and_says_that_it_began(opened: Any) -> None:
    page = opened("Olga")
    page.evaluate("addEventListener('shift', (event) => { window.began = event.detail.on; })")
    page.get_by_role("button", name="Start of shift: Olga").click()
    expect(page.get_by_role("button", name="On shift: Olga")).to_be_visible()
    assert page.evaluate("window.began") is True


def test_what_came_while_a_hand_was_on_the_queue_is_whole_when_it_comes_in(hall: Hall, opened: Any) -> None:
    long_ago(hall, plain("185.0", "out-of-turn", seat=2, sentence="Seat 2 acted before seat 1."))
    page = opened()
    page.locator("#incident-main-hand-7 .row").focus()
    long_ago(hall, plain("186.0", "out-of-turn", table="side", sentence="Seat 5 acted before seat 1."))
    expect(page.locator("#news")).to_be_visible()
    long_ago(hall, plain("187.0", "pot-mismatch", sentence="The pot is 100 short."))
    expect(page.locator("#alert-main-187\\.0")).to_have_count(1)
    expect(page.locator("#incident-side-hand-7")).to_have_count(0)
    page.locator("#news").click()
    expect(page.locator("#incident-side-hand-7 .sentence")).to_have_text(
        "Seat 5 acted before seat 1.", use_inner_text=False
    )
    expect(page.locator("#incident-main-hand-7 .member")).to_have_count(2)


def test_f8_the_wall_has_no_button_and_no_name_and_large_numbers(hall: Hall, opened: Any) -> None:
    hall.engine.show(view(rev=950))
    long_ago(hall, plain("90.0", "out-of-turn", seat=2, sentence="Ivan acted before seat 1."))
    write(hall, "main", "alerts/90.0/taken")
    page = opened("Olga", "/floor?wall", viewport={"width": 1920, "height": 1080})
    tile = page.locator("#wall-main")
    expect(tile).to_contain_text("Out of turn")
    expect(tile.locator(".state")).to_have_text("on the way")
    assert page.locator("button, a, input, select, summary").count() == 0
    html = page.content()
    assert not [name for name in (*NAMES.values(), "Anna", "Olga") if name in html]
    sizes = page.evaluate(
        "Object.fromEntries(['number', 'what', 'state', 'age', 'clock'].map((name) => [name, "
        "parseFloat(getComputedStyle(document.querySelector('.wallroom .' + name)).fontSize)]))"
    )
    assert sizes["number"] >= 96 and min(sizes.values()) >= 36, sizes
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080
    expect(page.locator(".clock")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))


def test_f5_thirty_alerts_of_a_dead_reader_are_one_incident_and_a_flood_with_its_cause(
    hall: Hall, opened: Any
) -> None:
    """Last of this module: a flood is over after ten minutes, whatever is closed."""
    page = opened()
    hall.engine.raise_alert(plain("100.0", "device-offline", device="reader"))
    for number in range(101, 130):
        hall.engine.raise_alert(plain(f"{number}.0", "card-out-of-place", seat=4))
    expect(page.locator("#flood")).to_contain_text("Flood: 30 alerts in ten minutes.")
    expect(page.locator("#flood")).to_contain_text("30 of them come from the device reader of Table main")
    expect(page.locator(".incident")).to_have_count(1)
    page.locator(".row").click()
    expect(page.locator(".incident .member")).to_have_count(1)
    expect(page.locator(".suppressed summary")).to_have_text("29 alerts are hidden by this")
    page.locator(".five").get_by_role("button", name="I go").click()
    until(lambda: {alert["state"] for alert in hall.alerts()} == {"taken"}, "one press takes all thirty")
    answer = hall.get("/api/incidents", "floor").json()
    assert [len(incident["suppressed"]) for incident in answer["incidents"]] == [29]
    assert answer["flood"]["cause"] == "device"
