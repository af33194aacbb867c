"""The set-up in a real browser, with emulated readers on pseudo-terminals and the real set-up process."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from rig.command import tablebridge
from rig.groups import alone
from rig.ports import free_port
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.bus.broker import EmbeddedBroker

from .bench import CARD, DECK, AtTheBox, Bench, bench_in
from .hall import Engine, view

pytestmark = pytest.mark.browser


def test_s2_a_reader_that_is_unplugged_is_lost_at_once_and_the_step_goes_on_after_it_is_back(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    anna = person(bench.start())
    anna.choose(bench.port("one"), "feig-1")
    page = anna.open("map")
    page.keyboard.press("Enter")
    expect(page.locator(".ask")).to_contain_text("Lay the test card on seat 1.")
    bench.ptys["one"].unplug()
    expect(page.locator(".lost-device")).to_contain_text("feig-1 is lost", timeout=3_000)
    bench.ptys["one"].plug()
    expect(page.locator(".lost-device")).to_have_count(0)
    expect(page.locator(".ask")).to_contain_text("Lay the test card on seat 1.")
    bench.readers["one"].put(CARD)
    expect(page.locator(".ask")).to_contain_text("Take the card away from seat 1.")
    expect(page.locator("#place-seat-1")).to_contain_text("feig-1, antenna 0")
    bench.readers["one"].put()
    expect(page.locator(".ask")).to_contain_text("Lay the test card on seat 2.")
    assert anna.complaints == []


def enrol(bench: Bench, name: str, deck: str, first: int, last: int) -> None:
    """Lay the cards from `first` to `last`, counted from 1, one after the other."""
    for number in range(first, last + 1):
        bench.readers[name].put(DECK[number - 1])
        wait_for(lambda number=number: bench.cards(deck) == number, f"card {number} is enrolled")
        bench.readers[name].put()
        bench.seen(name, 3)


def began_deck(anna: AtTheBox, name: str, kind: str = "52") -> Page:
    page = anna.open("decks")
    page.locator("#begin-deck input[name=deck]").fill(name)
    page.locator("#begin-deck select[name=kind]").select_option(kind)
    page.get_by_role("button", name="Enrol it").click()
    expect(page.locator(".next-card")).to_be_visible()
    return page


def test_s3_a_tag_that_has_its_card_is_refused_and_the_card_is_named(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    anna = person(bench.start())
    anna.choose(bench.port("one"), "feig-1")
    page = began_deck(anna, "red")
    expect(page.locator(".next-card .big")).to_have_text("Lay down the ace of hearts.")
    enrol(bench, "one", "red", 1, 2)
    expect(page.locator(".count")).to_contain_text("2 / 52")
    bench.readers["one"].put(DECK[0])
    expect(page.locator("#said")).to_contain_text("This tag is the ace of hearts already.")
    expect(page.locator(".next-card .big")).to_have_text("Lay down the three of hearts.")
    assert bench.cards("red") == 2
    bench.readers["one"].put()
    bench.seen("one")
    page.keyboard.press("Backspace")
    expect(page.locator("#said")).to_have_text("two of hearts is taken back.")
    expect(page.locator(".next-card .big")).to_have_text("Lay down the two of hearts.")
    wait_for(lambda: bench.cards("red") == 1, "the file has one card less")
    assert anna.complaints == []


def test_s4_after_a_power_cut_at_card_30_the_deck_goes_on_at_31(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    anna = person(bench.start())
    anna.choose(bench.port("one"), "feig-1")
    bench.deck("red", DECK[:28])
    page = began_deck(anna, "red")
    expect(page.locator(".count")).to_contain_text("28 / 52")
    enrol(bench, "one", "red", 29, 30)
    bench.kill()
    again = person(bench.start())
    page = again.open("decks")
    expect(page.locator(".count")).to_contain_text("30 / 52")
    expect(page.locator(".next-card .big")).to_have_text("Lay down the five of diamonds.")
    enrol(bench, "one", "red", 31, 31)
    expect(page.locator(".count")).to_contain_text("31 / 52")


def test_s5_two_seats_on_one_antenna_cannot_be_applied_and_are_named(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    anna = person(bench.start())
    anna.choose(bench.port("one"), "feig-1")
    page = anna.open("map")
    page.keyboard.press("Enter")
    for seat in (1, 2):
        expect(page.locator(".ask")).to_contain_text(f"Lay the test card on seat {seat}.")
        bench.readers["one"].put(CARD)
        expect(page.locator(f"#place-seat-{seat}")).to_contain_text("feig-1, antenna 0")
        bench.readers["one"].put()
    expect(page.locator(".clash").first).to_contain_text("seat 1 is on the antenna of seat 2")
    page = anna.open("finish")
    expect(page.locator(".refused")).to_contain_text(
        "seat 1 and seat 2 are on the same antenna (feig-1, antenna 0)"
    )
    expect(page.locator("#apply")).to_be_disabled()
    refused = page.request.post(
        f"{anna.url}/api/setup",
        data={"id": "by-hand-1", "wish": {"type": "apply"}},
        headers={"sec-fetch-site": "same-origin"},
    )
    assert refused.status == 409 and "seat 1 and seat 2" in refused.json()["sentence"]
    assert not bench.out.exists()
    page = anna.open("map")
    page.get_by_role("button", name="seat 2 has no antenna").click()
    expect(page.locator(".clash")).to_have_count(0)


def test_s7_the_page_of_the_doctor_says_what_the_command_says(
    bench: Bench, person: Callable[..., AtTheBox]
) -> None:
    anna = person(bench.start())
    anna.choose(bench.port("one"), "feig-1")
    page = anna.open("finish")
    page.click("#apply")
    expect(page.locator("#finish")).to_be_visible()
    page = anna.open("doctor")
    page.keyboard.press("KeyR")
    expect(page.locator("#checks li").first).to_be_visible()
    expect(page.get_by_role("button", name="Examine the box")).to_be_visible()
    shown = [
        (row.get_attribute("data-level"), row.get_attribute("data-about"), row.locator(".says").inner_text())
        for row in page.locator("#checks li").all()
    ]
    for row in page.locator("#checks li.fail").all():
        assert row.locator(".cure, .copyable").first.inner_text()
    # The command opens the ports itself.
    page = anna.open("finish")
    page.click("#finish")
    assert bench.process is not None
    assert bench.process.wait(60) == 0
    done = tablebridge("doctor", "--site", bench.out, "--json", "--seconds", "3")
    checks = json.loads(done.stdout)["checks"]
    said = [(check["level"], check["about"], check["says"]) for check in checks]
    assert {row[:2] for row in shown} == {row[:2] for row in said}
    assert len(shown) == len(said)
    # Ages, sizes and rates differ from one minute to the next; the sentences do not.
    assert sorted(map(without_figures, shown)) == sorted(map(without_figures, said))
    assert all(check["do"] for check in checks if check["level"] == "fail")


def without_figures(row: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(re.sub(r"[\d.,]+", "#", text or "") for text in row)


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the keyboard is there."""
    expect(wanted).to_be_visible()
    for _ in range(150):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {wanted}")


