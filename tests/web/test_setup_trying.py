"""The steps of the set-up that try out what was chosen, in a real browser: calibration, buttons, people and
the test hand.
"""

import tomllib
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from rig.pepper import Pepper
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.app.antenna_counts import handed_over
from tablebridge.sim.bench import Bench as Lines
from tablebridge.sim.lineboard import LineBoard
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.table import Table
from tablebridge.web.auth import Tokens

from .bench import CARD, DECK, AtTheBox, Bench

pytestmark = pytest.mark.browser


def mapped(bench: Bench, anna: AtTheBox) -> None:
    """Two seats with a reader each, and nothing else."""
    for number, name in enumerate(("one", "two"), 1):
        anna.choose(bench.port(name), f"feig-{number}")
    page = anna.page
    page.locator("#name-table input[name=seats]").fill("1-2")
    with page.expect_response("**/api/setup"):
        page.get_by_role("button", name="Name it").click()
    page = anna.open("map")
    page.get_by_role("button", name="board has no antenna").click()
    expect(page.locator("#place-board")).to_have_count(0)
    page.click("#ask-next")
    for seat, name in enumerate(("one", "two"), 1):
        expect(page.locator(".ask")).to_contain_text(f"Lay the test card on seat {seat}.")
        bench.readers[name].put(CARD)
        expect(page.locator(".ask")).to_contain_text("Take the card away")
        bench.readers[name].put()
    expect(page.locator(".ask")).to_contain_text("Every place was asked for.")


def test_s4_a_calibration_goes_on_after_a_power_cut_with_the_place_that_was_next(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    anna = person(bench.start())
    mapped(bench, anna)
    page = anna.open("calibration")
    page.keyboard.press("Enter")
    bench.readers["one"].put(CARD)
    expect(page.locator(".ask")).to_contain_text("2 of 2: lay the card on seat 2.")
    bench.readers["one"].put()
    bench.kill()
    again = person(bench.start())
    page = again.open("calibration")
    expect(page.locator(".ask")).to_contain_text("2 of 2: lay the card on seat 2.")
    expect(page.locator("[data-place='seat 1']")).to_contain_text("good")
    bench.readers["two"].put(CARD)
    expect(page.locator("[data-place='seat 2']")).to_contain_text("100.0 %; a card is read surely in")
    expect(page.locator("#setup-panel .diff")).to_contain_text("+feig-2/0, seat 2: reads 9")
    assert handed_over(bench.state, "table-1") == [], "nothing is written before Apply"
    page.keyboard.press("Enter")
    expect(page.locator("#step-calibration")).to_contain_text("done")
    (kept,) = handed_over(bench.state, "table-1")
    assert CARD not in kept.read_text()
    assert again.complaints == []


def test_a_button_gets_its_meaning_by_being_pressed_and_the_site_file_has_it(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    board, port = LineBoard(Table(LEVELS["clean"], 1), 4), bench.folder / "board"
    bench.ports.append(str(port))
    with Lines(1) as lines:
        lines.add("board", port, board)
        anna = person(bench.start())
        anna.choose(str(port), "line-1", "line")
        page = anna.open("signals")
        page.locator("#ask-contact select").select_option("key floor")
        page.get_by_role("button", name="Ask for its button").click()
        expect(page.locator(".ask")).to_have_text("Press the button for: the dealer calls the floor")
        board.contact(3, True)
        row = page.locator("#contact-line-1-3")
        expect(row).to_contain_text("the dealer calls the floor")
        expect(row).to_contain_text("pressed now")
        board.contact(3, False)
        expect(row).to_contain_text("pressed 1 time")
        page.get_by_role("button", name="Play the alert").click()
        page.click("#confirm-sound")
        expect(page.locator("#step-signals")).to_contain_text("done")
        page = anna.open("finish")
        page.click("#apply")
        expect(page.locator("#finish")).to_be_visible()
        (device,) = tomllib.loads(bench.out.read_text())["table"][0]["device"]
        assert device["contacts"] == {"3": "key floor"}
        assert anna.complaints == []


def test_a_reader_of_one_standard_says_so_until_it_reads_a_card(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    reader, port = Pepper(), bench.folder / "pepper"
    bench.ports.append(str(port))
    cable = Pty(port, reader)
    try:
        anna = person(bench.start())
        anna.choose(str(port), "pepper-1", "pepper")
        hint = anna.page.locator(f"[data-device='{port}'] .hint")
        expect(hint).to_contain_text('no card but those of iso15693; try cards = "iso14443"')
        reader.put(CARD)
        expect(hint).to_have_count(0)
        assert anna.complaints == []
    finally:
        cable.unplug()


def test_a_link_is_shown_once_and_good_once_and_a_phone_is_named_in_the_file_of_people(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    anna = person(bench.start())
    anna.choose(bench.port("one"), "feig-1")
    page = anna.open("people")
    expect(page.locator("#people")).to_contain_text("Nobody has a token yet.")
    form = page.locator("#add-person")
    form.locator("input[name=name]").fill("Flo")
    form.locator("select[name=phone]").select_option("yes")
    form.get_by_role("button").click()
    expect(page.locator("#given-links img")).to_have_count(2)
    link, topic = page.locator("#given-links code").all_inner_texts()
    secret = parse_qs(urlsplit(link).query)["token"][0]
    page.get_by_role("button", name="Close").click()
    assert secret not in page.content() and topic not in page.content().replace("+ways", "")
    tokens = Tokens(bench.state)
    assert tokens.exchange(secret) is not None and tokens.exchange(secret) is None
    page.click("#apply-people")
    expect(page.locator("#apply-people")).to_have_count(0)
    people = tomllib.loads((bench.folder / "people.toml").read_text())
    assert people["person"][0]["ways"] == [f"ntfy:{topic.rpartition('/')[2]}"]
    expect(page.locator("#ladder")).to_contain_text("Flo")
    page.get_by_role("button", name="Revoke the token of Flo").click()
    expect(page.locator("#people")).to_contain_text("Nobody has a token yet.")
    page = anna.open("finish")
    expect(page.locator(".diff")).to_contain_text('+people = "people.toml"')
    assert anna.complaints == []


def test_a_test_hand_that_misses_a_card_says_where_and_what_to_do(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    bench.deck("red", DECK)
    anna = person(bench.start())
    mapped(bench, anna)
    page = anna.open("hand")
    page.keyboard.press("Enter")
    expect(page.locator(".ask")).to_have_text("Deal: two cards to seat 1.")
    bench.readers["one"].put(*DECK[:2])
    expect(page.locator("#tick-1")).to_have_class("done")
    bench.readers["two"].put(DECK[2], "E0AA0000000000FF")
    expect(page.locator("#tick-2")).to_contain_text("1 of 2 read")
    page.click("#end-hand")
    expect(page.locator("#verdict")).to_have_text("Not every card was read.")
    expect(page.locator("#tick-2 .cure")).to_contain_text("A card was missed at seat 2: lay it once more.")
    expect(page.locator("#setup-panel")).to_contain_text(
        "A tag that is no card of this deck was read at seat 2"
    )
    expect(page.locator("#step-hand")).to_contain_text("to do")
    shown = page.locator("#setup-panel").inner_html()
    assert "data:image" not in shown and not any(suit in shown for suit in "♠♥♦♣"), "no face is on this page"
    page.locator("#skip-hand input[name=reason]").fill("the reader comes tomorrow")
    page.locator("#skip-hand button").click()
    expect(page.locator("#step-hand")).to_contain_text("skipped: the reader comes tomorrow")
    wait_for(lambda: anna.complaints == [], "no complaints")