def typed(page: Page, field: Locator, text: str) -> None:
    tab_to(page, field)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def pressed(page: Page, button: Locator) -> None:
    tab_to(page, button)
    page.keyboard.press("Enter")


def chosen_by_keys(anna: AtTheBox, port: str, name: str) -> None:
    page = anna.page
    row = page.locator(f"[data-device='{port}']")
    tab_to(page, row.locator("select"))
    page.keyboard.type("feig")
    pressed(page, row.get_by_role("button", name="Choose this device"))
    expect(row.locator(".state")).to_have_text("live")
    expect(row).to_contain_text(name)


def mapped_by_keys(bench: Bench, page: Page, places: dict[str, str]) -> None:
    """Lay the test card at each place, at its reader."""
    page.keyboard.press("Enter")
    for place, name in places.items():
        expect(page.locator(".ask")).to_contain_text(f"Lay the test card on {place}.")
        bench.readers[name].put(CARD)
        expect(page.locator(".ask")).to_contain_text(f"Take the card away from {place}.")
        bench.readers[name].put()
    expect(page.locator(".ask")).to_contain_text("Every place was asked for.")


def measured_by_keys(bench: Bench, page: Page, places: dict[str, str]) -> None:
    """Lay one card on each place in turn, and apply what was measured."""
    page.keyboard.press("Enter")
    for number, (place, name) in enumerate(places.items(), 1):
        expect(page.locator(".ask")).to_contain_text(f"{number} of 3: lay the card on {place}.")
        bench.readers[name].put(CARD)
        expect(page.locator(f"[data-place='{place}']")).to_contain_text("100.0 %; a card is read surely in")
        bench.readers[name].put()
    expect(page.locator("#setup-panel .diff")).to_contain_text("+feig-1/0, seat 1: reads 99")
    page.keyboard.press("Enter")
    expect(page.locator(".ask")).to_contain_text("The calibration is written.")


def person_by_keys(page: Page, name: str, role: str) -> None:
    """Add a person and close what is shown of the link."""
    typed(page, page.locator("#add-person input[name=name]"), name)
    tab_to(page, page.locator("#add-person select[name=role]"))
    page.keyboard.type(role)
    pressed(page, page.get_by_role("button", name="Add the person"))
    expect(page.locator("#given")).to_be_visible()
    expect(page.locator("#given-links img")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#people")).to_contain_text(name)


def trial_hand_dealt(bench: Bench, page: Page) -> None:
    """Two cards to each seat, then the board."""
    for number, name in enumerate(("one", "two", "one", "two")):
        bench.readers[name].put(*(DECK[card] for card in range(number % 2, number + 1, 2)))
        bench.seen(name, 8)
    expect(page.locator("#ticks .done")).to_have_count(2)
    for count, ticks in ((3, 3), (4, 4), (5, 5)):
        bench.readers["three"].put(*DECK[10 : 10 + count])
        expect(page.locator("#ticks .done")).to_have_count(ticks)
    expect(page.locator("#verdict")).to_have_text("Every card was read where it lies. The table is ready.")
    for name in ("one", "two", "three"):
        bench.readers[name].put()


def devices_to_check_by_keys(bench: Bench, anna: AtTheBox, readers: dict[str, str]) -> None:
    """Steps 1 to 5."""
    page = anna.page
    typed(page, page.locator("#name-table input[name=table]"), "final")
    typed(page, page.locator("#name-table input[name=seats]"), "1-2")
    page.keyboard.press("Enter")
    pressed(page, page.locator("#open-adopting"))
    for number, name in enumerate(readers.values(), 1):
        chosen_by_keys(anna, bench.port(name), f"feig-{number}")
    pressed(page, page.get_by_role("link", name="Next: Antenna map"))
    page.wait_for_url("**/setup/map")
    anna.live()
    mapped_by_keys(bench, page, readers)
    page.keyboard.press("Enter")
    page.wait_for_url("**/setup/calibration")
    anna.live()
    measured_by_keys(bench, page, readers)
    page.keyboard.press("Enter")
    page.wait_for_url("**/setup/decks")
    anna.live()
    typed(page, page.locator("#begin-deck input[name=deck]"), "red")
    tab_to(page, page.locator("#begin-deck select[name=kind]"))
    page.keyboard.type("32")
    pressed(page, page.get_by_role("button", name="Enrol it"))
    expect(page.locator(".next-card .big")).to_have_text("Lay down the ace of hearts.")
    enrol(bench, "one", "red", 1, 32)
    expect(page.locator("#setup-panel .big")).to_contain_text("The deck red is complete")
    page.keyboard.press("Enter")
    page.wait_for_url("**/setup/check")
    anna.live()
    page.keyboard.press("r")
    for first in range(0, 32, 8):
        bench.readers["two"].put(*DECK[first : first + 8])
        expect(page.locator(".grid-52 .read")).to_have_count(first + 8)
    bench.readers["two"].put()
    page.keyboard.press("Enter")
    expect(page.locator("#receipt .big")).to_have_text("The deck is whole.")
    page.keyboard.press("Enter")


def signals_to_hand_by_keys(bench: Bench, anna: AtTheBox) -> None:
    """Steps 6 to 8."""
    page = anna.page
    page.wait_for_url("**/setup/signals")
    anna.live()
    page.keyboard.press("r")
    pressed(page, page.locator("#confirm-sound"))
    expect(page.locator("#sounds")).to_be_visible()
    pressed(page, page.get_by_role("link", name="Next: People and phones"))
    page.wait_for_url("**/setup/people")
    anna.live()
    person_by_keys(page, "Olga", "operator")
    person_by_keys(page, "Flo", "floor")
    pressed(page, page.get_by_role("link", name="Next: Test hand"))
    page.wait_for_url("**/setup/hand")
    anna.live()
    page.keyboard.press("Enter")
    trial_hand_dealt(bench, page)


def test_s1_from_an_empty_site_file_to_a_dealt_hand_by_keyboard_alone(
    tmp_path: Path, browser: Browser, person: Callable[..., AtTheBox]
) -> None:
    readers = {"seat 1": "one", "seat 2": "two", "board": "three"}
    with bench_in(tmp_path, *readers.values()) as bench:
        bench.out.write_text(
            f'name = "club"\nstate_dir = "{bench.state}"\n[broker]\nport = {free_port()}\n[web]\nport = 0\n'
        )
        anna = person(bench.start())
        devices_to_check_by_keys(bench, anna, readers)
        signals_to_hand_by_keys(bench, anna)
        page = anna.page
        pressed(page, page.get_by_role("link", name="Next: Site file"))
        page.wait_for_url("**/setup/finish")
        anna.live()
        expect(page.locator("#setup-steps .done")).to_have_count(8)
        expect(page.locator(".diff")).to_contain_text("+[[table]]")
        page.keyboard.press("Enter")
        expect(page.locator("#finish")).to_be_visible()
        page.keyboard.press("Enter")
        assert bench.process is not None and bench.process.wait(60) == 0
        assert anna.complaints == []
        dealt_by_keys(bench, browser)


def dealt_by_keys(bench: Bench, browser: Browser) -> None:
    """The site runs as it was set up: a hand is begun at the console, and two cards come to each seat."""
    with running(bench.out) as links:
        page = browser.new_page()
        page.goto(links["operator"])
        page.wait_for_url("**/")
        page.goto(f"{page.url}console/final")
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        page.keyboard.press("/")
        page.keyboard.type("hand")
        page.keyboard.press("Enter")
        expect(page.locator("#turn")).to_have_attribute("data-street", "preflop")
        for number, name in enumerate(("one", "two", "one", "two")):
            held = [DECK[card] for card in range(number % 2, number + 1, 2)]
            bench.readers[name].put(*held)
            bench.seen(name, 8)
        expect(page.locator("#drawing").get_by_text("2 cards read")).to_have_count(2)

        def dealt() -> list[int]:
            state = page.request.get(links["operator"].partition("/login")[0] + "/api/tables/final/state")
            return [seat["cards"] for seat in state.json()["seats"]]

        wait_for(lambda: dealt() == [2, 2], f"two cards are dealt to each seat, not {dealt()}")
        page.close()


@contextmanager
def running(site_file: Path) -> Iterator[dict[str, str]]:
    """`tablebridge run`: the links by role."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "run", "--site", str(site_file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        links: dict[str, str] = {}
        for line in process.stdout:
            if line.startswith("These links"):
                break
            role, _, link = line.strip().partition(" ")
            links[role] = link.strip()
        yield links
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


SITE = """\
name = "hall"
state_dir = "{state}"
[broker]
port = {broker}
[web]
port = 0
[[table]]
name = "main"
[[table.device]]
name = "reader"
driver = "feig"
port = "/dev/ttyNONE"
antennas = {{ 0 = "seat 4" }}
"""


def test_s6_a_deck_that_may_be_in_play_is_not_enrolled(
    tmp_path: Path, person: Callable[..., AtTheBox]
) -> None:
    groups = alone({"reader": "main", "invented": "main"})
    with (
        EmbeddedBroker(tmp_path / "state", site="hall", groups=groups) as broker,
        bench_in(tmp_path) as bench,
    ):
        bench.out.write_text(SITE.format(state=bench.state, broker=broker.port))
        bench.deck("red", DECK)
        before = (bench.state / "decks" / "red.toml").read_bytes()
        engine = Engine(broker.port, broker.accounts)
        engine.start()
        try:
            engine.show(view(street="flop"), topics.PUBLIC_STATE)
            anna = person(bench.start())
            page = anna.open("decks")
            form = page.locator("#begin-deck")
            form.locator("input[name=deck]").fill("red")
            form.get_by_role("button", name="Enrol it").click()
            expect(page.locator("#told")).to_contain_text("a hand is under way at table main")
            expect(page.locator(".next-card")).to_have_count(0)
            refused = tablebridge("enrol", "red", "--site", bench.out)
            assert refused.returncode == 2 and "a hand is under way at table main" in refused.stderr
            assert (bench.state / "decks" / "red.toml").read_bytes() == before
            engine.show(view(rev=11, street="over"), topics.PUBLIC_STATE)
            until_enrolled(page, form)
        finally:
            engine.end()


def until_enrolled(page: Page, form: Locator) -> None:
    """The same deck can be chosen again once the hand is over: it is complete, and nothing is asked for."""

    def chosen() -> bool:
        form.locator("input[name=deck]").fill("red")
        form.get_by_role("button", name="Enrol it").click()
        page.wait_for_timeout(100)
        return page.get_by_text("The deck red is complete: 52 cards.").is_visible()

    wait_for(chosen, "the deck can be chosen")
